package dev.turntable.benchmarks;

import java.util.Arrays;

/** {@code java -jar benchmarks.jar <command> …}; docs/benchmarks.md explains each. */
public final class Main {
    private Main() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        String command = arguments.length == 0 ? "" : arguments[0];
        String[] rest = Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length);
        switch (command) {
            case "jmh" -> org.openjdk.jmh.Main.main(rest);
            case "heap" -> HeapFigures.main(rest);
            default -> {
                System.err.println("""
                        java -jar benchmarks.jar jmh [options of JMH]   benchmarks of operations; jmh -h explains
                        java -jar benchmarks.jar heap                   bytes for each timer, deadline, permission, allocation
                        """);
                System.exit(2);
            }
        }
    }
}
