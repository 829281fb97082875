package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.state.ManagedServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Datagrams that come or leave as one message. Fails when {@link ReceiveMemory} takes each datagram for one with room around it (their
 * neighbours are overwritten), and when {@link SegmentRuns} joins what differs in size.
 */
@Tag("RFC8656§11.3")
@Tag("RFC8656§12.7")
class SegmentsTest {
    static {
        Leaks.detect();
    }

    static Stream<Arguments> ways() {
        return Stream.of("epoll", "epoll-unsegmented", "nio")
                .flatMap(io -> Stream.of(Rig.IPV4, Rig.IPV6).map(address -> Arguments.of(io, address)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void takesApartWhatAPeerSentAsOneMessage(String io, InetAddress address) throws IOException {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(address);
                SegmentSender peer = new SegmentSender(address)) {
            rig.listener("udp", Rig.PORT, address);
            InetSocketAddress relayed = Rig.at(address, client.allocate(Rig.at(address, Rig.PORT), peer.port()));
            int expected = 0;
            for (Run run : RUNS) {
                peer.send(relayed, run.bytes(), run.size);
                for (int i = 0; i < run.count(); i++) {
                    assertArrayEquals(run.payload(i), client.receiveOnChannel(), run + ", datagram " + i);
                }
                expected += run.count() > 1 ? run.count() : 0;
            }
            rig.assertNoDropsBut(Map.of());
            if (io.equals("epoll")) {
                assertEquals(expected, counter(rig, "udp.reads.segments"));
                assertTrue(counter(rig, "udp.writes.segments") > 0, "none left as one message");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void takesApartWhatAClientSentAsOneMessage(String io, InetAddress address) throws IOException {
        try (Rig rig = new Rig(io, 1);
                SegmentSender client = new SegmentSender(address);
                TestClient control = new TestClient(address);
                TestClient peer = new TestClient(address)) {
            rig.listener("udp", Rig.PORT, address);
            InetSocketAddress server = Rig.at(address, Rig.PORT);
            byte[] allocate = {0, 0, (byte) (peer.port() >> 8), (byte) peer.port()};
            client.send(server, allocate, allocate.length);
            for (Run run : RUNS) {
                client.send(server, run.onChannel(), run.size + 4);
                for (int i = 0; i < run.count(); i++) {
                    assertArrayEquals(run.payload(i), peer.receive(), run + ", datagram " + i);
                }
            }
            rig.assertNoDropsBut(Map.of());
            assertEquals(io.equals("epoll"), counter(rig, "udp.writes.segments") > 0, "left as one message");
            assertNull(control.receive(1));
        }
    }

    /** Each of another seed, so that one in the place of another would be seen. */
    @ParameterizedTest
    @MethodSource("ways")
    void keepsTheOrderOfWhatDiffersInSize(String io, InetAddress address) throws IOException {
        int[] sizes = {160, 160, 160, 40, 160, 0, 160, 160, 161, 161, 9000, 9000, 160, 1, 1, 1, 0, 0, 2};
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(address);
                TestClient peer = new TestClient(address)) {
            rig.listener("udp", Rig.PORT, address);
            InetSocketAddress server = Rig.at(address, Rig.PORT);
            InetSocketAddress relayed = Rig.at(address, client.allocate(server, peer.port()));
            for (int round = 0; round < 10; round++) {
                pause(rig, true);
                for (int i = 0; i < sizes.length; i++) {
                    client.sendOnChannel(server, TestClient.payload(sizes[i], round + i));
                    peer.send(relayed, TestClient.payload(sizes[i], round - i));
                }
                pause(rig, false);
                for (int i = 0; i < sizes.length; i++) {
                    assertArrayEquals(TestClient.payload(sizes[i], round + i), peer.receive(), "to the peer");
                    assertArrayEquals(
                            TestClient.payload(sizes[i], round - i), client.receiveOnChannel(), "to the client");
                }
            }
            rig.assertNoDropsBut(Map.of());
        }
    }

    private static void pause(Rig rig, boolean paused) throws IOException {
        NettyLoop loop = rig.loops.all().get(0);
        loop.call(() -> {
            if (paused) {
                loop.pauseReading();
            } else {
                loop.resumeReading();
            }
            return null;
        });
    }

    private static long counter(Rig rig, String name) {
        return new ManagedServer(rig.server).counters().get(name);
    }

    /** Datagrams of one size, and a last one of another. */
    record Run(int full, int size, int last) {
        int count() {
            return full + (last > 0 ? 1 : 0);
        }

        byte[] payload(int i) {
            return TestClient.payload(i < full ? size : last, full * 7 + i);
        }

        byte[] bytes() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int i = 0; i < count(); i++) {
                bytes.writeBytes(payload(i));
            }
            return bytes.toByteArray();
        }

        byte[] onChannel() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int i = 0; i < count(); i++) {
                byte[] payload = payload(i);
                bytes.writeBytes(ByteBuffer.allocate(4)
                        .putShort((short) EchoDesk.CHANNEL)
                        .putShort((short) payload.length)
                        .array());
                bytes.writeBytes(payload);
            }
            return bytes.toByteArray();
        }
    }

    static final List<Run> RUNS = List.of(
            new Run(8, 1200, 0),
            new Run(1, 1200, 0),
            new Run(10, 1000, 500),
            new Run(64, 160, 0),
            new Run(40, 1, 0),
            new Run(63, 1000, 1),
            new Run(7, 9000, 1),
            new Run(2, 32_000, 0),
            new Run(1, 65_000, 0),
            new Run(5, 2049, 2048),
            new Run(44, 1472, 16));
}
