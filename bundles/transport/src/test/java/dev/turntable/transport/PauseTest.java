package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.state.SocketOpening;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fails when {@link UdpSocket#updateReading()} does not regard the pause. */
class PauseTest {
    static {
        Leaks.detect();
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void deliversNothingWhilePausedAndLosesNothing(String io) throws Exception {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(Rig.IPV4);
                TestClient peer = new TestClient(Rig.IPV4)) {
            rig.listener("udp", Rig.PORT, Rig.IPV4);
            InetSocketAddress server = Rig.at(Rig.IPV4, Rig.PORT);
            InetSocketAddress relayed = Rig.at(Rig.IPV4, client.allocate(server, peer.port()));
            long allocating = rig.desk.fromClients.get();
            AtomicBoolean sending = new AtomicBoolean(true);
            AtomicLong sent = new AtomicLong();
            Thread traffic = new Thread(() -> {
                try {
                    while (sending.get()) {
                        client.sendOnChannel(server, new byte[160]);
                        peer.send(relayed, new byte[160]);
                        sent.incrementAndGet();
                        Thread.sleep(0, 100_000);
                    }
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            traffic.start();
            NettyLoop loop = rig.loops.all().get(0);
            for (int round = 0; round < 40; round++) {
                Thread.sleep(5);
                long[] then = loop.call(() -> {
                    loop.pauseReading();
                    return counts(rig);
                });
                long sentThen = sent.get();
                for (int i = 0; i < 400 && sent.get() < sentThen + 5; i++) {
                    Thread.sleep(5);
                }
                long[] now = loop.call(() -> counts(rig));
                assertEquals(then[0], now[0], "from clients while paused");
                assertEquals(then[1], now[1], "from peers while paused");
                assertTrue(sent.get() >= sentThen + 5, "there was traffic while paused");
                loop.call(() -> {
                    loop.resumeReading();
                    return null;
                });
            }
            sending.set(false);
            traffic.join();
            for (int i = 0; i < 100 && rig.desk.fromPeers.get() < sent.get(); i++) {
                Thread.sleep(20);
            }
            assertEquals(sent.get(), rig.desk.fromClients.get() - allocating, "from clients in all");
            assertEquals(sent.get(), rig.desk.fromPeers.get(), "from peers in all");
            rig.assertNoDropsBut(Map.of());
        }
    }

    private static long[] counts(Rig rig) {
        return new long[] {rig.desk.fromClients.get(), rig.desk.fromPeers.get()};
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void doesNotReadASocketThatWasOpenedWhilePaused(String io) throws Exception {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(Rig.IPV4)) {
            NettyLoop loop = rig.loops.all().get(0);
            loop.call(() -> {
                loop.pauseReading();
                return null;
            });
            rig.listener("udp", Rig.PORT, Rig.IPV4);
            InetSocketAddress relayed = Rig.at(Rig.IPV4, Rig.RELAYED_PORTS);
            loop.call(() -> (SocketOpening.Opened) loop.openRelayedSocket(relayed, null));
            rig.desk.thrown = new IllegalStateException("counted, as this packet has no allocation");
            client.send(Rig.at(Rig.IPV4, Rig.PORT), new byte[4]);
            client.send(relayed, new byte[4]);
            Thread.sleep(100);
            assertEquals(0, rig.desk.fromClients.get() + rig.desk.fromPeers.get());
            loop.call(() -> {
                loop.resumeReading();
                return null;
            });
            for (int i = 0; i < 100 && rig.desk.fromClients.get() + rig.desk.fromPeers.get() < 2; i++) {
                Thread.sleep(20);
            }
            assertEquals(1, rig.desk.fromClients.get());
            assertEquals(1, rig.desk.fromPeers.get());
            // Both calls of the engine threw, and the loop went on.
            assertEquals(2, rig.drops("engine-failure"));
        }
    }
}
