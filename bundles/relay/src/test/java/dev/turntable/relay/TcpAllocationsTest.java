package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ClientTransport;
import dev.turntable.codec.AttributeType;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.Method;
import dev.turntable.state.ReapReason;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A TCP allocation")
@Tag("RFC6062")
class TcpAllocationsTest {
    private static final int TCP = 6;
    private static final InetSocketAddress PEER = TestServer.address("203.0.113.5", 9_000);
    private static final InetSocketAddress OTHER_PEER = TestServer.address("203.0.113.6", 9_000);

    private TestServer server = TestServer.start();
    private TestClient alice = client(50_000, "alice");
    private InetSocketAddress relayed;

    private TestClient client(int port, String user) {
        return server.client(ClientTransport.TCP, "192.0.2.10", port, user, user + "-secret");
    }

    private void restart(TestServer other) {
        server = other;
        alice = client(50_000, "alice");
    }

    private void allocate() {
        relayed = allocate(alice);
    }

    private static InetSocketAddress allocate(TestClient client) {
        client.challenge();
        return succeeded(client.request(Method.ALLOCATE).transport(TCP).send()).relayed();
    }

    private Answer connect(InetSocketAddress peer) {
        return alice.request(Method.CONNECT).peer(peer).send();
    }

    /** Connects, and the peer takes it: the CONNECTION-ID. */
    private long connected(InetSocketAddress peer) {
        assertNull(connect(peer), "an answer before the peer's");
        server.peerAnswers(true);
        Answer answer = succeeded(alice.takeOne());
        assertTrue(answer.isSigned(AttributeType.MESSAGE_INTEGRITY, alice.key()));
        return answer.connectionId();
    }

    /** A new connection of a user, which binds. */
    private Answer bind(TestClient data, long id) {
        data.learn(
                data.request(Method.CONNECTION_BIND).connectionId(id).unsigned().send());
        return data.request(Method.CONNECTION_BIND).connectionId(id).send();
    }

    private int connections() {
        return server.worker().peerConnections().size();
    }

    @AfterEach
    void allIsGivenBackInTheEnd() {
        server.pass(Duration.ofHours(2));
        assertEquals(0, server.worker().allocations().size());
        assertEquals(0, connections());
        assertTrue(server.network.connects.stream().allMatch(connection -> connection.closed));
        assertEquals(0, server.state.ports().inUse());
        assertEquals(0, server.drops("engine-fault"));
    }

    @Test
    @Tag("RFC6062§5.1")
    @DisplayName("is made over TCP and TLS; over UDP the answer is 442")
    void isMadeOverStreamsAlone() {
        allocate();
        assertTrue(alice.allocation().relaysTcp());
        assertTrue(server.state.ports().isListening(false, relayed.getPort()));
        assertFalse(server.state.ports().isLive(false, relayed.getPort()), "open to UDP");
        TestClient tls = server.client(ClientTransport.TLS, "192.0.2.10", 50_001, "alice", "alice-secret");
        allocate(tls);
        TestClient udp = server.alice();
        udp.challenge();
        assertEquals(442, udp.request(Method.ALLOCATE).transport(TCP).send().error());
    }

    @Test
    @Tag("RFC6062§5.1")
    @DisplayName("is not asked for with EVEN-PORT, RESERVATION-TOKEN or DONT-FRAGMENT: 400")
    void refusesWhatMeansNothingForTcp() {
        alice.challenge();
        Request[] wrong = {
            alice.request(Method.ALLOCATE).transport(TCP).evenPort(false),
            alice.request(Method.ALLOCATE).transport(TCP).token(new byte[8]),
            alice.request(Method.ALLOCATE).transport(TCP).dontFragment()
        };
        for (Request request : wrong) {
            assertEquals(400, request.send().error());
        }
    }

    @Test
    @DisplayName("has a listener of its own where the sockets of UDP are shared")
    void isDedicatedInSharedMode() {
        restart(TestServer.with().sharedSockets().start());
        allocate();
        assertTrue(server.state.ports().isListening(false, relayed.getPort()));
        assertEquals(0, alice.refresh(0).error());
        assertFalse(server.state.ports().isListening(false, relayed.getPort()));
    }

