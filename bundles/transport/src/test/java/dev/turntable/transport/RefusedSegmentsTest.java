package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.turntable.state.ManagedServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Where a datagram is longer than the way to its destination takes without fragments, Linux refuses several of them as one message; one by
 * one it fragments them. It runs in a process and a network of its own, whose loopback takes 1,500 bytes, and is skipped where none can
 * be made. Fails when {@link UdpSocket} forgets what was refused.
 */
class RefusedSegmentsTest {
    private static final String NETWORK = "ip link set lo mtu 1500 up";

    @Test
    void sendsOneByOneWhatTheKernelDoesNotTakeTogether() throws Exception {
        assumeTrue(run(List.of("unshare", "-rn", "sh", "-c", NETWORK)) == 0, "no network of its own can be made here");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command = NETWORK + " && exec " + java + " -cp '" + System.getProperty("java.class.path") + "' "
                + RefusedSegmentsTest.class.getName();
        assertEquals(0, run(List.of("unshare", "-rn", "sh", "-c", command)), "see the output of the process");
    }

    private static int run(List<String> command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            if (process.waitFor(60, TimeUnit.SECONDS)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            return -1;
        } catch (IOException e) {
            return -1;
        }
    }

    /** In the network of its own. */
    public static void main(String... arguments) {
        Leaks.detect();
        try (Rig rig = new Rig("epoll", 1);
                TestClient client = new TestClient(Rig.IPV4);
                TestClient peer = new TestClient(Rig.IPV4)) {
            rig.listener("udp", Rig.PORT, Rig.IPV4);
            InetSocketAddress server = Rig.at(Rig.IPV4, Rig.PORT);
            InetSocketAddress relayed = Rig.at(Rig.IPV4, client.allocate(server, peer.port()));
            burst(rig, client, server, peer, relayed, 2_000);
            check(segments(rig) > 0, "joined at first");
            long before = segments(rig);
            burst(rig, client, server, peer, relayed, 2_000);
            check(segments(rig) == before, "not joined again");
            burst(rig, client, server, peer, relayed, 1_000);
            check(segments(rig) > before, "short ones are joined");
            rig.assertNoDropsBut(Map.of());
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    /** Eight each way, in one batch. */
    private static void burst(
            Rig rig, TestClient client, InetSocketAddress server, TestClient peer, InetSocketAddress relayed, int size)
            throws IOException {
        NettyLoop loop = rig.loops.all().get(0);
        loop.execute(loop::pauseReading);
        for (int i = 0; i < 8; i++) {
            client.sendOnChannel(server, TestClient.payload(size, i));
            peer.send(relayed, TestClient.payload(size, -i));
        }
        loop.execute(loop::resumeReading);
        for (int i = 0; i < 8; i++) {
            if (!Arrays.equals(TestClient.payload(size, i), peer.receive())) {
                throw new AssertionError(size + " bytes to the peer, " + i);
            }
            if (!Arrays.equals(TestClient.payload(size, -i), client.receiveOnChannel())) {
                throw new AssertionError(size + " bytes to the client, " + i);
            }
        }
    }

    private static long segments(Rig rig) {
        return new ManagedServer(rig.server).counters().get("udp.writes.segments");
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new AssertionError(what);
        }
    }
}
