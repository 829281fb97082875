package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.state.Packet;
import dev.turntable.state.SocketOpening;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketLifeTest {
    static {
        Leaks.detect();
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void freesThePortOfARelayedSocketAtOnce(String io) throws Exception {
        try (Rig rig = new Rig(io, 1)) {
            NettyLoop loop = rig.loops.all().get(0);
            for (InetAddress address : List.of(Rig.IPV4, Rig.IPV6)) {
                InetSocketAddress relayed = Rig.at(address, Rig.RELAYED_PORTS);
                for (int i = 0; i < 50; i++) {
                    loop.call(() -> {
                        SocketOpening opening = loop.openRelayedSocket(relayed, null);
                        SocketOpening.Opened opened = assertInstanceOf(SocketOpening.Opened.class, opening);
                        assertInstanceOf(SocketOpening.PortInUse.class, loop.openRelayedSocket(relayed, null));
                        assertEquals(relayed, opened.socket().localAddress());
                        opened.socket().close();
                        opened.socket().close();
                        PortProbe.probe(relayed);
                        return null;
                    });
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void saysWhyARelayedSocketCannotBeOpened(String io) throws Exception {
        try (Rig rig = new Rig(io, 1)) {
            NettyLoop loop = rig.loops.all().get(0);
            InetSocketAddress strange = Rig.at(Rig.address("203.0.113.7"), Rig.RELAYED_PORTS);
            SocketOpening opening = loop.call(() -> loop.openRelayedSocket(strange, null));
            assertTrue(assertInstanceOf(SocketOpening.Failed.class, opening).reason() != null);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void leavesNeitherThreadNorSocketWhenItStopsUnderTraffic(String io) throws Exception {
        for (int round = 0; round < 15; round++) {
            try (TestClient client = new TestClient(Rig.IPV4);
                    TestClient peer = new TestClient(Rig.IPV4)) {
                InetSocketAddress server = Rig.at(Rig.IPV4, Rig.PORT);
                try (Rig rig = new Rig(io, 2)) {
                    rig.listener("udp", Rig.PORT, Rig.IPV4, Rig.IPV6);
                    InetSocketAddress relayed = Rig.at(Rig.IPV4, client.allocate(server, peer.port()));
                    for (int i = 0; i < 200; i++) {
                        client.sendOnChannel(server, new byte[160]);
                        peer.send(relayed, new byte[160]);
                    }
                }
                PortProbe.probe(server);
                PortProbe.probe(Rig.at(Rig.IPV6, Rig.PORT));
            }
        }
    }

    @Test
    void opensTheSharedSocketsOfEachWorker() throws Exception {
        try (Rig rig = new Rig(Rig.configuration("epoll", 2, true))) {
            for (int port = Rig.RELAYED_PORTS + 42; port < Rig.RELAYED_PORTS + 50; port++) {
                InetSocketAddress shared = Rig.at(port % 2 == 0 ? Rig.IPV4 : Rig.IPV6, port);
                org.junit.jupiter.api.Assertions.assertThrows(IOException.class, () -> PortProbe.probe(shared));
            }
            for (NettyLoop loop : rig.loops.all()) {
                assertTrue(loop.call(() -> loop.worker().sharedPeers().leastLoaded(false)) != null);
                assertTrue(loop.call(() -> loop.worker().sharedPeers().leastLoaded(true)) != null);
            }
        }
    }

    /** Fails when {@link NettyLoop#touch} flushes each time. */
    @Test
    void sendsWhatABatchBroughtAtItsEnd() throws Exception {
        try (Rig rig = new Rig("epoll", 1);
                TestClient client = new TestClient(Rig.IPV4);
                TestClient peer = new TestClient(Rig.IPV4)) {
            rig.listener("udp", Rig.PORT, Rig.IPV4);
            InetSocketAddress server = Rig.at(Rig.IPV4, Rig.PORT);
            client.allocate(server, peer.port());
            AtomicInteger arrived = new AtomicInteger();
            AtomicInteger sent = new AtomicInteger();
            AtomicInteger mostWaiting = new AtomicInteger();
            rig.desk.afterSend = () -> {
                // The loopback delivers within the system call that sends.
                try {
                    while (peer.receive(1) != null) {
                        arrived.incrementAndGet();
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                mostWaiting.accumulateAndGet(sent.incrementAndGet() - arrived.get(), Math::max);
            };
            NettyLoop loop = rig.loops.all().get(0);
            loop.call(() -> {
                loop.pauseReading();
                return null;
            });
            for (int i = 0; i < 60; i++) {
                client.sendOnChannel(server, new byte[160]);
            }
            loop.call(() -> {
                loop.resumeReading();
                return null;
            });
            for (int i = 0; i < 250 && sent.get() < 60; i++) {
                Thread.sleep(20);
            }
            assertEquals(60, sent.get());
            assertTrue(mostWaiting.get() >= 16, "waited for the end of the batch: " + mostWaiting);
            while (arrived.get() < 60) {
                assertTrue(peer.receive(5000) != null);
                arrived.incrementAndGet();
            }
        }
    }

    @ParameterizedTest
    @Tag("RFC8656§11.5")
    @ValueSource(strings = {"epoll", "nio"})
    void goesOnAfterAPeerThatIsNotThere(String io) throws Exception {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(Rig.IPV4)) {
            rig.listener("udp", Rig.PORT, Rig.IPV4);
            InetSocketAddress server = Rig.at(Rig.IPV4, Rig.PORT);
            TestClient peer = new TestClient(Rig.IPV4);
            int peerPort = peer.port();
            peer.close();
            InetSocketAddress relayed = Rig.at(Rig.IPV4, client.allocate(server, peerPort));
            for (int i = 0; i < 20; i++) {
                client.sendOnChannel(server, new byte[160]);
            }
            assertNull(client.receive(200));
            client.send(relayed, TestClient.payload(50, 1));
            assertArrayEquals(TestClient.payload(50, 1), client.receiveOnChannel());
            rig.assertNoDropsBut(Map.of());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void countsWhatTheKernelRefusesAndGoesOn(String io) throws Exception {
        try (Rig rig = new Rig(io, 1);
                TestClient peer = new TestClient(Rig.IPV4)) {
            NettyLoop loop = rig.loops.all().get(0);
            Packet packet = new CopiedPacket(new byte[100]);
            SocketOpening.Opened opened = loop.call(
                    () -> (SocketOpening.Opened) loop.openRelayedSocket(Rig.at(Rig.IPV4, Rig.RELAYED_PORTS), null));
            long here = 0xffff_7f00_0001L;
            loop.call(() -> {
                opened.socket().send(0, here, peer.port(), packet, 0, 10);
                opened.socket().send(0, here, 0, packet, 0, 20);
                opened.socket().send(0, here, peer.port(), packet, 0, 30);
                return null;
            });
            assertEquals(10, peer.receive().length);
            assertEquals(30, peer.receive().length);
            rig.assertNoDropsBut(Map.of("send-failed", 1L));
        }
    }

    /** As state gives one to the engine for a request that waited. */
    private record CopiedPacket(byte[] bytes) implements Packet {
        @Override
        public int length() {
            return bytes.length;
        }

        @Override
        public int getInt(int offset) {
            return memory().getInt(offset);
        }

        @Override
        public ByteBuffer memory() {
            return ByteBuffer.wrap(bytes);
        }

        @Override
        public int start() {
            return 0;
        }
    }
}
