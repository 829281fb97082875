package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.benchmarks.load.TurnClient;
import java.io.IOException;
import java.net.DatagramSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is left when the server is taken away under load: nothing. */
class EndsIT {
    @Test
    void uninstallingTheFeatureFreesEverythingAndShuttingDownPrintsNoStackTrace() throws Exception {
        try (LiveServer server = LiveServer.own()) {
            int log = server.log().length();
            try (Load load = Load.start("feature:uninstall", server, 50, 500)) {
                assertTrue(load.received() > 0, "packets before it");
                assertTrue(udpSockets(server) > 50, "relayed sockets while there is load");
                server.shell("feature:uninstall turntable");
                assertEquals(0, udpSockets(server), "UDP sockets");
                new DatagramSocket(server.address()).close();
                assertEquals(List.of(), threads(server));
                assertEquals(Map.of(), server.bundles());
            }
            server.shell("feature:install turntable");
            awaitAllocation(server);
            try (Load load = Load.start("shutdown", server, 50, 500)) {
                assertTrue(load.received() > 0, "packets before it");
                long begun = System.nanoTime();
                server.process().destroy();
                assertTrue(server.process().waitFor(60, TimeUnit.SECONDS), "an end");
                say("shut down after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");
            }
            assertEquals(List.of(), errors(server.logSince(log)));
            String console = Files.readString(server.home().resolve("console.log"));
            assertEquals(
                    List.of(),
                    console.lines().filter(line -> line.startsWith("\tat ")).toList());
        }
    }

    /** Errors of whomever, stack traces, and what our bundles warn of. */
    private static List<String> errors(String log) {
        return LiveServer.complaints(log).stream()
                .filter(line -> !line.contains("| WARN  |") || line.contains("dev.turntable"))
                .toList();
    }

    private static long udpSockets(LiveServer server) throws IOException {
        String pid = String.valueOf(server.process().pid());
        List<String> inodes;
        try (Stream<String> lines = Files.lines(Path.of("/proc", pid, "net/udp"), StandardCharsets.US_ASCII)) {
            inodes = lines.skip(1).map(line -> line.trim().split("\\s+")[9]).toList();
        }
        long open = 0;
        try (Stream<Path> files = Files.list(Path.of("/proc", pid, "fd"))) {
            for (Path file : files.toList()) {
                String target = Files.isSymbolicLink(file)
                        ? Files.readSymbolicLink(file).toString()
                        : "";
                if (target.startsWith("socket:[") && inodes.contains(target.substring(8, target.length() - 1))) {
                    open++;
                }
            }
        }
        return open;
    }

    private static List<String> threads(LiveServer server) throws IOException, InterruptedException {
        return server.jcmd("Thread.print")
                .lines()
                .filter(line -> line.startsWith("\"turntable"))
                .toList();
    }

    private static void awaitAllocation(LiveServer server) throws IOException, InterruptedException {
        server.await("an allocation", Duration.ofSeconds(60), () -> {
            try (TurnClient client = TurnClient.open(server.address(), LiveServer.USER, LiveServer.PASSWORD)) {
                if (!client.isAnswered(Duration.ofMillis(300))) {
                    return false;
                }
                client.allocate(60, false);
                client.refresh(0);
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    @SuppressWarnings("SystemOut")
    private static void say(String text) {
        System.out.println("SWAP " + text);
    }
}
