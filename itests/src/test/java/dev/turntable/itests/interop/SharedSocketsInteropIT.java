package dev.turntable.itests.interop;

import static dev.turntable.itests.interop.TurnServerUnderTest.ADDRESS;
import static dev.turntable.itests.interop.TurnServerUnderTest.PASSWORD;
import static dev.turntable.itests.interop.TurnServerUnderTest.USER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.benchmarks.load.TurnClient;
import dev.turntable.benchmarks.load.TurnError;
import dev.turntable.itests.interop.TurntableAssembly.Settings;
import dev.turntable.itests.interop.Uclient.Totals;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Multiplex-peer mode: one worker, one relayed socket for each address family, so that every two allocations share it. A foreign
 * client has one peer for all its sessions, so there are as many of it as there are peers. What it leaves behind is there until it
 * expires; each test has peers of its own.
 */
class SharedSocketsInteropIT {
    private static final Ports.OfAssembly PORTS = Ports.own(2);
    private static final int SHARED_PORT = PORTS.relayedMin();
    private static final int FIRST_PEER = SHARED_PORT + 2;
    private static final int PEERS = 4;
    private static final int MOST_PEERS = 4;
    private static final int LIFETIME_SECONDS = 14;
    /** The client begins to send up to six seconds after its set-up, and does not refresh before 30. */
    private static final int MESSAGES = 250;

    private static final String OPTIONS = "-u " + USER + " -w " + PASSWORD + " -e " + ADDRESS + " -r ";

    private static final String REFUSED_BINDING = "channel bind: error 508";

    private static final ExecutorService THREADS = Executors.newCachedThreadPool();
    private static final List<Process> FOREIGN_PEERS = new ArrayList<>();
    private static TurntableAssembly server;

    @BeforeAll
    static void start() throws Exception {
        List.of("turnutils_uclient", "turnutils_peer").forEach(ForeignProgram::require);
        for (int i = 0; i < PEERS; i++) {
            FOREIGN_PEERS.add(ForeignProgram.start(
                    List.of("turnutils_peer", "-L", ADDRESS, "-p", Integer.toString(peerPort(i))),
                    TurnServerUnderTest.workDirectory(),
                    "turnutils_peer-" + peerPort(i)));
        }
        server = TurntableAssembly.start(
                PORTS,
                new Settings(
                        Map.of("workers", 1, "relayedSockets", "shared", "sharedPortBase", SHARED_PORT),
                        Map.of(
                                "sharedPeersPerAllocation",
                                MOST_PEERS,
                                "permissionLifetimeSeconds",
                                LIFETIME_SECONDS,
                                "channelLifetimeSeconds",
                                LIFETIME_SECONDS),
                        ""));
    }

    @AfterAll
    static void stop() throws IOException {
        THREADS.shutdownNow();
        FOREIGN_PEERS.forEach(ForeignProgram::stop);
        if (server != null) {
            server.close();
            assertFalse(server.log().contains("| ERROR |"), server.log());
        }
    }

    @Test
    @Tag("RFC8656§12")
    void foreignClientsWithAPeerEachOnOneHostLoseNothing() throws Exception {
        List<Future<Totals>> clients = new ArrayList<>();
        for (int i = 0; i < PEERS; i++) {
            String options = OPTIONS + peerPort(i) + " -c -n 100 -m 1" + (i % 2 == 0 ? "" : " -s");
            clients.add(THREADS.submit(() -> Uclient.runOnSharedSocket(ADDRESS, server.port(), options)));
        }
        for (Future<Totals> client : clients) {
            assertEquals(Totals.allBack(100), client.get());
        }
    }

    @Test
    @Tag("RFC8656§12.2")
    void aSecondClaimOfAForeignClientsPeerIsRefusedAndTheFirstGoesOnUnharmed() throws Exception {
        try (TurnClient second = client();
                EchoingPeer peer = EchoingPeer.open()) {
            String options = OPTIONS + peer.address().getPort() + " -c -m 1 -z 20 -n ";
            second.allocate(600, false);
            Future<Totals> first =
                    THREADS.submit(() -> Uclient.runOnSharedSocket(ADDRESS, server.port(), options + MESSAGES));
            while (peer.arrivals().isEmpty() && !first.isDone()) {
                Thread.sleep(10);
            }
            assertEquals(508, errorOf(() -> second.bindChannel(0x4000, peer.address())));
            String refused = Uclient.runOnSharedSocketInVain(ADDRESS, server.port(), options + 1);
            assertTrue(refused.contains(REFUSED_BINDING), refused);
            assertFalse(first.isDone(), "refused while the first call went on");
            assertEquals(Totals.allBack(MESSAGES), first.get());
            second.refresh(0);
        }
    }

    /** A conference server on one port. */
    @Test
    @Tag("RFC8656§12.2")
    @Tag("RFC8656§11.2")
    void aSecondClientOfOnePeerIsRefusedAndCannotReachItByIndicationsNorHearIt() throws Exception {
        try (TurnClient first = client();
                TurnClient second = client();
                EchoingPeer sfu = EchoingPeer.open()) {
            InetSocketAddress relayed = first.allocate(600, false);
            assertEquals(new InetSocketAddress(ADDRESS, SHARED_PORT), relayed);
            assertEquals(relayed, second.allocate(600, false), "one socket for both");
            first.bindChannel(0x4000, sfu.address());
            assertEquals(508, errorOf(() -> second.bindChannel(0x4000, sfu.address())));
            second.createPermission(sfu.address().getAddress());
            long dropped = counter("drop.shared-peer-taken");
            second.send(sfu.address(), payload());
            for (int i = 0; i < 20; i++) {
                first.sendOnChannel(0x4000, payload());
                assertNotNull(first.receive(Duration.ofSeconds(2)));
            }
            sfu.send(relayed, payload());
            assertNotNull(first.receive(Duration.ofSeconds(2)));
            assertNull(second.receive(Duration.ofMillis(300)));
            assertEquals(20, sfu.arrivals().size());
            assertEquals(dropped + 1, counter("drop.shared-peer-taken"));
            first.refresh(0);
            second.bindChannel(0x4000, sfu.address());
            second.sendOnChannel(0x4000, payload());
            assertNotNull(second.receive(Duration.ofSeconds(2)), "the end of the first has freed it");
            second.refresh(0);
        }
    }

