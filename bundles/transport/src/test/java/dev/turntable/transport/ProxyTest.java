package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ClientTransport;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Field case: PROXY headers of each form, cut anywhere, bad, missing, and from where none is believed. */
class ProxyTest {
    private static final InetSocketAddress SERVER = Rig.at(Rig.IPV4, Rig.PORT);
    private static final Set<ClientTransport> TCP = Set.of(ClientTransport.TCP);
    private static final Set<ClientTransport> UDP = Set.of(ClientTransport.UDP);
    private static final SourceNetworks LOOPBACK = SourceNetworks.of("proxyFrom", List.of("127.0.0.0/8"));

    static {
        Leaks.detect();
    }

    private static byte[] line(String text) {
        return (text + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] second(int command, int family, int more, byte[] client, int port) {
        byte[] rest = ByteBuffer.allocate(2 * client.length + 4 + more)
                .put(client)
                .put(new byte[client.length])
                .putShort((short) port)
                .putShort((short) 3478)
                .array();
        return ByteBuffer.allocate(16 + rest.length)
                .put(HexFormat.of().parseHex("0d0a0d0a000d0a515549540a"))
                .put((byte) command)
                .put((byte) family)
                .putShort((short) rest.length)
                .put(rest)
                .array();
    }

    private static ProxyHeader read(byte[] bytes) {
        return ProxyHeader.read(Unpooled.wrappedBuffer(bytes));
    }

    private static byte[] joined(byte[] first, byte[] second) {
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.writeBytes(second);
        return both.toByteArray();
    }

    private static void await(Rig rig, String reason, long drops) throws InterruptedException {
        for (int i = 0; i < 250 && rig.drops(reason) != drops; i++) {
            Thread.sleep(20);
        }
        assertEquals(drops, rig.drops(reason), reason);
    }

    @Test
    void readsEachFormHoweverItIsCut() throws Exception {
        InetSocketAddress ipv4 = new InetSocketAddress("192.0.2.7", 40_000);
        InetSocketAddress ipv6 = new InetSocketAddress("2001:db8::7", 40_000);
        byte[] tlv = second(0x21, 0x11, 100, ipv4.getAddress().getAddress(), 40_000);
        Map<byte[], InetSocketAddress> forms = new java.util.IdentityHashMap<>();
        forms.put(line("PROXY TCP4 192.0.2.7 198.51.100.1 40000 3478"), ipv4);
        forms.put(line("PROXY TCP6 2001:db8::7 2001:db8::1 40000 3478"), ipv6);
        forms.put(line("PROXY UNKNOWN"), null);
        forms.put(line("PROXY UNKNOWN ffff:f...f:ffff ffff:f...f:ffff 65535 65535"), null);
        forms.put(second(0x21, 0x11, 0, ipv4.getAddress().getAddress(), 40_000), ipv4);
        forms.put(tlv, ipv4);
        forms.put(second(0x21, 0x21, 0, ipv6.getAddress().getAddress(), 40_000), ipv6);
        forms.put(second(0x20, 0x11, 0, ipv4.getAddress().getAddress(), 40_000), null);
        forms.put(second(0x21, 0x00, 0, new byte[0], 0), null);
        forms.forEach((bytes, client) -> {
            for (int length = 0; length < bytes.length; length++) {
                assertSame(ProxyHeader.NEED_MORE, read(java.util.Arrays.copyOf(bytes, length)));
            }
            ProxyHeader header = read(joined(bytes, new byte[] {0, 1, 2}));
            assertEquals(bytes.length, header.length());
            assertEquals(client, header.client());
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1",
                "PROXY TCP4 192.0.2.7 198.51.100.1 40000",
                "PROXY TCP4 192.0.2.7 198.51.100.1 70000 3478",
                "PROXY TCP4 2001:db8::7 2001:db8::1 40000 3478",
                "PROXY TCP6 192.0.2.7 198.51.100.1 40000 3478",
                "PROXY TCP4 host.example.org 198.51.100.1 40000 3478",
                "PROXY TCP4 300.0.2.7 198.51.100.1 40000 3478",
                "PROXY TCP4 010.0.2.7 198.51.100.1 40000 3478",
                "PROXY TCP6 .::1 2001:db8::1 40000 3478",
                "PROXY TCP4 192.0.2.7 198.51.100.1 040000 3478",
                "PROXY UDP4 192.0.2.7 198.51.100.1 40000 3478",
                "PROXY",
                "PROXY "
            })
    void refusesABadLine(String text) {
        assertSame(ProxyHeader.BAD, read(line(text)));
    }

    @Test
    void refusesWhatHasNoEndAndWhatIsTooLong() {
        assertSame(ProxyHeader.BAD, read(("PROXY UNKNOWN " + "x".repeat(93)).getBytes(StandardCharsets.ISO_8859_1)));
        assertSame(ProxyHeader.BAD, read(second(0x21, 0x11, 600, new byte[4], 1)));
        assertSame(ProxyHeader.BAD, read(second(0x31, 0x11, 0, new byte[4], 1)));
        assertSame(ProxyHeader.BAD, read(second(0x22, 0x11, 0, new byte[4], 1)));
        assertSame(ProxyHeader.BAD, read(second(0x21, 0x31, 0, new byte[4], 1)));
        assertSame(ProxyHeader.BAD, read(second(0x21, 0x21, 0, new byte[4], 1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void takesTheClientFromTheHeader(String io) throws Exception {
        try (Rig rig = new Rig(io, 2)) {
            StreamListener listener = rig.streamListener("tcp", Rig.PORT, TCP, TlsSettings.NONE, LOOPBACK);
            List<byte[]> headers = List.of(
                    line("PROXY TCP4 192.0.2.7 127.0.0.1 40000 3478"),
                    second(0x21, 0x21, 9, InetAddress.getByName("2001:db8::7").getAddress(), 40_000));
            List<InetSocketAddress> clients =
                    List.of(new InetSocketAddress("192.0.2.7", 40_000), new InetSocketAddress("2001:db8::7", 40_000));
            for (int i = 0; i < 2; i++) {
                for (boolean slowly : new boolean[] {false, true}) {
                    try (StreamClient client = new StreamClient(SERVER)) {
                        byte[] all = joined(headers.get(i), StreamClient.allocateMessage(9));
                        if (slowly) {
                            client.trickle(all);
                        } else {
                            client.send(all);
                        }
                        client.readAnswer();
                        assertEquals(clients.get(i), rig.desk.lastPath.clientAddress());
                        assertEquals(SERVER, rig.desk.lastPath.serverAddress());
                    }
                }
            }
            // It speaks for itself.
            try (StreamClient client = new StreamClient(SERVER)) {
                client.send(line("PROXY UNKNOWN"));
                client.allocate(9);
                assertEquals(client.socket.getLocalPort(), rig.desk.lastPath.clientPort());
            }
            rig.assertNoDropsBut(Map.of());
            listener.close();
            assertEquals(0, listener.connections().sources());
        }
    }

    @Test
    void closesAProxysConnectionWithABadHeaderOrNone() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            rig.streamListener("tcp", Rig.PORT, TCP, TlsSettings.NONE, LOOPBACK);
            for (byte[] bytes : List.of(StreamClient.allocateMessage(9), line("PROXY TCP4 here there 1 2"))) {
                try (StreamClient client = new StreamClient(SERVER)) {
                    client.send(bytes);
                    assertArrayEquals(new byte[0], client.readToEnd(5000));
                }
            }
            await(rig, "proxy-header-bad", 2);
            assertEquals(0, rig.desk.fromClients.get());
        }
    }

    @Test
    void believesNoHeaderFromElsewhere() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            rig.streamListener(
                    "tcp", Rig.PORT, TCP, TlsSettings.NONE, SourceNetworks.of("proxyFrom", List.of("10.0.0.0/8")));
            try (StreamClient direct = new StreamClient(SERVER);
                    StreamClient liar = new StreamClient(SERVER)) {
                direct.allocate(9);
                assertEquals(direct.socket.getLocalPort(), rig.desk.lastPath.clientPort());
                liar.send(joined(line("PROXY TCP4 192.0.2.7 127.0.0.1 40000 3478"), StreamClient.allocateMessage(9)));
                assertArrayEquals(new byte[0], liar.readToEnd(5000));
            }
            await(rig, "stream-channel-unallocated", 1);
        }
    }

    // Datagrams: the second version in front of each

    private static UdpListener datagrams(Rig rig, String from) {
        return rig.datagramListener(
                "udp",
                Rig.PORT,
                UDP,
                StreamLimits.DEFAULTS,
                TlsSettings.NONE,
                SourceNetworks.of("proxyFrom", List.of(from)));
    }

    @Test
    void readsEachFormOfADatagramAndRefusesAllOthers() throws Exception {
        byte[] ipv4 = {(byte) 192, 0, 2, 7};
        byte[] ipv6 = InetAddress.getByName("2001:db8::7").getAddress();
        Map<byte[], InetSocketAddress> forms = new java.util.IdentityHashMap<>();
        forms.put(second(0x21, 0x12, 0, ipv4, 40_000), new InetSocketAddress("192.0.2.7", 40_000));
        forms.put(second(0x21, 0x22, 30, ipv6, 40_000), new InetSocketAddress("2001:db8::7", 40_000));
        forms.put(second(0x20, 0x12, 0, ipv4, 40_000), null);
        forms.put(second(0x20, 0x00, 0, new byte[0], 0), null);
        forms.put(second(0x21, 0x00, 0, new byte[0], 0), null);
        forms.forEach((bytes, client) -> {
            for (int length = 0; length < bytes.length; length++) {
                assertSame(ProxyHeader.BAD, ofDatagram(java.util.Arrays.copyOf(bytes, length)));
            }
            ProxyHeader header = ofDatagram(joined(bytes, new byte[] {0, 1, 2}));
            assertEquals(bytes.length, header.length());
            assertEquals(client, header.client());
        });
        for (byte[] bad : List.of(
                line("PROXY TCP4 192.0.2.7 198.51.100.1 40000 3478"),
                line("PROXY UNKNOWN"),
                second(0x21, 0x11, 0, ipv4, 40_000),
                second(0x21, 0x21, 0, ipv6, 40_000),
                second(0x21, 0x22, 0, ipv4, 40_000),
                second(0x22, 0x12, 0, ipv4, 40_000))) {
            assertSame(ProxyHeader.BAD, ofDatagram(bad));
        }
        // And a datagram's is none of a connection.
        assertSame(ProxyHeader.BAD, read(second(0x21, 0x12, 0, ipv4, 40_000)));
    }

    private static ProxyHeader ofDatagram(byte[] bytes) {
        return ProxyHeader.ofDatagram(Unpooled.wrappedBuffer(bytes));
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void relaysForTheClientThatADatagramNames(String io) throws Exception {
        byte[] named = second(0x21, 0x12, 0, new byte[] {(byte) 192, 0, 2, 7}, 40_000);
        byte[] another = second(0x21, 0x12, 0, new byte[] {(byte) 192, 0, 2, 8}, 40_000);
        try (Rig rig = new Rig(io, 1);
                TestClient proxy = new TestClient(Rig.IPV4);
                TestClient proxyLater = new TestClient(Rig.IPV4);
                TestClient peer = new TestClient(Rig.IPV4)) {
            datagrams(rig, "127.0.0.0/8");
            int relayed = allocate(proxy, named, peer.port());
            assertEquals(new InetSocketAddress("192.0.2.7", 40_000), rig.desk.lastPath.clientAddress());
            assertEquals(SERVER, rig.desk.lastPath.serverAddress());
            int other = allocate(proxy, another, peer.port());
            assertEquals(2, rig.allocations());

            byte[] payload = TestClient.payload(160, 1);
            proxy.send(SERVER, joined(named, onChannel(payload)));
            assertArrayEquals(payload, peer.receive());
            peer.send(Rig.at(Rig.IPV4, relayed), payload);
            assertArrayEquals(payload, proxy.receiveOnChannel());

            // The proxy forgot where it sent from: the answers follow, for this client alone.
            proxyLater.send(SERVER, joined(named, onChannel(payload)));
            assertArrayEquals(payload, peer.receive());
            peer.send(Rig.at(Rig.IPV4, relayed), payload);
            assertArrayEquals(payload, proxyLater.receiveOnChannel());
            peer.send(Rig.at(Rig.IPV4, other), payload);
            assertArrayEquals(payload, proxy.receiveOnChannel());

            // It speaks for itself.
            allocate(proxy, second(0x20, 0x00, 0, new byte[0], 0), peer.port());
            assertEquals(proxy.port(), rig.desk.lastPath.clientPort());
            rig.assertNoDropsBut(Map.of());
        }
    }

    private static int allocate(TestClient proxy, byte[] header, int peerPort) throws Exception {
        proxy.send(SERVER, joined(header, new byte[] {0, 0, (byte) (peerPort >> 8), (byte) peerPort}));
        byte[] answer = proxy.receive();
        assertEquals(1, answer[0]);
        return (answer[2] & 0xff) << 8 | answer[3] & 0xff;
    }

    private static byte[] onChannel(byte[] payload) {
        return ByteBuffer.allocate(4 + payload.length)
                .putShort((short) EchoDesk.CHANNEL)
                .putShort((short) payload.length)
                .put(payload)
                .array();
    }

    @Test
    void dropsADatagramOfAProxyWithABadHeaderOrNone() throws Exception {
        try (Rig rig = new Rig("epoll", 1);
                TestClient proxy = new TestClient(Rig.IPV4)) {
            datagrams(rig, "127.0.0.0/8");
            byte[] header = second(0x21, 0x12, 0, new byte[4], 40_000);
            for (byte[] bytes : List.of(new byte[4], java.util.Arrays.copyOf(header, 20), new byte[0])) {
                proxy.send(SERVER, bytes);
            }
            proxy.send(SERVER, header);
            await(rig, "proxy-header-bad", 3);
            await(rig, "client-datagram-empty", 1);
            assertEquals(0, rig.desk.fromClients.get());
        }
    }

    @Test
    void believesNoDatagramFromElsewhereAndChangesItsMindLive() throws Exception {
        byte[] header = second(0x21, 0x12, 0, new byte[] {(byte) 192, 0, 2, 7}, 40_000);
        try (Rig rig = new Rig("epoll", 1);
                TestClient client = new TestClient(Rig.IPV4);
                TestClient peer = new TestClient(Rig.IPV4)) {
            UdpListener listener = datagrams(rig, "10.0.0.0/8");
            client.allocate(SERVER, peer.port());
            assertEquals(client.port(), rig.desk.lastPath.clientPort());
            client.send(SERVER, joined(header, new byte[] {0, 0, 1, 1}));
            await(rig, "client-datagram-foreign", 1);
            rig.configure(
                    listener,
                    new ListenerConfiguration(
                            Set.of(Rig.IPV4), Rig.PORT, 0, UDP, StreamLimits.DEFAULTS, TlsSettings.NONE, LOOPBACK));
            allocate(client, header, peer.port());
            assertEquals(new InetSocketAddress("192.0.2.7", 40_000), rig.desk.lastPath.clientAddress());
            assertEquals(2, rig.allocations(), "the first goes on");
        }
    }

    @Test
    void shakesHandsForTheClientThatADatagramNames(@TempDir Path directory) throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, "jdk");
        try (Rig rig = new Rig("epoll", 1);
                TestClient peer = new TestClient(Rig.IPV4)) {
            UdpListener listener = rig.datagramListener(
                    "dtls", Rig.PORT, Set.of(ClientTransport.DTLS), StreamLimits.DEFAULTS, tls, LOOPBACK);
            try (DtlsClient client = new DtlsClient(SERVER)) {
                client.prefix = second(0x21, 0x12, 0, new byte[] {(byte) 192, 0, 2, 7}, 40_000);
                client.connect(DtlsClient.Offer.NOTHING);
                int relayed = client.allocate(peer.port());
                assertEquals(new InetSocketAddress("192.0.2.7", 40_000), rig.desk.lastPath.clientAddress());
                byte[] payload = TestClient.payload(160, 2);
                client.sendOnChannel(payload);
                assertArrayEquals(payload, peer.receive());
                peer.send(Rig.at(Rig.IPV4, relayed), payload);
                assertArrayEquals(payload, client.receiveOnChannel());
            }
            listener.close();
            assertEquals(0, listener.associations().all());
            assertEquals(0, listener.associations().sources());
        }
    }

    // Networks

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "0.0.0.0/0, 1.2.3.4, true",
        "0.0.0.0/0, ::1, false",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.6, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "2001:db8::1:0/112, 2001:db8::1:7, true",
        "2001:db8::1:0/112, 2001:db8::2:7, false",
        "::/0, ::1, true"
    })
    void knowsWhatIsInANetwork(String network, String address, boolean contains) throws Exception {
        assertEquals(
                contains, SourceNetworks.of("proxyFrom", List.of(network)).contains(InetAddress.getByName(address)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/x", "host", "2001:db8::/129"})
    void namesTheKeyOfABadNetwork(String network) {
        Exception refusal =
                assertThrows(IllegalArgumentException.class, () -> SourceNetworks.of("proxyFrom", List.of(network)));
        assertTrue(refusal.getMessage().startsWith("proxyFrom = "), refusal.getMessage());
    }
}