    @Test
    @DisplayName("relays no datagrams: ChannelBind is answered 400, Send is discarded")
    void relaysNoDatagrams() {
        allocate();
        assertEquals(0, alice.createPermission(PEER).error());
        assertEquals(400, alice.channelBind(0x4000, PEER).error());
        alice.sendIndication(PEER, "lost".getBytes(StandardCharsets.UTF_8));
        assertEquals(1, server.drops("tcp-allocation"));
        assertEquals(List.of(), server.network.sent());
    }

    @Test
    @Tag("RFC6062§5.2")
    @Tag("RFC6062§5.4")
    @DisplayName("connects from the relayed address, answers with a CONNECTION-ID, and is bound by a second connection")
    void connectsAndIsBound() {
        allocate();
        long id = connected(PEER);
        TestNetwork.Connection connection = server.network.connects.get(0);
        assertEquals(relayed, connection.from);
        assertEquals(PEER, connection.to);
        TestClient data = client(50_001, "alice");
        succeeded(bind(data, id));
        assertSame(data.path, connection.joined);
        server.pass(Duration.ofSeconds(300));
        assertFalse(connection.closed, "bound, and past the limit");
        assertEquals(400, bind(client(50_002, "alice"), id).error(), "bound twice");
    }

    @Test
    @Tag("RFC6062§5.2")
    @DisplayName("answers 446 to a second Connect to the same peer, while it is made and when it is there")
    void answers446ToTheSamePeer() {
        allocate();
        assertNull(connect(PEER));
        assertEquals(446, connect(PEER).error());
        server.peerAnswers(true);
        succeeded(alice.takeOne());
        assertEquals(446, connect(PEER).error());
        assertNull(connect(TestServer.address("203.0.113.5", 9_001)), "another port is another peer");
    }

    @Test
    @Tag("RFC6062§5.2")
    @DisplayName("answers 447 when the peer refuses, and when it has not answered for 30 s")
    void answers447() {
        allocate();
        assertNull(connect(PEER));
        assertTrue(server.peerAnswers(false).closed);
        Answer refused = alice.takeOne();
        assertEquals(447, refused.error());
        assertTrue(refused.isSigned(AttributeType.MESSAGE_INTEGRITY, alice.key()));
        assertNull(connect(PEER), "it may be tried again");
        server.pass(Duration.ofSeconds(29));
        assertEquals(List.of(), alice.take());
        server.pass(Duration.ofSeconds(1));
        assertEquals(447, alice.takeOne().error());
        assertTrue(server.network.connects.get(1).closed);
        server.peerAnswers(true);
        assertEquals(List.of(), alice.take(), "too late");
    }

    @Test
    @Tag("RFC6062§5.2")
    @DisplayName("keeps the rules for peers: 400, 403, 437, 443, and 508 above the limit")
    void keepsTheRulesForPeers() {
        restart(TestServer.with().relay("connectionsPerAllocation", 2).start());
        allocate();
        assertEquals(400, alice.request(Method.CONNECT).send().error());
        assertEquals(400, connect(TestServer.address("203.0.113.5", 0)).error());
        assertEquals(403, connect(TestServer.address("127.0.0.1", 22)).error());
        assertEquals(403, connect(TestServer.address("169.254.169.254", 80)).error());
        assertEquals(443, connect(TestServer.address("2001:db8:b::5", 9_000)).error());
        assertEquals(403, connect(relayed).error(), "itself");
        assertNull(connect(PEER));
        assertNull(connect(OTHER_PEER));
        assertEquals(508, connect(TestServer.address("203.0.113.7", 9_000)).error());
        TestClient udp = server.alice();
        udp.allocate();
        assertEquals(400, udp.request(Method.CONNECT).peer(PEER).send().error(), "an allocation of UDP");
        TestClient none = client(50_009, "alice");
        none.challenge();
        assertEquals(437, none.request(Method.CONNECT).peer(PEER).send().error());
    }