    @Test
    @Tag("RFC8656§11.3")
    void peersBehindOneAddressAreToldApartByTheirPorts() throws Exception {
        try (TurnClient first = client();
                TurnClient second = client();
                EchoingPeer one = EchoingPeer.open();
                EchoingPeer other = EchoingPeer.open();
                EchoingPeer stranger = EchoingPeer.open()) {
            InetSocketAddress relayed = first.allocate(600, false);
            second.allocate(600, false);
            first.bindChannel(0x4000, one.address());
            second.bindChannel(0x4000, other.address());
            one.send(relayed, ByteBuffer.wrap(new byte[] {1}));
            other.send(relayed, ByteBuffer.wrap(new byte[] {2}));
            stranger.send(relayed, ByteBuffer.wrap(new byte[] {3}));
            assertEquals(1, onlyByte(first));
            assertEquals(2, onlyByte(second));
            first.refresh(0);
            second.refresh(0);
        }
    }

    @Test
    @Tag("RFC8656§12.2")
    void anAllocationHasAtMostSoManyPeersAndTheNextIsAnothers() throws Exception {
        try (TurnClient first = client();
                TurnClient second = client()) {
            first.allocate(600, false);
            second.allocate(600, false);
            for (int i = 0; i < MOST_PEERS; i++) {
                first.bindChannel(0x4000 + i, new InetSocketAddress("127.0.0.2", 1_000 + i));
            }
            InetSocketAddress next = new InetSocketAddress("127.0.0.2", 1_000 + MOST_PEERS);
            assertEquals(508, errorOf(() -> first.bindChannel(0x4100, next)));
            second.bindChannel(0x4100, next);
            first.bindChannel(0x4000, new InetSocketAddress("127.0.0.2", 1_000));
            first.refresh(0);
            second.refresh(0);
        }
    }

    @Test
    @Tag("RFC8656§9")
    void expiryFreesAPeerForTheNext() throws Exception {
        try (TurnClient first = client();
                TurnClient second = client();
                EchoingPeer peer = EchoingPeer.open()) {
            first.allocate(600, false);
            second.allocate(600, false);
            first.bindChannel(0x4000, peer.address());
            assertEquals(508, errorOf(() -> second.bindChannel(0x4000, peer.address())));
            Thread.sleep(LIFETIME_SECONDS * 1_000L + 1_500);
            second.bindChannel(0x4000, peer.address());
            second.sendOnChannel(0x4000, payload());
            assertNotNull(second.receive(Duration.ofSeconds(2)));
            assertEquals(508, errorOf(() -> first.bindChannel(0x4000, peer.address())), "it is the other's now");
            first.refresh(0);
            second.refresh(0);
        }
    }

    /** Without {@code -c} the client asks for an even port with the next one reserved. */
    @Test
    @Tag("RFC8656§7.2")
    void thereIsNoEvenPortToChoose() throws Exception {
        String output = Uclient.runInVain(ADDRESS, server.port(), OPTIONS + FIRST_PEER + " -n 1 -m 1");
        assertTrue(output.contains("508"), output);
    }

    @Test
    @Tag("RFC8656§12.2")
    void clientsOfTheServerDoNotReachEachOtherByTheirCommonRelayedAddress() throws Exception {
        try (TurnClient first = client();
                TurnClient second = client()) {
            InetSocketAddress relayed = first.allocate(600, false);
            assertEquals(relayed, second.allocate(600, false));
            assertEquals(508, errorOf(() -> first.bindChannel(0x4000, relayed)));
            assertEquals(508, errorOf(() -> second.bindChannel(0x4000, relayed)));
            first.refresh(0);
            second.refresh(0);
        }
        String options = OPTIONS + FIRST_PEER + " -y -c -n 1 -m 2";
        String output = Uclient.runOnSharedSocketInVain(ADDRESS, server.port(), options);
        assertTrue(output.contains(REFUSED_BINDING), output);
    }

    @Test
    @Tag("RFC8656§7")
    void theSharedSocketOfIpv6IsOnePortAbove() throws Exception {
        try (TurnClient client = client()) {
            assertEquals(SHARED_PORT + 1, client.allocate(600, true).getPort());
            client.refresh(0);
        }
    }

    private interface Request {
        void send() throws IOException;
    }

    private static int errorOf(Request request) {
        return assertThrows(TurnError.class, request::send).code();
    }

    /** What the next datagram of a peer says, after which none comes. */
    private static int onlyByte(TurnClient client) throws IOException {
        TurnClient.Received received = client.receive(Duration.ofSeconds(2));
        assertNull(client.receive(Duration.ofMillis(300)));
        return ((TurnClient.Received.ChannelData) received).payload().get(0);
    }

    private static long counter(String name) {
        String json = server.shell("turn:stats --json");
        Matcher matcher =
                Pattern.compile(Pattern.quote("\"" + name + "\"") + ": *(\\d+)").matcher(json);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    private static TurnClient client() throws IOException {
        return TurnClient.open(server.address(), USER, PASSWORD);
    }

    /** The client names the port above its peer's too. */
    private static int peerPort(int peer) {
        return FIRST_PEER + 2 * peer;
    }

    private static ByteBuffer payload() {
        return ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
    }
}
