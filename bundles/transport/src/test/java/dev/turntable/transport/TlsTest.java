package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ClientTransport;
import dev.turntable.api.ListenerInfo;
import io.netty.handler.ssl.ClientAuth;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsTest {
    private static final InetSocketAddress SERVER = Rig.at(Rig.IPV4, Rig.PORT);
    private static final Set<ClientTransport> TLS = Set.of(ClientTransport.TLS);
    private static final Set<ClientTransport> BOTH = Set.of(ClientTransport.TCP, ClientTransport.TLS);

    static {
        Leaks.detect();
    }

    @TempDir
    private Path directory;

    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private static SSLSocket socket(String version, String name, String... alpn) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new TrustAll()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        socket.setEnabledProtocols(new String[] {version});
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(alpn);
        if (name != null) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        socket.setSSLParameters(parameters);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(5000);
        socket.connect(SERVER, 5000);
        return socket;
    }

    private static StreamClient client(String version) throws Exception {
        SSLSocket socket = socket(version, null);
        socket.startHandshake();
        return new StreamClient(socket);
    }

    private static String shownTo(String name) throws Exception {
        try (SSLSocket socket = socket("TLSv1.3", name)) {
            socket.startHandshake();
            return socket.getSession().getPeerPrincipal().getName();
        }
    }

    private static int answer(StreamClient client, char letter) throws IOException {
        byte[] bytes = client.socket.getInputStream().readNBytes(8);
        assertEquals(letter, (char) bytes[0]);
        return ByteBuffer.wrap(bytes).getInt(4);
    }

    @ParameterizedTest
    @CsvSource({
        "epoll, openssl, TLSv1.3",
        "epoll, openssl, TLSv1.2",
        "epoll, jdk, TLSv1.3",
        "epoll, jdk, TLSv1.2",
        "nio, openssl, TLSv1.3",
        "nio, jdk, TLSv1.3"
    })
    @Tag("RFC6062§5.4")
    void joinsATlsConnectionWithAPeersTcpConnection(String io, String library, String version) throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, library);
        byte[] much = new byte[3 << 20];
        new Random(4).nextBytes(much);
        try (Rig rig = new Rig(io, 2);
                ServerSocket peers = new ServerSocket(0, 5, Rig.IPV4)) {
            rig.server.engineSlot().bind(new TcpDesk(), -1);
            rig.streamListener("tls", Rig.PORT, TLS, tls);
            try (StreamClient control = client(version)) {
                control.send(TcpDesk.message(TcpDesk.ALLOCATE, 0));
                answer(control, TcpDesk.ALLOCATE);
                control.send(TcpDesk.message(TcpDesk.CONNECT, peers.getLocalPort()));
                try (Socket peer = peers.accept();
                        StreamClient data = client(version)) {
                    peer.setSoTimeout(5000);
                    int id = answer(control, TcpDesk.CONNECT);
                    ByteArrayOutputStream both = new ByteArrayOutputStream();
                    both.writeBytes(TcpDesk.message(TcpDesk.BIND, id));
                    both.writeBytes(much);
                    CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> {
                        try {
                            data.send(both.toByteArray());
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
                    assertEquals(id, answer(data, TcpDesk.BIND));
                    assertArrayEquals(much, peer.getInputStream().readNBytes(much.length));
                    sending.get(5, TimeUnit.SECONDS);
                    // The peer is done; the client, told by close_notify, goes on where its library allows that.
                    peer.getOutputStream().write(much);
                    peer.shutdownOutput();
                    assertArrayEquals(much, data.socket.getInputStream().readNBytes(much.length));
                    assertEquals(-1, data.socket.getInputStream().read());
                    if (library.equals("jdk") && version.equals("TLSv1.3")) {
                        data.send(much);
                        assertArrayEquals(much, peer.getInputStream().readNBytes(much.length));
                    }
                }
            }
            await("all is gone", () -> rig.allocations() == 0 && rig.connections() == 0);
        }
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        for (int i = 0; i < 250 && !condition.call(); i++) {
            Thread.sleep(20);
        }
        assertTrue(condition.call(), what);
    }

    @ParameterizedTest
    @CsvSource({
        "epoll, openssl, EC, TLSv1.3",
        "epoll, jdk, EC, TLSv1.3",
        "nio, openssl, EC, TLSv1.3",
        "nio, jdk, RSA, TLSv1.2",
        "epoll, openssl, RSA, TLSv1.2"
    })
    @Tag("RFC8656§3.1")
    @Tag("RFC8656§12.5")
    void relaysBothWays(String io, String library, String algorithm, String version) throws Exception {
        TlsSettings tls = TestCertificates.of(algorithm, "turn.example.org").write(directory, library);
        try (Rig rig = new Rig(io, 2)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, TLS, tls);
            assertEquals(
                    ListenerInfo.State.LISTENING,
                    listener.info().state(),
                    listener.info().problem());
            assertEquals("tls", listener.info().protocols());
            assertEquals(89, listener.info().certificateDaysLeft());
            List<StreamClient> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(client(version));
            }
            try (TestClient peer = new TestClient(Rig.IPV4)) {
                for (StreamClient client : clients) {
                    InetSocketAddress relayed = Rig.at(Rig.IPV4, client.allocate(peer.port()));
                    for (int length : new int[] {0, 1, 2, 3, 160, 1200, 20_000, 60_000}) {
                        byte[] payload = TestClient.payload(length, 1);
                        client.send(StreamClient.channelData(payload));
                        assertArrayEquals(payload, peer.receive());
                        peer.send(relayed, payload);
                        assertArrayEquals(payload, client.receiveOnChannel());
                    }
                }
            }
            assertEquals(4, listener.info().connections());
            assertEquals(4, rig.allocations());
            for (StreamClient client : clients) {
                client.close();
            }
            await("ended with its connection", () -> rig.allocations() == 0 && rig.connections() == 0);
            await("counted", () -> listener.info().connections() == 0);
            rig.assertNoDropsBut(Map.of());
        }
    }

    /** What comes in one segment with the client's Finished is decrypted at the door. */
    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jdk"})
    void losesNothingThatTheClientSendsBehindItsHandshake(String library) throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, library);
        try (Rig rig = new Rig("epoll", 2)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, TLS, tls);
            for (int i = 0; i < 30; i++) {
                SSLSocket socket = socket("TLSv1.3", null);
                try (StreamClient client = new StreamClient(socket)) {
                    // Shakes hands with the first byte.
                    client.send(StreamClient.allocateMessage(9));
                    client.send(StreamClient.allocateMessage(10));
                    client.readAnswer();
                    client.readAnswer();
                }
            }
            await("gone", () -> rig.connections() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jdk"})
    @Tag("RFC7443§3")
    void agreesOnTheProtocolByItsName(String library) throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, library);
        try (Rig rig = new Rig("epoll", 1)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, TLS, tls);
            for (String[] offered :
                    List.of(new String[] {"h2", "stun.turn"}, new String[] {"stun.nat-discovery"}, new String[] {})) {
                try (SSLSocket socket = socket("TLSv1.3", null, offered)) {
                    socket.startHandshake();
                    String last = offered.length == 0 ? "" : offered[offered.length - 1];
                    assertEquals(last, socket.getApplicationProtocol());
                }
            }
        }
    }

    @Test
    @Tag("RFC6066§3")
    void showsTheCertificateOfTheNameThatIsAskedFor() throws Exception {
        List<Path> certificates = new ArrayList<>();
        List<Path> keys = new ArrayList<>();
        for (String name : List.of("first.example.org", "*.example.com")) {
            Path own = Files.createDirectory(directory.resolve(Integer.toString(keys.size())));
            TestCertificates.of("EC", name).write(own, "auto");
            certificates.add(own.resolve("cert.pem"));
            keys.add(own.resolve("key.pem"));
        }
        try (Rig rig = new Rig("epoll", 1)) {
            StreamListener listener =
                    rig.streamListener("tls", Rig.PORT, TLS, TestCertificates.settings(certificates, keys, "auto"));
            assertEquals("CN=first.example.org", shownTo("first.example.org"));
            assertEquals("CN=*.example.com", shownTo("turn.example.com"));
            assertEquals("CN=first.example.org", shownTo("other.example.net"));
            assertEquals("CN=first.example.org", shownTo(null));
            assertEquals(2, rig.registry.certificates().size());
        }
    }

    /** Field case: renewal without a change of the configuration, then files that are broken or do not fit. */
    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jdk"})
    void showsARenewedCertificateToNewClientsAndKeepsItWhenTheFilesAreBad(String library) throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "old.example.org").write(directory, library);
        try (Rig rig = new Rig("epoll", 1)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, TLS, tls);
            assertEquals("CN=old.example.org", shownTo(null));
            try (StreamClient old = client("TLSv1.3");
                    TestClient peer = new TestClient(Rig.IPV4)) {
                old.allocate(peer.port());
                TestCertificates.of("RSA", "new.example.org").write(directory, library);
                rig.look();
                assertEquals("CN=old.example.org", shownTo(null), "not before the files are settled");
                rig.look();
                assertEquals("CN=new.example.org", shownTo(null));
                rig.look();

                // A chain without its key.
                Files.writeString(
                        directory.resolve("cert.pem"),
                        TestCertificates.of("EC", "old.example.org").certificatePem());
                rig.look();
                rig.look();
                assertTrue(
                        listener.info().problem().contains("the key is not that of"),
                        listener.info().problem());
                assertEquals(ListenerInfo.State.LISTENING, listener.info().state());
                assertEquals("CN=new.example.org", shownTo(null));
                Files.writeString(directory.resolve("cert.pem"), "nothing");
                rig.look();
                rig.look();
                assertTrue(
                        listener.info().problem().contains("no certificate"),
                        listener.info().problem());
                assertEquals("CN=new.example.org", shownTo(null));

                TestCertificates.of("EC", "old.example.org").write(directory, library);
                rig.look();
                rig.look();
                assertEquals("", listener.info().problem());
                assertEquals("CN=old.example.org", shownTo(null));
                old.send(StreamClient.channelData(new byte[] {1, 2, 3}));
                assertArrayEquals(new byte[] {1, 2, 3}, peer.receive());
            }
        }
    }

    @Test
    void waitsForCertificatesAndSaysWhatIsWrongWithThem() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, TLS, TlsSettings.NONE);
            assertEquals(ListenerInfo.State.WAITING, listener.info().state());
            assertEquals(0, listener.info().sockets());
            Path missing = directory.resolve("cert.pem");
            rig.configure(
                    listener,
                    new ListenerConfiguration(
                            Set.of(Rig.IPV4),
                            Rig.PORT,
                            0,
                            TLS,
                            StreamLimits.DEFAULTS,
                            TestCertificates.settings(List.of(missing), List.of(directory.resolve("key.pem")), "auto"),
                            SourceNetworks.NONE));
            assertEquals(ListenerInfo.State.FAILED, listener.info().state());
            assertTrue(
                    listener.info().problem().contains("there is no such file"),
                    listener.info().problem());
            TestCertificates.of("EC", "turn.example.org").write(directory, "auto");
            rig.look();
            rig.look();
            assertEquals(
                    ListenerInfo.State.LISTENING,
                    listener.info().state(),
                    listener.info().problem());
            assertEquals("CN=turn.example.org", shownTo(null));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void tellsTcpAndTlsApartOnOnePort(String io) throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, "auto");
        try (Rig rig = new Rig(io, 2)) {
            StreamListener listener = rig.streamListener("both", Rig.PORT, BOTH, tls);
            assertEquals("tcp, tls", listener.info().protocols());
            for (int i = 0; i < 3; i++) {
                try (StreamClient plain = new StreamClient(SERVER);
                        StreamClient secure = client("TLSv1.3");
                        StreamClient slow = new StreamClient(SERVER)) {
                    plain.allocate(9);
                    secure.allocate(9);
                    slow.trickle(StreamClient.allocateMessage(9));
                    slow.readAnswer();
                    assertEquals(3, rig.allocations());
                }
                await("gone", () -> rig.connections() == 0);
            }
            rig.assertNoDropsBut(Map.of());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void closesWhatIsNotTlsAndEchoesNothing(boolean alsoTcp) throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, "auto");
        try (Rig rig = new Rig("epoll", 1)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, alsoTcp ? BOTH : TLS, tls);
            int foreign = 0;
            for (String text : List.of(
                    "GET / HTTP/1.1\r\n\r\n",
                    "GET / HTTP/1.1\r\nX: " + "y".repeat(70_000),
                    "SSH-2.0-OpenSSH_9.2\r\n",
                    "PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n",
                    alsoTcp ? "\u0017\u0003" : "\0".repeat(64 * 1024))) {
                try (StreamClient client = new StreamClient(SERVER)) {
                    try {
                        client.send(text.getBytes(StandardCharsets.ISO_8859_1));
                    } catch (IOException e) {
                        // Closed before all was sent.
                    }
                    assertArrayEquals(new byte[0], client.readToEnd(5000), text.substring(0, 2));
                    foreign++;
                }
            }
            int all = foreign;
            await("counted", () -> rig.drops("stream-foreign") == all);
            // A hello that is none: an alert at most.
            try (StreamClient client = new StreamClient(SERVER)) {
                client.send(new byte[] {22, 3, 1, 0, 5, 1, 0, 0, 1, 0, 9, 9, 9, 9});
                byte[] answer = client.readToEnd(5000);
                assertTrue(answer != null && answer.length <= 7, "closed");
            }
            await("counted", () -> rig.drops("tls-handshake-failed") == 1);
            assertEquals(0, rig.connections());
        }
    }

    @Test
    void endsAHandshakeThatDoesNotComeToAnEnd() throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, "auto");
        try (Rig rig = new Rig("epoll", 1)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, BOTH, tls);
            try (StreamClient silent = new StreamClient(SERVER);
                    StreamClient slow = new StreamClient(SERVER)) {
                slow.send(new byte[] {22, 3, 1});
                long start = System.nanoTime();
                assertEquals(0, silent.readToEnd(20_000).length);
                assertEquals(0, slow.readToEnd(5_000).length);
                assertTrue(System.nanoTime() - start > 5_000_000_000L);
            }
            await("counted", () -> rig.drops("stream-admission-late") == 2);
        }
    }

    /** TLS 1.2 alone has it (RFC 5746); a worker would pay for the handshake. */
    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jdk"})
    void endsAConnectionThatWantsAnotherHandshake(String library) throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, library);
        try (Rig rig = new Rig("epoll", 1)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, TLS, tls);
            try (StreamClient client = client("TLSv1.2")) {
                client.allocate(9);
                ((SSLSocket) client.socket).startHandshake();
                assertThrows(IOException.class, () -> {
                    client.socket.getInputStream().read();
                    throw new IOException("ended");
                });
                await("its allocation with it", () -> rig.allocations() == 0 && rig.connections() == 0);
            } catch (IOException e) {
                await("its allocation with it", () -> rig.allocations() == 0 && rig.connections() == 0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jdk"})
    void asksForACertificateWhereItIsRequired(String library) throws Exception {
        TlsSettings made = TestCertificates.of("EC", "turn.example.org").write(directory, library);
        TlsSettings tls = new TlsSettings(
                made.certificateFiles(),
                made.keyFiles(),
                null,
                null,
                ClientAuth.REQUIRE,
                made.certificateFiles().get(0),
                TlsSettings.VERSIONS,
                library);
        try (Rig rig = new Rig("epoll", 1)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, TLS, tls);
            assertThrows(IOException.class, () -> {
                try (StreamClient client = client("TLSv1.2")) {
                    client.allocate(9);
                }
            });
            await("counted", () -> rig.drops("tls-handshake-failed") == 1);
        }
    }

    /** There are clients that take what one read gives for one message. */
    @ParameterizedTest
    @ValueSource(strings = {"openssl", "jdk"})
    @Tag("RFC8656§12.5")
    void sendsEachFrameAsARecordOfItsOwn(String library) throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, library);
        try (Rig rig = new Rig("epoll", 1)) {
            rig.streamListener("tls", Rig.PORT, TLS, tls);
            NettyLoop loop = rig.loops.all().get(0);
            try (StreamClient client = client("TLSv1.3");
                    TestClient peer = new TestClient(Rig.IPV4)) {
                InetSocketAddress relayed = Rig.at(Rig.IPV4, client.allocate(peer.port()));
                loop.call(() -> {
                    loop.pauseReading();
                    return null;
                });
                for (int i = 0; i < 40; i++) {
                    peer.send(relayed, TestClient.payload(1000, i));
                }
                // They are judged in one batch.
                loop.call(() -> {
                    loop.resumeReading();
                    return null;
                });
                byte[] more = new byte[20_000];
                for (int i = 0; i < 40; i++) {
                    int length = client.socket.getInputStream().read(more);
                    assertArrayEquals(
                            StreamClient.channelData(TestClient.payload(1000, i)), Arrays.copyOf(more, length));
                }
            }
            rig.assertNoDropsBut(Map.of());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void judgesNothingWhilePausedAndLosesNothing(String io) throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, "auto");
        try (Rig rig = new Rig(io, 1)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, TLS, tls);
            NettyLoop loop = rig.loops.all().get(0);
            try (StreamClient client = client("TLSv1.3");
                    TestClient peer = new TestClient(Rig.IPV4)) {
                client.allocate(peer.port());
                loop.call(() -> {
                    loop.pauseReading();
                    return null;
                });
                long before = rig.desk.fromClients.get();
                for (int i = 0; i < 50; i++) {
                    client.send(StreamClient.channelData(TestClient.payload(1000, i)));
                }
                // One that comes meanwhile.
                StreamClient another = client("TLSv1.3");
                another.send(StreamClient.allocateMessage(peer.port()));
                Thread.sleep(300);
                assertEquals(before, rig.desk.fromClients.get());
                loop.call(() -> {
                    loop.resumeReading();
                    return null;
                });
                for (int i = 0; i < 50; i++) {
                    assertArrayEquals(TestClient.payload(1000, i), peer.receive());
                }
                another.readAnswer();
                another.close();
            }
            rig.assertNoDropsBut(Map.of());
        }
    }

    @Test
    void closesItsConnectionsWithTheListenerAlsoThoseAtTheDoor() throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "turn.example.org").write(directory, "auto");
        try (Rig rig = new Rig("epoll", 1)) {
            StreamListener listener = rig.streamListener("tls", Rig.PORT, BOTH, tls);
            try (StreamClient client = client("TLSv1.3");
                    StreamClient atTheDoor = new StreamClient(SERVER)) {
                client.allocate(9);
                await("accepted", () -> listener.info().connections() == 2);
                listener.close();
                assertEquals(0, client.readToEnd(5000).length);
                atTheDoor.send(StreamClient.allocateMessage(9));
                assertEquals(0, atTheDoor.readToEnd(5000).length);
                assertEquals(0, rig.connections());
            }
        }
    }
}
