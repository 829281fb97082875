package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.netty.util.ResourceLeakDetector;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the worker's thread allocates for a datagram that it relays, once warm: Netty's objects for a datagram read (its addresses and
 * envelope) and one sent. An object of ours per packet would be seen.
 */
class AllocatedBytesTest {
    private static final int BURST = 32;
    /** More than any budget: a copy on the heap would exceed it. */
    private static final int PAYLOAD = 1200;

    /** The detector's own objects would be counted. */
    @BeforeEach
    void withoutLeakDetection() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
    }

    @AfterEach
    void withLeakDetection() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    static Stream<Arguments> ways() {
        return Stream.of(
                Arguments.of("epoll", Rig.IPV4, 260),
                Arguments.of("epoll", Rig.IPV6, 400),
                Arguments.of("nio", Rig.IPV4, 400));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void staysWithinItsBudget(String io, InetAddress address, int budgetBytes) throws Exception {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(address);
                TestClient peer = new TestClient(address)) {
            rig.listener("udp", Rig.PORT, address);
            InetSocketAddress server = Rig.at(address, Rig.PORT);
            InetSocketAddress relayed = Rig.at(address, client.allocate(server, peer.port()));
            long worker = rig.desk.thread.getId();
            ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

            toPeer(client, server, peer, 600);
            long start = threads.getThreadAllocatedBytes(worker);
            toPeer(client, server, peer, 300);
            long perPacketToPeer = (threads.getThreadAllocatedBytes(worker) - start) / (300 * BURST);

            toClient(peer, relayed, client, 600);
            start = threads.getThreadAllocatedBytes(worker);
            toClient(peer, relayed, client, 300);
            long perPacketToClient = (threads.getThreadAllocatedBytes(worker) - start) / (300 * BURST);

            String measured = io + " " + address.getHostAddress() + ": " + perPacketToPeer
                    + " bytes a packet to a peer, " + perPacketToClient + " to a client";
            System.out.println(measured);
            assertTrue(Math.max(perPacketToPeer, perPacketToClient) <= budgetBytes, measured);
        }
    }

    private static void toPeer(TestClient client, InetSocketAddress server, TestClient peer, int bursts)
            throws IOException {
        byte[] payload = new byte[PAYLOAD];
        for (int burst = 0; burst < bursts; burst++) {
            for (int i = 0; i < BURST; i++) {
                client.sendOnChannel(server, payload);
            }
            for (int i = 0; i < BURST; i++) {
                assertTrue(peer.receive() != null);
            }
        }
    }

    private static void toClient(TestClient peer, InetSocketAddress relayed, TestClient client, int bursts)
            throws IOException {
        byte[] payload = new byte[PAYLOAD];
        for (int burst = 0; burst < bursts; burst++) {
            for (int i = 0; i < BURST; i++) {
                peer.send(relayed, payload);
            }
            for (int i = 0; i < BURST; i++) {
                assertTrue(client.receive() != null);
            }
        }
    }
}
