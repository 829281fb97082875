package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ClientTransport;
import dev.turntable.api.ListenerInfo;
import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DtlsTest {
    private static final InetSocketAddress SERVER = Rig.at(Rig.IPV4, Rig.PORT);
    private static final Set<ClientTransport> DTLS = Set.of(ClientTransport.DTLS);
    private static final Set<ClientTransport> BOTH = Set.of(ClientTransport.UDP, ClientTransport.DTLS);

    static {
        Leaks.detect();
    }

    @TempDir
    private Path directory;

    private TlsSettings certificate() throws Exception {
        return TestCertificates.of("EC", "turn.example.org").write(directory, "jdk");
    }

    private static StreamLimits limits(int most, int mostOfSource, int idleSeconds) {
        StreamLimits defaults = StreamLimits.DEFAULTS;
        return new StreamLimits(
                most, mostOfSource, idleSeconds, defaults.streamQueueBytes(), defaults.frameLimitBytes());
    }

    private UdpListener listen(Rig rig, Set<ClientTransport> protocols) throws Exception {
        return rig.datagramListener("dtls", Rig.PORT, protocols, StreamLimits.DEFAULTS, certificate());
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        for (int i = 0; i < 250 && !condition.call(); i++) {
            Thread.sleep(20);
        }
        assertTrue(condition.call(), what);
    }

    private static void onLoop(NettyLoop loop, Runnable task) throws IOException {
        loop.call(() -> {
            task.run();
            return null;
        });
    }

    private static String shownTo(String name) throws Exception {
        try (DtlsClient client = new DtlsClient(SERVER)) {
            client.connect(new DtlsClient.Offer(name, List.of(), null));
            return client.shown.getSubjectX500Principal().getName();
        }
    }

    @ParameterizedTest
    @CsvSource({"epoll, EC", "epoll, RSA", "epoll, Ed25519", "nio, EC"})
    @Tag("RFC7350§4.6")
    @Tag("RFC8656§12.5")
    void relaysBothWays(String io, String algorithm) throws Exception {
        TlsSettings tls = TestCertificates.of(algorithm, "turn.example.org").write(directory, "jdk");
        try (Rig rig = new Rig(io, 2)) {
            UdpListener listener = rig.datagramListener("dtls", Rig.PORT, DTLS, StreamLimits.DEFAULTS, tls);
            assertEquals(
                    ListenerInfo.State.LISTENING,
                    listener.info().state(),
                    listener.info().problem());
            assertEquals("dtls", listener.info().protocols());
            assertEquals(89, listener.info().certificateDaysLeft());
            List<DtlsClient> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(DtlsClient.connected(SERVER));
            }
            try (TestClient peer = new TestClient(Rig.IPV4)) {
                for (DtlsClient client : clients) {
                    InetSocketAddress relayed = Rig.at(Rig.IPV4, client.allocate(peer.port()));
                    for (int length : new int[] {0, 1, 2, 3, 160, 1200, 16_380}) {
                        byte[] payload = TestClient.payload(length, 1);
                        client.sendOnChannel(payload);
                        assertArrayEquals(payload, peer.receive());
                        peer.send(relayed, payload);
                        assertArrayEquals(payload, client.receiveOnChannel());
                    }
                }
            }
            assertEquals(4, listener.info().connections());
            assertEquals(4, rig.allocations());
            for (DtlsClient client : clients) {
                client.close();
            }
            await("ended by close_notify", () -> rig.allocations() == 0 && rig.associations() == 0);
            assertEquals(0, listener.info().connections());
            rig.assertNoDropsBut(Map.of("dtls-cookie-asked", 4L));
        }
    }

    @Test
    void fiftyHandshakesAtOnceSucceed() throws Exception {
        try (Rig rig = new Rig("epoll", 2)) {
            listen(rig, DTLS);
            ExecutorService threads = Executors.newFixedThreadPool(50);
            List<Future<DtlsClient>> clients = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                clients.add(threads.submit(() -> DtlsClient.connected(SERVER)));
            }
            for (Future<DtlsClient> client : clients) {
                client.get();
            }
            for (Future<DtlsClient> client : clients.subList(0, 30)) {
                client.get().allocate(9);
            }
            assertEquals(50, rig.associations());
            for (Future<DtlsClient> client : clients) {
                client.get().close();
            }
            threads.shutdown();
            await("ended", () -> rig.associations() == 0);
        }
    }

    /** Field case: hellos without a cookie took a session each. */
    @Test
    @Tag("RFC6347§4.2.1")
    void keepsNothingOfTenThousandHellosWithoutACookie() throws Exception {
        byte[] hello = DtlsClient.hello();
        Random random = new Random(1);
        try (Rig rig = new Rig("epoll", 1)) {
            UdpListener listener = listen(rig, DTLS);
            NettyLoop loop = rig.loops.all().get(0);
            int capacity = loop.call(() -> loop.dtls().capacity());
            int answers = 0;
            for (int sender = 0; sender < 100; sender++) {
                try (DtlsClient client = new DtlsClient(SERVER)) {
                    for (int i = 0; i < 100; i++) {
                        byte[] own = hello.clone();
                        byte[] bytes = new byte[DtlsRecords.RANDOM_BYTES];
                        random.nextBytes(bytes);
                        System.arraycopy(bytes, 0, own, 27, bytes.length);
                        client.sendRaw(own);
                        byte[] answer = client.receiveRaw(2_000);
                        assertTrue(answer != null && answer.length <= own.length, "no more than was asked");
                        assertEquals(3, answer[13], "HelloVerifyRequest");
                        answers++;
                    }
                }
            }
            assertEquals(10_000, answers);
            assertEquals(10_000, rig.drops("dtls-cookie-asked"));
            assertEquals(0, rig.associations());
            assertEquals(capacity, loop.call(() -> loop.dtls().capacity()));
            assertEquals(0, listener.info().connections());
            assertEquals(0, listener.associations().sources());
            assertFalse(Thread.getAllStackTraces().keySet().stream()
                    .anyMatch(thread -> thread.getName().startsWith("turntable-dtls")));
            rig.assertNoDropsBut(Map.of("dtls-cookie-asked", 10_000L));
        }
    }

    /** The hello with the cookie that came for it. */
    static byte[] withCookie(byte[] hello, byte[] verifyRequest) {
        byte[] cookie = Arrays.copyOfRange(verifyRequest, 28, 28 + (verifyRequest[27] & 0xff));
        int at = 60 + (hello[59] & 0xff);
        byte[] whole = new byte[hello.length + cookie.length];
        System.arraycopy(hello, 0, whole, 0, at);
        whole[at] = (byte) cookie.length;
        System.arraycopy(cookie, 0, whole, at + 1, cookie.length);
        System.arraycopy(hello, at + 1, whole, at + 1 + cookie.length, hello.length - at - 1);
        addTo(whole, 11, cookie.length);
        addTo(whole, 15, cookie.length);
        addTo(whole, 23, cookie.length);
        // Record and message of their own numbers.
        whole[10] = 1;
        whole[18] = 1;
        return whole;
    }

    private static void addTo(byte[] bytes, int at, int more) {
        int sum = ((bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff) + more;
        bytes[at] = (byte) (sum >> 8);
        bytes[at + 1] = (byte) sum;
    }

    @Test
    @Tag("RFC6347§4.2.1")
    void believesACookieOfTheSamePortAlone() throws Exception {
        byte[] hello = DtlsClient.hello();
        try (Rig rig = new Rig("epoll", 1)) {
            listen(rig, DTLS);
            try (DtlsClient one = new DtlsClient(SERVER);
                    DtlsClient other = new DtlsClient(SERVER)) {
                one.sendRaw(hello);
                byte[] second = withCookie(hello, one.receiveRaw(2_000));
                other.sendRaw(second);
                assertEquals(3, other.receiveRaw(2_000)[13], "asked again");
                assertEquals(0, rig.associations());
                one.sendRaw(second);
                assertEquals(2, one.receiveRaw(2_000)[13], "ServerHello");
                assertEquals(1, rig.associations());
            }
            assertEquals(2, rig.drops("dtls-cookie-asked"));
        }
    }

    /** Field case: stray records made sessions. */
    @Test
    @Tag("RFC7983§7")
    void dropsRecordsOfStrangersWithoutAWord() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            listen(rig, BOTH);
            try (DtlsClient stranger = new DtlsClient(SERVER)) {
                for (int type : new int[] {20, 21, 22, 23, 24, 25, 63}) {
                    byte[] record = new byte[60];
                    record[0] = (byte) type;
                    record[1] = (byte) 0xfe;
                    record[2] = (byte) 0xfd;
                    record[12] = 47;
                    stranger.sendRaw(record);
                    stranger.sendRaw(new byte[] {(byte) type});
                }
                // A hello that breaks off.
                stranger.sendRaw(Arrays.copyOf(DtlsClient.hello(), 70));
                assertNull(stranger.receiveRaw(300));
            }
            assertEquals(0, rig.associations());
            rig.assertNoDropsBut(Map.of("dtls-stray", 15L));
        }
    }

    @Test
    @Tag("RFC6347§4.1.2.7")
    void anAssociationOutlivesWhatStrangersSendInItsName() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            listen(rig, DTLS);
            Random random = new Random(2);
            try (DtlsClient client = DtlsClient.connected(SERVER);
                    TestClient peer = new TestClient(Rig.IPV4)) {
                InetSocketAddress relayed = Rig.at(Rig.IPV4, client.allocate(peer.port()));
                int sent = 0;
                for (int type = 20; type < 64; type++) {
                    for (int epoch = 0; epoch < 3; epoch++) {
                        for (int length : new int[] {0, 1, 8, 23, 24, 25, 100, 16_384, 20_000}) {
                            byte[] record = new byte[13 + length];
                            random.nextBytes(record);
                            record[0] = (byte) type;
                            record[1] = (byte) 0xfe;
                            record[2] = (byte) 0xfd;
                            record[3] = 0;
                            record[4] = (byte) epoch;
                            record[11] = (byte) (length >> 8);
                            record[12] = (byte) length;
                            // An alert in the clear that says that it is fatal.
                            if (length == 25) {
                                record[13] = 2;
                            }
                            if (type == 22 && epoch == 0 && length > 40) {
                                record[13] = 16;
                            }
                            client.sendRaw(record);
                            sent++;
                        }
                    }
                    byte[] payload = TestClient.payload(100, type);
                    client.sendOnChannel(payload);
                    assertArrayEquals(payload, peer.receive());
                    peer.send(relayed, payload);
                    assertArrayEquals(payload, client.receiveOnChannel());
                }
                // The recorded datagram of a moment ago.
                client.sendRaw(client.lastSent);
                assertNull(peer.receive(200));
                assertEquals(sent + 1L, rig.drops("dtls-record-unusable"));
                assertEquals(1, rig.allocations());
            }
        }
    }

    /** Memory for a message is taken when its first fragment comes. */
    @Test
    void aHandshakeMessageThatClaimsToBeLongIsDropped() throws Exception {
        byte[] hello = DtlsClient.hello();
        try (Rig rig = new Rig("epoll", 1)) {
            listen(rig, DTLS);
            try (DtlsClient client = new DtlsClient(SERVER)) {
                client.sendRaw(hello);
                client.sendRaw(withCookie(hello, client.receiveRaw(2_000)));
                assertEquals(2, client.receiveRaw(2_000)[13], "ServerHello");
                byte[] fragment = new byte[40];
                fragment[0] = 22;
                fragment[1] = (byte) 0xfe;
                fragment[2] = (byte) 0xfd;
                fragment[10] = 9;
                fragment[12] = 27;
                fragment[13] = 16;
                fragment[14] = (byte) 0xff;
                fragment[18] = 2;
                fragment[24] = 15;
                client.sendRaw(fragment);
                await("counted", () -> rig.drops("dtls-record-unusable") == 1);
                fragment[14] = 0;
                fragment[15] = 1;
                client.sendRaw(fragment);
                await("in its handshake", () -> rig.associations() == 1);
                assertEquals(1, rig.drops("dtls-record-unusable"));
            }
        }
    }

    @Test
    void aDatagramThatFitsNoRecordIsDroppedAndTheAssociationGoesOn() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            listen(rig, DTLS);
            try (DtlsClient client = DtlsClient.connected(SERVER);
                    TestClient peer = new TestClient(Rig.IPV4)) {
                InetSocketAddress relayed = Rig.at(Rig.IPV4, client.allocate(peer.port()));
                peer.send(relayed, new byte[16_381]);
                peer.send(relayed, new byte[60_000]);
                peer.send(relayed, new byte[] {1, 2, 3});
                assertArrayEquals(new byte[] {1, 2, 3}, client.receiveOnChannel());
            }
            assertEquals(2, rig.drops("dtls-too-long"));
        }
    }

    @Test
    void whatIsNeitherStunNorChannelDataIsDropped() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            listen(rig, DTLS);
            try (DtlsClient client = DtlsClient.connected(SERVER)) {
                for (int first : new int[] {4, 19, 20, 63, 128, 255}) {
                    client.send(new byte[] {(byte) first, 0, 0, 0});
                }
                client.allocate(9);
                await("counted", () -> rig.drops("client-datagram-foreign") == 6);
            }
        }
    }

    @Test
    @Tag("RFC7983§7")
    void plainStunAndDtlsAreToldApartOnOnePort() throws Exception {
        try (Rig rig = new Rig("epoll", 2)) {
            UdpListener listener = listen(rig, BOTH);
            assertEquals("udp, dtls", listener.info().protocols());
            try (DtlsClient client = DtlsClient.connected(SERVER);
                    TestClient peer = new TestClient(Rig.IPV4)) {
                client.allocate(peer.port());
                // Its other five-tuple, from the same port.
                client.sendRaw(new byte[] {0, 0, (byte) (peer.port() >> 8), (byte) peer.port()});
                assertEquals(1, client.receiveRaw(2_000)[0]);
                assertEquals(2, rig.allocations());
                client.sendRaw(new byte[] {0x40, 0, 0, 2, 7, 7});
                assertArrayEquals(new byte[] {7, 7}, peer.receive());
                client.sendOnChannel(new byte[] {8, 8});
                assertArrayEquals(new byte[] {8, 8}, peer.receive());

                rig.configure(
                        listener,
                        new ListenerConfiguration(
                                Set.of(Rig.IPV4),
                                Rig.PORT,
                                0,
                                DTLS,
                                StreamLimits.DEFAULTS,
                                certificate(),
                                SourceNetworks.NONE));
                assertEquals(1, rig.allocations(), "the plain one has ended");
                client.sendOnChannel(new byte[] {9, 9});
                assertArrayEquals(new byte[] {9, 9}, peer.receive());
            }
        }
    }

    @Test
    void whereOneIsNotOfferedItIsDroppedAndCounted() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            UdpListener listener = listen(rig, DTLS);
            try (DtlsClient client = DtlsClient.connected(SERVER)) {
                client.allocate(9);
                client.sendRaw(new byte[] {0, 0, 0, 9});
                await("plain", () -> rig.drops("client-datagram-foreign") == 1);
                rig.configure(listener, Rig.udp(Set.of(Rig.IPV4), Rig.PORT, 0));
                assertEquals(0, rig.associations());
                assertEquals(0, rig.allocations());
                assertTrue(client.hears(2_000), "close_notify");
                client.sendRaw(DtlsClient.hello());
                // Its answer to the close_notify, and that.
                await("DTLS", () -> rig.drops("client-datagram-dtls") == 2);
            }
        }
    }

    /** Field case: renewal without a change of the configuration. */
    @Test
    void showsARenewedCertificateToNewClientsWhileOthersGoOn() throws Exception {
        TlsSettings tls = TestCertificates.of("EC", "old.example.org").write(directory, "jdk");
        try (Rig rig = new Rig("epoll", 1)) {
            UdpListener listener = rig.datagramListener("dtls", Rig.PORT, DTLS, StreamLimits.DEFAULTS, tls);
            assertEquals("CN=old.example.org", shownTo(null));
            try (DtlsClient old = DtlsClient.connected(SERVER);
                    TestClient peer = new TestClient(Rig.IPV4)) {
                old.allocate(peer.port());
                TestCertificates.of("RSA", "new.example.org").write(directory, "jdk");
                rig.look();
                rig.look();
                assertEquals("CN=new.example.org", shownTo(null));
                Files.writeString(directory.resolve("cert.pem"), "nothing");
                rig.look();
                rig.look();
                assertTrue(
                        listener.info().problem().contains("no certificate"),
                        listener.info().problem());
                assertEquals("CN=new.example.org", shownTo(null));
                old.sendOnChannel(new byte[] {1, 2, 3});
                assertArrayEquals(new byte[] {1, 2, 3}, peer.receive());
            }
        }
    }

    @Test
    void waitsForCertificatesWhereItIsAlone() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            UdpListener listener =
                    rig.datagramListener("dtls", Rig.PORT, DTLS, StreamLimits.DEFAULTS, TlsSettings.NONE);
            assertEquals(ListenerInfo.State.WAITING, listener.info().state());
            assertEquals(0, listener.info().sockets());
            UdpListener both = rig.datagramListener("both", Rig.PORT, BOTH, StreamLimits.DEFAULTS, TlsSettings.NONE);
            assertEquals(ListenerInfo.State.LISTENING, both.info().state());
            assertEquals(
                    "no certificate files are configured: no DTLS", both.info().problem());
            try (DtlsClient client = new DtlsClient(SERVER)) {
                client.sendRaw(DtlsClient.hello());
                await("counted", () -> rig.drops("client-datagram-dtls") == 1);
            }
        }
    }

    @Test
    @Tag("RFC7443§3")
    @Tag("RFC6066§3")
    void choosesByNameAndAgreesOnTheProtocol() throws Exception {
        List<Path> certificates = new ArrayList<>();
        List<Path> keys = new ArrayList<>();
        for (String name : List.of("first.example.org", "*.example.com")) {
            Path own = Files.createDirectory(directory.resolve(Integer.toString(keys.size())));
            TestCertificates.of(keys.isEmpty() ? "EC" : "RSA", name).write(own, "jdk");
            certificates.add(own.resolve("cert.pem"));
            keys.add(own.resolve("key.pem"));
        }
        try (Rig rig = new Rig("epoll", 1)) {
            rig.datagramListener(
                    "dtls",
                    Rig.PORT,
                    DTLS,
                    StreamLimits.DEFAULTS,
                    TestCertificates.settings(certificates, keys, "jdk"));
            assertEquals("CN=first.example.org", shownTo("first.example.org"));
            assertEquals("CN=*.example.com", shownTo("turn.example.com"));
            assertEquals("CN=first.example.org", shownTo(null));
            for (List<String> offered :
                    List.of(List.of("h2", "stun.turn"), List.of("stun.nat-discovery"), List.of("h2"))) {
                try (DtlsClient client = new DtlsClient(SERVER)) {
                    client.connect(new DtlsClient.Offer(null, offered, null));
                    String last = offered.get(offered.size() - 1);
                    assertEquals(last.equals("h2") ? "" : last, client.protocol);
                }
            }
        }
    }

    @Test
    void asksForACertificateWhereItIsRequired() throws Exception {
        TlsSettings made = certificate();
        TlsSettings tls = new TlsSettings(
                made.certificateFiles(),
                made.keyFiles(),
                null,
                null,
                ClientAuth.REQUIRE,
                made.certificateFiles().get(0),
                TlsSettings.VERSIONS,
                "jdk");
        try (Rig rig = new Rig("epoll", 1)) {
            rig.datagramListener("dtls", Rig.PORT, DTLS, StreamLimits.DEFAULTS, tls);
            assertThrows(IOException.class, () -> DtlsClient.connected(SERVER));
            await("counted", () -> rig.drops("dtls-handshake-failed") == 1);
            try (DtlsClient client = new DtlsClient(SERVER)) {
                assertThrows(
                        IOException.class,
                        () -> client.connect(new DtlsClient.Offer(
                                null, List.of(), TestCertificates.of("EC", "stranger.example.org"))));
            }
            await("counted", () -> rig.drops("dtls-handshake-failed") == 2);
            try (DtlsClient client = new DtlsClient(SERVER)) {
                client.connect(new DtlsClient.Offer(null, List.of(), TestCertificates.of("EC", "turn.example.org")));
                client.allocate(9);
            }
            await("all gone", () -> rig.associations() == 0);
        }
    }

    @Test
    void endsAtItsDeadlineWithoutAnAllocation() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            rig.datagramListener("dtls", Rig.PORT, DTLS, limits(100, 100, 1), certificate());
            try (DtlsClient busy = DtlsClient.connected(SERVER);
                    DtlsClient idle = DtlsClient.connected(SERVER);
                    TestClient peer = new TestClient(Rig.IPV4)) {
                busy.allocate(peer.port());
                // What it sends does not help it.
                for (int i = 0; i < 10; i++) {
                    idle.send(new byte[] {0x40, 0, 0, 0});
                    Thread.sleep(100);
                }
                assertTrue(idle.hears(3_000), "close_notify");
                await("one left", () -> rig.associations() == 1);
                assertEquals(1, rig.drops("dtls-idle"));
                Thread.sleep(1_500);
                busy.sendOnChannel(new byte[] {5});
                assertArrayEquals(new byte[] {5}, peer.receive());

                NettyLoop loop = rig.loops.all().get(0);
                onLoop(
                        loop,
                        () -> loop.worker()
                                .delete(
                                        loop.worker().allocations().allocationAt(0),
                                        dev.turntable.state.ReapReason.REFRESH_ZERO));
                assertTrue(busy.hears(4_000), "and then it is idle");
                await("none left", () -> rig.associations() == 0);
            }
        }
    }

    @Test
    void aHandshakeHasTenSeconds() throws Exception {
        byte[] hello = DtlsClient.hello();
        try (Rig rig = new Rig("epoll", 1)) {
            UdpListener listener = listen(rig, DTLS);
            try (DtlsClient client = new DtlsClient(SERVER)) {
                client.sendRaw(hello);
                client.sendRaw(withCookie(hello, client.receiveRaw(2_000)));
                await("begun", () -> listener.info().connections() == 1);
                long start = System.nanoTime();
                for (int i = 0; i < 600 && rig.associations() == 1; i++) {
                    Thread.sleep(20);
                }
                assertEquals(0, rig.associations());
                assertTrue(System.nanoTime() - start > 9_000_000_000L);
                assertEquals(1, rig.drops("dtls-handshake-failed"));
                await(
                        "its thread has nothing to do",
                        () -> rig.loops.handshakes().running() == 0);
            }
        }
    }

    @Test
    @Tag("RFC6347§4.2.8")
    void aHandshakeThatIsNotFinishedCostsTheOldAssociationNothing() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            listen(rig, DTLS);
            byte[] hello = DtlsClient.hello();
            try (DtlsClient client = DtlsClient.connected(SERVER);
                    TestClient peer = new TestClient(Rig.IPV4)) {
                client.allocate(peer.port());
                // Somebody who can read what is sent there begins and does not finish.
                client.sendRaw(hello);
                client.sendRaw(withCookie(hello, client.receiveRaw(2_000)));
                await("both", () -> rig.associations() == 2);
                assertEquals(1, rig.allocations());
                client.sendOnChannel(new byte[] {1});
                assertArrayEquals(new byte[] {1}, peer.receive());
            }
            await("one of them", () -> rig.associations() == 1 && rig.allocations() == 0);
        }
    }

    @Test
    @Tag("RFC6347§4.2.8")
    void aClientThatRestartsBeginsAnewFromTheSamePort() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            UdpListener listener = listen(rig, DTLS);
            DtlsClient before = DtlsClient.connected(SERVER);
            try (TestClient peer = new TestClient(Rig.IPV4)) {
                before.allocate(peer.port());
                int port = before.port();
                before.vanish();
                try (DtlsClient after = new DtlsClient(SERVER, port)) {
                    after.connect(DtlsClient.Offer.NOTHING);
                    await("one", () -> rig.associations() == 1 && rig.allocations() == 0);
                    assertEquals(1, listener.info().connections());
                    after.allocate(peer.port());
                    after.sendOnChannel(new byte[] {2});
                    assertArrayEquals(new byte[] {2}, peer.receive());
                }
                await("none", () -> rig.associations() == 0 && rig.allocations() == 0);
            }
        }
    }

    @Test
    void refusesMoreThanItsLimits() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            UdpListener listener = rig.datagramListener("dtls", Rig.PORT, DTLS, limits(100, 2, 60), certificate());
            byte[] hello = DtlsClient.hello();
            try (DtlsClient one = DtlsClient.connected(SERVER);
                    DtlsClient two = DtlsClient.connected(SERVER);
                    DtlsClient three = new DtlsClient(SERVER)) {
                assertNotNull(one);
                assertNotNull(two);
                three.sendRaw(hello);
                three.sendRaw(withCookie(hello, three.receiveRaw(2_000)));
                await("counted", () -> rig.drops("dtls-associations-capped") == 1);
                assertNull(three.receiveRaw(200));
                assertEquals(2, rig.associations());
            }
            await("gone", () -> listener.info().connections() == 0);
            DtlsClient.connected(SERVER).close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void judgesNothingWhilePausedAndLosesNothing(String io) throws Exception {
        try (Rig rig = new Rig(io, 1)) {
            listen(rig, DTLS);
            NettyLoop loop = rig.loops.all().get(0);
            try (DtlsClient client = DtlsClient.connected(SERVER);
                    TestClient peer = new TestClient(Rig.IPV4)) {
                client.allocate(peer.port());
                onLoop(loop, loop::pauseReading);
                long before = rig.desk.fromClients.get();
                for (int i = 0; i < 50; i++) {
                    client.sendOnChannel(TestClient.payload(1_000, i));
                }
                ExecutorService thread = Executors.newSingleThreadExecutor();
                Future<DtlsClient> another = thread.submit(() -> DtlsClient.connected(SERVER));
                Thread.sleep(300);
                assertEquals(before, rig.desk.fromClients.get());
                onLoop(loop, loop::resumeReading);
                for (int i = 0; i < 50; i++) {
                    assertArrayEquals(TestClient.payload(1_000, i), peer.receive());
                }
                another.get().allocate(peer.port());
                another.get().close();
                thread.shutdown();
            }
        }
    }

    @Test
    void tellsItsClientsWhenTheListenerCloses() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            UdpListener listener = listen(rig, DTLS);
            byte[] hello = DtlsClient.hello();
            try (DtlsClient client = DtlsClient.connected(SERVER);
                    DtlsClient inHandshake = new DtlsClient(SERVER)) {
                client.allocate(9);
                inHandshake.sendRaw(hello);
                inHandshake.sendRaw(withCookie(hello, inHandshake.receiveRaw(2_000)));
                await("both", () -> rig.associations() == 2);
                listener.close();
                assertTrue(client.hears(2_000), "close_notify");
                assertEquals(0, rig.associations());
                assertEquals(0, rig.allocations());
                assertEquals(0, listener.associations().all());
            }
        }
    }
}
