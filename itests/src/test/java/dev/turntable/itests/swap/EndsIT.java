package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.benchmarks.load.TurnClient;
import java.io.IOException;
import java.net.DatagramSocket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is left when the server is taken away under load: nothing. */
class EndsIT {
    @Test
    void uninstallingTheFeatureFreesEverythingAndShuttingDownPrintsNoStackTrace() throws Exception {
        try (LiveServer server = LiveServer.own("")) {
            for (String name : List.of("dev.turntable.transport", "dev.turntable.state", "dev.turntable.api")) {
                updatingEndsCalls(server, name);
            }
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
                assertTrue(server.karaf().end(), "an end");
                say("shut down after " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun) + " ms");
            }
            assertEquals(List.of(), errors(server.logSince(log)));
            String console = Files.readString(server.home().resolve("console.log"));
            assertEquals(
                    List.of(),
                    console.lines().filter(line -> line.startsWith("\tat ")).toList());
        }
    }

    /** What the manual says of the bundles that are drained first. */
    private static void updatingEndsCalls(LiveServer server, String name) throws IOException {
        try (TurnClient client = TurnClient.open(server.address(), LiveServer.USER, LiveServer.PASSWORD)) {
            // A refresh goes on after its command has returned: what serves now may go once more.
            server.await("an allocation", Duration.ofSeconds(60), () -> allocates(client));
            long id = server.bundle(name).id();
            server.shell(
                    "bundle:update " + id + " file:" + server.relayVersions().distributed(name));
            // Those who import from it go on with its old classes until then.
            server.shell("bundle:refresh " + id);
            awaitAllocation(server);
            server.await(
                    "no allocation after an update of " + name,
                    Duration.ofSeconds(30),
                    () -> server.allocations() == 0);
        }
    }

    /** Errors of whomever, stack traces, and what our bundles warn of. */
    private static List<String> errors(String log) {
        return LiveServer.complaints(log).stream()
                // Said at each start, rightly: it is a loopback address.
                .filter(line -> !line.contains("is private: peers elsewhere"))
                .filter(line -> !line.contains("| WARN  |") || line.contains("dev.turntable"))
                .toList();
    }

    private static int udpSockets(LiveServer server) throws IOException {
        return UdpSockets.of(server.karaf().pid()).size();
    }

    private static List<String> threads(LiveServer server) throws IOException, InterruptedException {
        return server.jcmd("Thread.print")
                .lines()
                .filter(line -> line.startsWith("\"turntable"))
                .toList();
    }

    private static boolean allocates(TurnClient client) {
        try {
            client.allocate(600, false);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void awaitAllocation(LiveServer server) {
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
