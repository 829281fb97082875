package dev.turntable.benchmarks;

import dev.turntable.benchmarks.load.LoadCommand;
import dev.turntable.benchmarks.scale.ScaleCommand;
import java.util.Arrays;

/** {@code java -jar benchmarks.jar COMMAND …}; docs/benchmarks.md explains each. */
public final class Main {
    private static final String USAGE = """
            java -jar benchmarks.jar COMMAND

            jmh [options of JMH]   benchmarks of operations; jmh -h explains
            heap                   bytes for each timer, deadline, permission, channel binding, allocation
            """;

    private Main() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws Exception {
        String command = arguments.length == 0 ? "" : arguments[0];
        String[] rest = Arrays.copyOfRange(arguments, Math.min(1, arguments.length), arguments.length);
        try {
            switch (command) {
                case "jmh" -> org.openjdk.jmh.Main.main(rest);
                case "heap" -> HeapFigures.main(rest);
                case "load" -> System.exit(LoadCommand.run(rest));
                case "scale" -> System.exit(ScaleCommand.run(rest));
                default -> throw new IllegalArgumentException("no such command: " + command);
            }
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n\n" + USAGE + LoadCommand.USAGE + ScaleCommand.USAGE);
            System.exit(2);
        }
    }
}