    @Test
    @Tag("RFC6062§5.2")
    @DisplayName("lets clients of a server on a closed address reach each other's listeners, and nothing else there")
    void reachesListenersOfItsOwnAddressAlone() {
        restart(TestServer.with()
                .relayed("127.0.0.1", null)
                .external("127.0.0.9", null)
                .start());
        allocate();
        TestClient bob = client(50_005, "bob");
        InetSocketAddress other = allocate(bob);
        TestClient udp = server.alice();
        InetSocketAddress datagrams = udp.allocate().relayed();
        assertEquals(403, connect(datagrams).error(), "a port that is live for UDP alone");
        assertNull(connect(other));
        TestNetwork.Connection connection = server.network.connects.get(0);
        assertEquals(TestServer.address("127.0.0.1", other.getPort()), connection.to);
        assertEquals(0, bob.createPermission(relayed).error());
        TestNetwork.Connection there = server.peerConnects(connection.from, other);
        assertFalse(there.closed);
        assertEquals(relayed, bob.takeOne().peer(), "as clients know it");
        assertTrue(server.peerConnects(TestServer.address("127.0.0.1", 22), other).closed);
    }

    @Test
    @Tag("RFC6062§5.2")
    @DisplayName("connects to no other service of its own host, told or local, unless the site allows it")
    void connectsToNoOtherServiceOfItsHost() {
        restart(TestServer.with()
                .relayed("10.0.0.5", null)
                .external("203.0.113.99", null)
                .start());
        allocate();
        for (String own : List.of("10.0.0.5", "203.0.113.99")) {
            assertEquals(403, connect(TestServer.address(own, 8_101)).error(), own);
        }
        server.configure(java.util.Map.of("peersAllow", "203.0.113.99"));
        assertNull(connect(TestServer.address("203.0.113.99", 8_101)));
    }

    @Test
    @Tag("RFC6062§5.3")
    @DisplayName("tells the client of a peer's connection, which is bound within 30 s or closed")
    void tellsOfConnectionAttempts() {
        allocate();
        assertEquals(0, alice.createPermission(PEER).error());
        TestNetwork.Connection bound = server.peerConnects(PEER, relayed);
        Answer attempt = alice.takeOne();
        assertEquals(Method.CONNECTION_ATTEMPT, attempt.message().method());
        assertEquals(MessageClass.INDICATION, attempt.message().messageClass());
        assertEquals(PEER, attempt.peer());
        TestNetwork.Connection unbound = server.peerConnects(TestServer.address("203.0.113.5", 9_001), relayed);
        assertNotEquals(attempt.connectionId(), alice.takeOne().connectionId());
        succeeded(bind(client(50_001, "alice"), attempt.connectionId()));
        server.pass(Duration.ofSeconds(29));
        assertFalse(unbound.closed);
        server.pass(Duration.ofSeconds(1));
        assertTrue(unbound.closed);
        assertFalse(bound.closed);
    }

    @Test
    @Tag("RFC6062§5.3")
    @DisplayName("closes connections of peers without a live permission, and those above the limit")
    void closesConnectionsWithoutPermission() {
        restart(TestServer.with().relay("connectionsPerAllocation", 1).start());
        allocate();
        assertTrue(server.peerConnects(PEER, relayed).closed);
        assertEquals(1, server.drops("no-permission"));
        assertEquals(0, alice.createPermission(PEER).error());
        assertFalse(server.peerConnects(PEER, relayed).closed);
        assertTrue(server.peerConnects(TestServer.address("203.0.113.5", 9_001), relayed).closed);
        assertEquals(1, server.drops("peer-connections-full"));
        server.passUnswept(Duration.ofSeconds(300));
        assertTrue(server.peerConnects(TestServer.address("203.0.113.5", 9_002), relayed).closed);
        assertEquals(1, server.drops("permission-expired"));
        assertEquals(1, alice.take().size());
    }

    @Test
    @Tag("RFC6062§5.3")
    @DisplayName("closes connections of a peer that the rules have come to refuse since its permission was installed")
    void judgesByTheRulesOfNow() {
        restart(TestServer.with().relay("peersAllow", "127.0.0.1").start());
        allocate();
        InetSocketAddress local = TestServer.address("127.0.0.1", 9_000);
        assertEquals(0, alice.createPermission(local).error());
        server.configure(java.util.Map.of());
        assertTrue(server.peerConnects(local, relayed).closed);
        assertEquals(1, server.drops("peer-forbidden"));
    }

