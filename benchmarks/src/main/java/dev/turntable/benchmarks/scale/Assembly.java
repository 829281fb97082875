package dev.turntable.benchmarks.scale;

import dev.turntable.benchmarks.load.TurnClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The ready distribution in a directory of its own, configured for loopback and running. */
final class Assembly implements AutoCloseable {
    static final String USER = "user";
    static final String PASSWORD = "pass";

    private static final int LISTENER_ADDRESSES = 32;
    private static final int SHELL_PORTS = 3;
    private static final Pattern PAUSE = Pattern.compile("\\[(\\d+\\.\\d+)s\\].*Pause.* (\\d+\\.\\d+)ms");

    private final Path home;
    private final int port;
    private final Process process;

    private Assembly(Path home, int port, Process process) {
        this.home = home;
        this.port = port;
        this.process = process;
    }

    /**
     * Unpacks it, starts it and waits until it serves.
     *
     * @param port of the listener; the container's own ports follow it
     * @param workers 0 for as many as there are processors
     * @param javaOptions added to the distribution's own
     */
    static Assembly start(Path archive, boolean shared, int port, int workers, String javaOptions)
            throws IOException, InterruptedException {
        Path home = Files.createTempDirectory("turntable-scale-");
        run(home, "tar", "-xzf", archive.toAbsolutePath().toString(), "--strip-components=1");
        Path etc = home.resolve("etc");
        set(etc.resolve("org.apache.karaf.shell.cfg"), Map.of("sshPort", port + 1));
        set(
                etc.resolve("org.apache.karaf.management.cfg"),
                Map.of("rmiRegistryPort", port + 2, "rmiServerPort", port + SHELL_PORTS));
        Files.createFile(
                etc.resolve("turntable.users"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(etc.resolve("turntable.users"), USER + ":" + PASSWORD + "\n");
        set(
                etc.resolve("dev.turntable.server.cfg"),
                Map.of(
                        "workers",
                        workers,
                        "relayedAddressIPv4",
                        "127.0.0.1",
                        "relayedAddressIPv6",
                        "none",
                        "relayedPortMin",
                        1024,
                        "relayedPortMax",
                        65535,
                        "relayedSockets",
                        shared ? "shared" : "dedicated",
                        "sharedPortBase",
                        61000,
                        "maxAllocationsPerWorker",
                        1_000_000));
        // The least lifetime, so that a client can choose when it expires.
        set(
                etc.resolve("dev.turntable.relay.cfg"),
                Map.of("realm", "scale.local", "peersAllow", "127.0.0.0/8", "allocationLifetimeSeconds", 5));
        StringBuilder addresses = new StringBuilder();
        for (int i = 0; i < LISTENER_ADDRESSES; i++) {
            addresses.append(i == 0 ? "" : ", ").append("127.0.1.").append(i + 1);
        }
        set(etc.resolve("dev.turntable.listener-udp.cfg"), Map.of("address", addresses, "port", port));

        ProcessBuilder builder = new ProcessBuilder("bin/karaf", "server")
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("console.log").toFile());
        // The script is replaced by the JVM, so that its pid is the server's.
        builder.environment().put("KARAF_EXEC", "exec");
        builder.environment().put("EXTRA_JAVA_OPTS", "-Xlog:gc:file=" + home.resolve("gc.log") + " " + javaOptions);
        Assembly assembly = new Assembly(home, port, builder.start());
        try {
            assembly.awaitUsers();
        } catch (IOException | InterruptedException e) {
            assembly.close();
            throw e;
        }
        return assembly;
    }

    /** Several addresses: a client socket has a five-tuple with each, so that few descriptors make many allocations. */
    InetSocketAddress[] listeners() throws IOException {
        InetSocketAddress[] listeners = new InetSocketAddress[LISTENER_ADDRESSES];
        for (int i = 0; i < listeners.length; i++) {
            listeners[i] =
                    new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 1, (byte) (i + 1)}), port);
        }
        return listeners;
    }

    long pid() {
        return process.pid();
    }

    Path home() {
        return home;
    }

    /** Collection pauses so far: how many, the longest and all together in milliseconds. */
    Pauses pauses() throws IOException {
        int count = 0;
        double longest = 0;
        double sum = 0;
        for (String line : Files.readAllLines(home.resolve("gc.log"))) {
            Matcher pause = PAUSE.matcher(line);
            if (pause.find()) {
                double millis = Double.parseDouble(pause.group(2));
                count++;
                longest = Math.max(longest, millis);
                sum += millis;
            }
        }
        return new Pauses(count, longest, sum);
    }

    record Pauses(int count, double longestMillis, double sumMillis) {}

    /** A full collection, so that what stays can be told from what waits to be collected. */
    void collect() throws IOException, InterruptedException {
        run(home, "jcmd", Long.toString(pid()), "GC.run");
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitUsers() throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (true) {
            try (TurnClient client = TurnClient.open(listeners()[0], USER, PASSWORD)) {
                client.allocate(60, false);
                client.refresh(0);
                return;
            } catch (IOException e) {
                if (!process.isAlive() || System.nanoTime() - end > 0) {
                    throw new IOException("the server does not serve; see " + home.resolve("console.log"), e);
                }
                if (!(e instanceof SocketTimeoutException)) {
                    Thread.sleep(500);
                }
            }
        }
    }

    private static void run(Path directory, String... command) throws IOException, InterruptedException {
        Process run = new ProcessBuilder(List.of(command))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (run.waitFor() != 0) {
            throw new IOException("failed: " + String.join(" ", command));
        }
    }

    /** Changes keys of a file in place, and appends those that it does not have. */
    private static void set(Path file, Map<String, ?> values) throws IOException {
        Map<String, Object> left = new LinkedHashMap<>(values);
        StringBuilder text = new StringBuilder();
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            int equals = line.indexOf('=');
            Object value =
                    left.remove(equals < 0 ? "" : line.substring(0, equals).trim());
            text.append(value == null ? line : line.substring(0, equals).trim() + " = " + value)
                    .append('\n');
        }
        left.forEach((key, value) -> text.append(key + " = " + value + "\n"));
        Files.writeString(file, text);
    }
}
