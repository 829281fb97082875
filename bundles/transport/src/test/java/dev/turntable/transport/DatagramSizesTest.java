package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Fails when the windows of {@link ReceiveMemory} are made 2,048 bytes long. */
@Tag("RFC8656§11.3")
@Tag("RFC8656§12.7")
class DatagramSizesTest {
    private static final int[] SIZES = {1, 1500, 0, 2049, 9000, 160, 65_000, 0, 1, 65_503, 2048, 7};

    static {
        Leaks.detect();
    }

    static Stream<Arguments> ways() {
        return Stream.of("epoll", "nio")
                .flatMap(io -> Stream.of(Rig.IPV4, Rig.IPV6).map(address -> Arguments.of(io, address)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void carriesEachSizeWholeBothWays(String io, InetAddress address) throws IOException {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(address);
                TestClient peer = new TestClient(address)) {
            rig.listener("udp", Rig.PORT, address);
            InetSocketAddress server = Rig.at(address, Rig.PORT);
            InetSocketAddress relayed = Rig.at(address, client.allocate(server, peer.port()));
            for (int size : SIZES) {
                byte[] payload = TestClient.payload(size, size);
                client.sendOnChannel(server, payload);
                assertArrayEquals(payload, peer.receive(), size + " bytes to the peer");
                peer.send(relayed, payload);
                assertArrayEquals(payload, client.receiveOnChannel(), size + " bytes to the client");
            }
            rig.assertNoDropsBut(Map.of());
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void carriesEachSizeWholeInMixedBursts(String io, InetAddress address) throws IOException {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(address);
                TestClient peer = new TestClient(address)) {
            rig.listener("udp", Rig.PORT, address);
            InetSocketAddress server = Rig.at(address, Rig.PORT);
            InetSocketAddress relayed = Rig.at(address, client.allocate(server, peer.port()));
            for (int round = 0; round < 20; round++) {
                // While reading is paused the whole burst gathers in the socket, and comes as one batch then.
                pause(rig, true);
                for (int i = 0; i < SIZES.length; i++) {
                    client.sendOnChannel(server, TestClient.payload(SIZES[i], round + i));
                    peer.send(relayed, TestClient.payload(SIZES[i], round - i));
                }
                pause(rig, false);
                for (int i = 0; i < SIZES.length; i++) {
                    assertArrayEquals(TestClient.payload(SIZES[i], round + i), peer.receive(), "to the peer");
                    assertArrayEquals(
                            TestClient.payload(SIZES[i], round - i), client.receiveOnChannel(), "to the client");
                }
            }
            rig.assertNoDropsBut(Map.of());
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void dropsAndCountsWhatIsTooLongWithItsHeader(String io, InetAddress address) throws IOException {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(address);
                TestClient peer = new TestClient(address)) {
            rig.listener("udp", Rig.PORT, address);
            InetSocketAddress relayed = Rig.at(address, client.allocate(Rig.at(address, Rig.PORT), peer.port()));
            // The JDK sends no more than 65,507 bytes over IPv6 either, where four more are no obstacle.
            int longest = 65_507;
            peer.send(relayed, TestClient.payload(longest, 1));
            peer.send(relayed, TestClient.payload(100, 2));
            if (address.equals(Rig.IPV6)) {
                assertArrayEquals(TestClient.payload(longest, 1), client.receiveOnChannel());
            }
            assertArrayEquals(TestClient.payload(100, 2), client.receiveOnChannel(), "the socket goes on");
            rig.assertNoDropsBut(address.equals(Rig.IPV6) ? Map.of() : Map.of("send-failed", 1L));
        }
    }

    @ParameterizedTest
    @MethodSource("ways")
    void countsWhatIsNeitherStunNorChannelData(String io, InetAddress address) throws IOException {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(address)) {
            rig.listener("udp", Rig.PORT, address);
            InetSocketAddress server = Rig.at(address, Rig.PORT);
            for (int first : List.of(4, 19, 20, 22, 63, 128, 160, 191, 192, 255)) {
                client.send(server, new byte[] {(byte) first, 0, 0, 0});
            }
            client.send(server, new byte[0]);
            assertNull(client.receive(200));
            assertEquals(0, rig.desk.fromClients.get());
            rig.assertNoDropsBut(
                    Map.of("client-datagram-dtls", 3L, "client-datagram-foreign", 7L, "client-datagram-empty", 1L));
        }
    }

    /** Channel numbers from 0x5000 on are those of RFC 5766; whether they count is the engine's decision. */
    @ParameterizedTest
    @MethodSource("ways")
    @Tag("RFC7983§7")
    @Tag("RFC5766§11")
    void handsStunAndAllChannelNumbersToTheEngine(String io, InetAddress address) throws IOException {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(address)) {
            rig.listener("udp", Rig.PORT, address);
            InetSocketAddress server = Rig.at(address, Rig.PORT);
            for (int first : List.of(1, 2, 3, 64, 79, 80, 127)) {
                client.send(server, new byte[] {(byte) first, 0, 0, 0});
            }
            assertNull(client.receive(200));
            assertEquals(7, rig.desk.fromClients.get());
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
}