    @Test
    @Tag("RFC6062§5.4")
    @DisplayName(
            "is bound by the user that has the allocation alone: 441 to others, 401 without credentials, 400 to an unknown id")
    void checksWhoBinds() {
        allocate();
        long id = connected(PEER);
        TestClient data = client(50_001, "alice");
        assertEquals(
                401,
                data.request(Method.CONNECTION_BIND)
                        .connectionId(id)
                        .unsigned()
                        .send()
                        .error());
        assertEquals(441, bind(client(50_002, "bob"), id).error());
        assertEquals(400, bind(client(50_003, "alice"), id ^ 1).error());
        TestClient other = client(50_004, "alice");
        other.challenge();
        assertEquals(400, other.request(Method.CONNECTION_BIND).send().error());
        assertEquals(400, bind(server.alice(), id).error(), "over UDP");
        assertEquals(
                400,
                alice.request(Method.CONNECTION_BIND).connectionId(id).send().error(),
                "on the allocation's");
        assertNull(server.network.connects.get(0).joined);
        succeeded(bind(data, id));
        assertSame(data.path, server.network.connects.get(0).joined);
    }

    @Test
    @Tag("RFC6062§4.3")
    @DisplayName("is bound with the nonce of the allocation's connection, and with no other's: 438")
    void isBoundWithTheNonceOfTheAllocation() {
        allocate();
        long id = connected(PEER);
        TestClient data = client(50_001, "alice");
        TestClient stranger = client(50_002, "alice");
        stranger.challenge();
        assertEquals(
                438,
                data.request(Method.CONNECTION_BIND)
                        .nonce(stranger.nonce)
                        .connectionId(id)
                        .send()
                        .error());
        succeeded(data.request(Method.CONNECTION_BIND)
                .nonce(alice.nonce)
                .connectionId(id)
                .send());
        assertEquals(0, alice.refresh(600).error(), "and it is still good there");
    }

    @Test
    @Tag("RFC6062§5.4")
    @DisplayName("is bound by the key of the allocation, whatever the sources of credentials say by then")
    void isBoundByTheKeyOfTheAllocation() {
        allocate();
        long id = connected(PEER);
        server.users.put("alice", dev.turntable.api.auth.CredentialAnswer.UNKNOWN);
        succeeded(bind(client(50_001, "alice"), id));
    }

    @Test
    @Tag("RFC6062§5.4")
    @DisplayName("moves the client's connection to the worker that the id names, before anything is answered")
    void movesToTheWorkerOfTheConnection() {
        restart(TestServer.with().workers(2).start());
        allocate();
        long id = connected(PEER);
        TestClient data = client(50_001, "alice");
        assertNull(data.request(Method.CONNECTION_BIND)
                .connectionId(id | 1 << 24)
                .unsigned()
                .send());
        assertSame(server.state.worker(1), data.path.movedTo);
        assertEquals(400, bind(client(50_002, "alice"), id | 2 << 24).error(), "there is no such worker");
        succeeded(bind(client(50_003, "alice"), id));
    }

    @Test
    @DisplayName("ends all its connections with it: Refresh of zero, expiry, a lost control connection")
    void endsItsConnectionsWithIt() {
        for (int way = 0; way < 3; way++) {
            alice = client(51_000 + way, "alice");
            allocate();
            long id = connected(PEER);
            succeeded(bind(client(52_000 + way, "alice"), id));
            assertNull(connect(OTHER_PEER));
            switch (way) {
                case 0 -> assertEquals(0, alice.refresh(0).error());
                case 1 -> server.pass(Duration.ofSeconds(600));
                default -> server.worker().delete(alice.allocation(), ReapReason.CONNECTION_LOST);
            }
            assertEquals(0, connections(), "way " + way);
            assertTrue(server.network.connects.stream().allMatch(connection -> connection.closed));
            assertEquals(0, server.network.openSockets());
        }
    }

    @Test
    @DisplayName(
            "goes on with another engine: a connect that ends meanwhile is answered by it, and what is unbound can be bound")
    void survivesASwap() {
        allocate();
        long unbound = connected(PEER);
        assertNull(connect(OTHER_PEER));
        server.removeEngine();
        server.peerAnswers(true);
        assertEquals(List.of(), alice.take(), "nobody is there to answer");
        server.swapEngine();
        long other = succeeded(alice.takeOne()).connectionId();
        succeeded(bind(client(50_001, "alice"), unbound));
        succeeded(bind(client(50_002, "alice"), other));
    }
}
