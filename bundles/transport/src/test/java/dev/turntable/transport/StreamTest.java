package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ListenerInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamTest {
    private static final InetSocketAddress SERVER = Rig.at(Rig.IPV4, Rig.PORT);

    static {
        Leaks.detect();
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        for (int i = 0; i < 250 && !condition.call(); i++) {
            Thread.sleep(20);
        }
        assertTrue(condition.call(), what);
    }

    private static StreamLimits limits(int all, int perSource, int idleSeconds) {
        return new StreamLimits(all, perSource, idleSeconds, 131_072, FrameCutter.LONGEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    @Tag("RFC8656§12.5")
    void relaysBothWaysOverIpv4AndIpv6(String io) throws Exception {
        try (Rig rig = new Rig(io, 2)) {
            StreamListener listener = rig.streamListener("tcp", Rig.PORT, StreamLimits.DEFAULTS, Rig.IPV4, Rig.IPV6);
            assertEquals(
                    ListenerInfo.State.LISTENING,
                    listener.info().state(),
                    listener.info().problem());
            assertEquals("tcp", listener.info().protocols());
            for (var address : List.of(Rig.IPV4, Rig.IPV6)) {
                try (StreamClient client = new StreamClient(Rig.at(address, Rig.PORT));
                        TestClient peer = new TestClient(address)) {
                    InetSocketAddress relayed = Rig.at(address, client.allocate(peer.port()));
                    for (int length : new int[] {0, 1, 2, 3, 4, 160, 1200, 60_000}) {
                        byte[] payload = TestClient.payload(length, 1);
                        client.send(StreamClient.channelData(payload));
                        assertArrayEquals(payload, peer.receive());
                        peer.send(relayed, payload);
                        assertArrayEquals(payload, client.receiveOnChannel());
                    }
                }
            }
            await("ended with its connection", () -> rig.allocations() == 0 && rig.connections() == 0);
            assertEquals(0, listener.connections().all());
            assertEquals(18, listener.info().clientPackets());
            rig.assertNoDropsBut(Map.of());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    @Tag("RFC8489§6.2.2")
    void handlesEachFrameOnceAndInOrderHoweverTheStreamIsCut(String io) throws Exception {
        try (Rig rig = new Rig(io, 1);
                TestClient peer = new TestClient(Rig.IPV4)) {
            rig.streamListener("tcp", Rig.PORT, StreamLimits.DEFAULTS, Rig.IPV4);
            ByteArrayOutputStream exchange = new ByteArrayOutputStream();
            exchange.writeBytes(StreamClient.allocateMessage(peer.port()));
            for (int i = 0; i < 40; i++) {
                exchange.writeBytes(StreamClient.channelData(TestClient.payload(3 * i, i)));
            }
            byte[] bytes = exchange.toByteArray();
            for (int way = 0; way < 3; way++) {
                try (StreamClient client = new StreamClient(SERVER)) {
                    if (way == 0) {
                        client.send(bytes);
                    } else if (way == 1) {
                        client.trickle(bytes);
                    } else {
                        Random random = new Random(7);
                        for (int at = 0; at < bytes.length; ) {
                            int length = Math.min(bytes.length - at, 1 + random.nextInt(200));
                            client.send(java.util.Arrays.copyOfRange(bytes, at, at + length));
                            at += length;
                        }
                    }
                    client.readAnswer();
                    for (int i = 0; i < 40; i++) {
                        assertArrayEquals(TestClient.payload(3 * i, i), peer.receive(), "way " + way);
                    }
                }
            }
            rig.assertNoDropsBut(Map.of());
        }
    }

    @Test
    @Tag("RFC8489§6.2.2")
    void waitsForTheRestOfAHeader() throws Exception {
        try (Rig rig = new Rig("epoll", 1);
                StreamClient client = open(rig)) {
            byte[] message = StreamClient.allocateMessage(9);
            client.send(java.util.Arrays.copyOf(message, 7));
            Thread.sleep(300);
            assertEquals(1, rig.connections());
            client.send(java.util.Arrays.copyOfRange(message, 7, message.length));
            client.readAnswer();
        }
    }

    private static StreamClient open(Rig rig) throws IOException {
        rig.streamListener("tcp", Rig.PORT, StreamLimits.DEFAULTS, Rig.IPV4);
        return new StreamClient(SERVER);
    }

    @Test
    @Tag("RFC8656§12.5")
    void takesNothingInsideTheLongestChannelDataForAMessage() throws Exception {
        try (Rig rig = new Rig("epoll", 1);
                StreamClient client = open(rig)) {
            client.allocate(9);
            for (int length : new int[] {0xfffd, 0xfffe, 0xffff}) {
                byte[] payload = new byte[length];
                // A message that deletes and makes the allocation anew, were it believed.
                byte[] forged = StreamClient.allocateMessage(10);
                System.arraycopy(forged, 0, payload, 0, forged.length);
                long before = rig.desk.fromClients.get();
                client.send(StreamClient.channelData(payload));
                client.allocate(9);
                assertEquals(before + 2, rig.desk.fromClients.get());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void closesWhatIsNotStunAndEchoesNothing(String io) throws Exception {
        try (Rig rig = new Rig(io, 1)) {
            rig.streamListener("tcp", Rig.PORT, StreamLimits.DEFAULTS, Rig.IPV4);
            List<byte[]> foreign = new ArrayList<>();
            for (String text : List.of(
                    "GET /?key HTTP/1.1\r\n\r\n",
                    "POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\n",
                    "GET / HTTP/1.1\r\nX: " + "y".repeat(70_000) + "\r\n\r\n",
                    "SSH-2.0-OpenSSH_9.2\r\n",
                    "OPTIONS rtsp://h/ RTSP/1.0\r\n\r\n",
                    "PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n",
                    "\u0016\u0003\u0001\u0002\u0000")) {
                foreign.add(text.getBytes(StandardCharsets.ISO_8859_1));
            }
            foreign.add(new byte[64 * 1024]);
            foreign.add(StreamClient.channelData(new byte[10]));
            // A frame that no request is as long as.
            foreign.add(ByteBuffer.allocate(8)
                    .putInt(0x0003_f000)
                    .putInt(0x2112_a442)
                    .array());
            Random random = new Random(3);
            for (int i = 0; i < 20; i++) {
                byte[] bytes = new byte[5000];
                random.nextBytes(bytes);
                foreign.add(bytes);
            }
            for (byte[] bytes : foreign) {
                try (StreamClient client = new StreamClient(SERVER)) {
                    try {
                        client.send(bytes);
                    } catch (IOException e) {
                        // Closed before all was sent.
                    }
                    assertArrayEquals(
                            new byte[0], client.readToEnd(5000), new String(bytes, 0, 4, StandardCharsets.ISO_8859_1));
                }
            }
            assertEquals(0, rig.desk.fromClients.get());
            assertEquals(
                    foreign.size(),
                    rig.drops("stream-foreign")
                            + rig.drops("stream-channel-unallocated")
                            + rig.drops("stream-frame-too-long"));
            assertEquals(0, rig.connections());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    @Tag("RFC8656§5")
    void freesAllocationAndPortAtOnceWhenTheClientHasLeft(String io) throws Exception {
        try (Rig rig = new Rig(io, 1)) {
            rig.streamListener("tcp", Rig.PORT, StreamLimits.DEFAULTS, Rig.IPV4);
            for (String way : List.of("FIN", "RST", "half-close")) {
                StreamClient client = new StreamClient(SERVER);
                int port = client.allocate(9);
                switch (way) {
                    case "FIN" -> client.close();
                    case "RST" -> client.reset();
                    default -> client.socket.shutdownOutput();
                }
                await(way, () -> rig.allocations() == 0 && rig.connections() == 0);
                PortProbe.probe(Rig.at(Rig.IPV4, port));
                client.close();
            }
        }
    }

    @Test
    @Tag("RFC8656§5")
    void answersWhatCameBeforeTheClientSaidThatItHasSentAll() throws Exception {
        try (Rig rig = new Rig("epoll", 1);
                StreamClient client = open(rig)) {
            client.send(StreamClient.allocateMessage(9));
            client.socket.shutdownOutput();
            client.readAnswer();
            assertArrayEquals(new byte[0], client.readToEnd(5000));
        }
    }

    @Test
    void endsAConnectionWithoutAnAllocationHoweverItTrickles() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            rig.streamListener("tcp", Rig.PORT, limits(10, 10, 1), Rig.IPV4);
            try (StreamClient allocated = new StreamClient(SERVER);
                    StreamClient idle = new StreamClient(SERVER);
                    StreamClient trickling = new StreamClient(SERVER)) {
                allocated.allocate(9);
                byte[] message = StreamClient.allocateMessage(9);
                long start = System.nanoTime();
                int sent = 0;
                try {
                    for (; sent < 20; sent++) {
                        trickling.send(new byte[] {message[sent]});
                        Thread.sleep(300);
                    }
                } catch (IOException e) {
                    // Closed meanwhile.
                }
                assertTrue(System.nanoTime() - start < 5_000_000_000L && sent < 20, "ended after " + sent);
                assertArrayEquals(new byte[0], idle.readToEnd(3000));
                assertEquals(1, rig.allocations());
                assertEquals(1, rig.connections());
                assertEquals(2, rig.drops("stream-idle"));
                // Its own allocation ends, and then its time runs.
                rig.loops.all().get(0).call(() -> {
                    var worker = rig.server.worker(0);
                    worker.delete(worker.allocations().allocationAt(0), dev.turntable.state.ReapReason.EXPIRED);
                    return null;
                });
                assertArrayEquals(new byte[0], allocated.readToEnd(5000));
            }
        }
    }

    /** A request may wait for a slow credential source for longer than its client does. */
    @Test
    @Tag("RFC8656§5")
    void endsAnAllocationThatIsMadeWhenItsClientHasGone() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            rig.streamListener("tcp", Rig.PORT, StreamLimits.DEFAULTS, Rig.IPV4);
            try (StreamClient client = new StreamClient(SERVER)) {
                client.allocate(9);
            }
            await("gone", () -> rig.connections() == 0 && rig.allocations() == 0);
            NettyLoop loop = rig.loops.all().get(0);
            int made = loop.call(() -> {
                rig.desk.allocate(rig.server.worker(0), rig.desk.lastPath, 9);
                return rig.server.worker(0).allocations().size();
            });
            assertEquals(1, made);
            await("ended", () -> rig.allocations() == 0);
        }
    }

    @Test
    void staysConnectedForAnotherAllocation() throws Exception {
        try (Rig rig = new Rig("epoll", 1);
                StreamClient client = open(rig)) {
            client.allocate(9);
            // The desk deletes the first one before it answers.
            client.allocate(10);
            assertEquals(1, rig.allocations());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    @Tag("RFC8656§5")
    void dropsWholeDatagramsForAClientThatDoesNotReadAndFlowsAgainWhenItDoes(String io) throws Exception {
        try (Rig rig = new Rig(io, 1);
                TestClient peer = new TestClient(Rig.IPV4)) {
            rig.streamListener("tcp", Rig.PORT, limits(10, 10, 60), Rig.IPV4);
            try (StreamClient slow = new StreamClient(SERVER, 8_192);
                    StreamClient other = new StreamClient(SERVER)) {
                InetSocketAddress relayed = Rig.at(Rig.IPV4, slow.allocate(peer.port()));
                InetSocketAddress ofOther = Rig.at(Rig.IPV4, other.allocate(peer.port()));
                int sent = 0;
                while (rig.drops("stream-queue-full") < 2000) {
                    peer.send(relayed, TestClient.payload(1201, sent++));
                    if (sent % 50 == 0) {
                        Thread.sleep(1);
                    }
                    assertTrue(sent < 200_000, "nothing was dropped");
                }
                peer.send(ofOther, TestClient.payload(100, 5));
                assertArrayEquals(TestClient.payload(100, 5), other.receiveOnChannel());
                // It may still speak.
                slow.send(StreamClient.channelData(TestClient.payload(50, 6)));
                assertArrayEquals(TestClient.payload(50, 6), peer.receive());
                // It reads, and finds whole datagrams, until it has caught up and what is sent now comes through.
                byte[] last = TestClient.payload(1201, -1);
                byte[] got;
                int received = 0;
                do {
                    if (slow.socket.getInputStream().available() == 0) {
                        peer.send(relayed, last);
                    }
                    got = slow.receiveOnChannel();
                    assertEquals(1201, got.length);
                } while (!java.util.Arrays.equals(last, got) && received++ < sent);
                assertTrue(received > 20, "what waited came: " + received);
                assertArrayEquals(last, got);
            }
        }
    }

    @Test
    void doesNotHearAClientThatLeavesItsAnswersUnread() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            rig.streamListener("tcp", Rig.PORT, limits(10, 10, 60), Rig.IPV4);
            try (StreamClient client = new StreamClient(SERVER, 4_096)) {
                client.allocate(9);
                rig.desk.answersBytes = 2_000;
                byte[] requests = new byte[100 * 24];
                byte[] request = StreamClient.allocateMessage(9);
                for (int i = 0; i < 100; i++) {
                    System.arraycopy(request, 0, requests, i * request.length, request.length);
                }
                Thread writer = new Thread(() -> {
                    try {
                        for (int i = 0; i < 400; i++) {
                            client.send(requests);
                        }
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
                writer.start();
                long before;
                do {
                    before = rig.desk.fromClients.get();
                    Thread.sleep(500);
                } while (rig.desk.fromClients.get() != before);
                assertTrue(before < 40_001, "all were heard");
                assertEquals(0, rig.drops("stream-queue-full"), "answers dropped");
                // It reads, and all are answered.
                byte[] answers = client.socket.getInputStream().readNBytes(40_000 * 2_000);
                assertEquals(80_000_000, answers.length);
                writer.join();
                assertEquals(40_001, rig.desk.fromClients.get());
            }
        }
    }

    @Test
    void keepsToTheLimitsOfConnections() throws Exception {
        try (Rig rig = new Rig("epoll", 2)) {
            StreamListener listener = rig.streamListener("tcp", Rig.PORT, limits(5, 3, 60), Rig.IPV4, Rig.IPV6);
            List<StreamClient> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(new StreamClient(SERVER));
                clients.get(i).allocate(9);
            }
            try (StreamClient refused = new StreamClient(SERVER)) {
                assertArrayEquals(new byte[0], refused.readToEnd(5000));
            }
            // Another source, up to the limit of all.
            for (int i = 3; i < 5; i++) {
                clients.add(new StreamClient(Rig.at(Rig.IPV6, Rig.PORT)));
                clients.get(i).allocate(9);
            }
            try (StreamClient refused = new StreamClient(Rig.at(Rig.IPV6, Rig.PORT))) {
                assertArrayEquals(new byte[0], refused.readToEnd(5000));
            }
            await("counted", () -> rig.drops("stream-connections-capped") == 2);
            clients.get(0).close();
            await("freed", () -> listener.connections().all() == 4);
            try (StreamClient next = new StreamClient(SERVER)) {
                next.allocate(9);
            }
            for (StreamClient client : clients) {
                client.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void judgesNothingWhilePausedAndLosesNothing(String io) throws Exception {
        try (Rig rig = new Rig(io, 1);
                TestClient peer = new TestClient(Rig.IPV4);
                StreamClient client = open(rig, io)) {
            client.allocate(peer.port());
            NettyLoop loop = rig.loops.all().get(0);
            int sent = 0;
            for (int round = 0; round < 20; round++) {
                long then = loop.call(() -> {
                    loop.pauseReading();
                    return rig.desk.fromClients.get();
                });
                for (int i = 0; i < 10; i++) {
                    client.send(StreamClient.channelData(TestClient.payload(100, sent + i)));
                }
                try (StreamClient late = new StreamClient(SERVER)) {
                    late.send(StreamClient.allocateMessage(9));
                    if (round == 19) {
                        // All of it, and its end: read by then or not, it is judged before its end is.
                        client.socket.shutdownOutput();
                    }
                    Thread.sleep(30);
                    assertEquals(then, (long) loop.call(() -> rig.desk.fromClients.get()), "judged in the pause");
                    loop.call(() -> {
                        loop.resumeReading();
                        return null;
                    });
                    for (int i = 0; i < 10; i++) {
                        assertArrayEquals(TestClient.payload(100, sent + i), peer.receive(), "round " + round);
                    }
                    late.readAnswer();
                }
                sent += 10;
            }
            await("ended", () -> rig.connections() == 0);
            rig.assertNoDropsBut(Map.of());
        }
    }

    private static StreamClient open(Rig rig, String io) throws IOException {
        assertEquals(io, rig.loops.io().label());
        return open(rig);
    }

    @Test
    void spreadsConnectionsEvenlyOverTheWorkers() throws Exception {
        try (Rig rig = new Rig("epoll", 4)) {
            rig.streamListener("tcp", Rig.PORT, StreamLimits.DEFAULTS, Rig.IPV4);
            List<StreamClient> clients = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                clients.add(new StreamClient(SERVER));
                clients.get(i).allocate(9);
            }
            for (NettyLoop loop : rig.loops.all()) {
                assertEquals(2, (int) loop.call(() -> loop.streams().size()));
            }
            for (StreamClient client : clients) {
                client.close();
            }
            for (NettyLoop loop : rig.loops.all()) {
                await("none assigned", () -> loop.streams().assigned().get() == 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void closesItsConnectionsWithItAndFreesThePort(String io) throws Exception {
        try (Rig rig = new Rig(io, 2)) {
            StreamListener listener;
            try (ServerSocket other = new ServerSocket()) {
                other.bind(SERVER);
                listener = rig.streamListener("tcp", Rig.PORT, StreamLimits.DEFAULTS, Rig.IPV4);
                assertEquals(ListenerInfo.State.FAILED, listener.info().state());
                assertTrue(
                        listener.info().problem().contains("127.0.0.1:" + Rig.PORT),
                        listener.info().problem());
            }
            listener.retry();
            assertEquals(
                    ListenerInfo.State.LISTENING,
                    listener.info().state(),
                    listener.info().problem());
            // UDP has ports of its own.
            UdpListener udp = rig.listener("udp", Rig.PORT, Rig.IPV4);
            assertEquals(
                    ListenerInfo.State.LISTENING, udp.info().state(), udp.info().problem());
            try (StreamClient client = new StreamClient(SERVER);
                    TestClient datagrams = new TestClient(Rig.IPV4)) {
                client.allocate(9);
                datagrams.allocate(SERVER, 9);
                listener.close();
                assertArrayEquals(new byte[0], client.readToEnd(5000));
                assertEquals(1, rig.allocations());
            }
            try (ServerSocket free = new ServerSocket()) {
                free.setReuseAddress(true);
                free.bind(SERVER);
            }
        }
    }
}
