package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.state.Worker;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What one client can cost the others of its worker, counted and not timed: rows and length of tables, peers that are registered, what
 * the sweep has to examine, and the packets of a neighbour that pass in between. Seen to fail with each cap one higher or gone, with a
 * claim that steals, and with a port that is not given back.
 */
@DisplayName("A greedy client")
class GreedyClientsTest {
    private static final int PERMISSIONS = 1_024;
    private static final int CHANNELS = 1_024;
    private static final int SHARED_PEERS = 256;
    private static final int NAMED = 100_000;

    private static final byte[] PAYLOAD = "payload".getBytes(StandardCharsets.UTF_8);
    private static final String TEXT = "payload";
    private static final InetSocketAddress NEIGHBOURS_PEER = TestServer.address("198.18.0.1", 1_000);

    private TestServer server;
    private TestClient alice;
    private TestClient neighbour;
    private InetSocketAddress neighboursRelayed;
    private int neighboursTurns;
    private int slicesBefore;

    private void start(TestServer other) {
        server = other;
        alice = server.alice();
        neighbour = server.bob();
        neighboursRelayed = neighbour.allocate().relayed();
        succeeded(neighbour.channelBind(0x4000, NEIGHBOURS_PEER));
        slicesBefore = slicesOfAPass();
    }

    private void start(boolean shared) {
        TestServer.Builder with = TestServer.with();
        start(shared ? with.sharedSockets().start() : with.start());
    }

    /** A packet each way. */
    private void neighbourRelays() {
        neighbour.channelData(0x4000, PAYLOAD);
        assertEquals(List.of(TEXT), server.receivedBy(NEIGHBOURS_PEER));
        server.peerSends(NEIGHBOURS_PEER, neighboursRelayed, PAYLOAD);
        assertTrue(neighbour.takeOne().isChannelData());
        neighboursTurns++;
    }

    @AfterEach
    void theNeighbourWasHeardAllTheTime() {
        assertTrue(neighboursTurns >= 40, "turns: " + neighboursTurns);
        assertEquals(0, server.drops("engine-fault"));
        assertEquals(1, neighbour.allocation().permissionCount());
        assertEquals(1, neighbour.allocation().channelBindingCount());
    }

    /** A host of its own for each number. */
    private static InetSocketAddress host(int number, int port) {
        return TestServer.address("203." + (number >> 16) + "." + (number >> 8 & 0xFF) + "." + (number & 0xFF), port);
    }

    /** Rows are there for the caps of the greedy one and for the neighbour, with no more room than tables take in advance. */
    private void assertTables(int permissions, int channels, int sharedPeers) {
        Worker worker = server.worker();
        assertEquals(permissions + 1, worker.permissions().size());
        assertEquals(channels + 1, worker.channelBindings().size());
        assertEquals(sharedPeers, worker.sharedPeers().size());
        int room = 2 * Math.max(PERMISSIONS, CHANNELS);
        assertTrue(worker.permissions().deadlines().length <= room);
        assertTrue(worker.channelBindings().deadlines().length <= room);
        assertTrue(worker.allocations().deadlines().length <= 64);
    }

    /** How many slices a pass takes where none is longer than 1,024 rows of a table. */
    private int slicesOfAPass() {
        server.nanosPerLook = Duration.ofMillis(1).toNanos();
        int slices = 1;
        while (server.worker().sweep()) {
            slices++;
        }
        server.nanosPerLook = 0;
        return slices;
    }

    @ParameterizedTest(name = "shared sockets: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("RFC8656§10.2")
    @DisplayName("that names 100,000 hosts has its permissions, and is answered 508 from then on")
    void thatNamesHostsHasItsPermissions(boolean shared) {
        start(shared);
        alice.allocate();
        int each = 250;
        int refused = 0;
        for (int first = 0; first < NAMED; first += each) {
            InetSocketAddress[] peers = new InetSocketAddress[each];
            for (int i = 0; i < each; i++) {
                peers[i] = host(first + i, 0);
            }
            Answer answer = alice.createPermission(peers);
            if (!answer.isSuccess()) {
                assertEquals(508, answer.error());
                refused++;
            }
            neighbourRelays();
        }
        int granted = PERMISSIONS / each;
        assertEquals(NAMED / each - granted, refused);
        assertTables(granted * each, 0, shared ? 1 : 0);
        assertEquals(slicesBefore, slicesOfAPass());
        neighbourRelays();
    }

    @Test
    @Tag("RFC8656§10.2")
    @DisplayName("that names 100,000 endpoints on a shared socket has its peers, and is answered 508 from then on")
    void thatNamesEndpointsHasItsPeers() {
        start(true);
        alice.allocate();
        int each = 100;
        int refused = 0;
        for (int first = 0; first < NAMED; first += each) {
            InetSocketAddress[] peers = new InetSocketAddress[each];
            for (int i = 0; i < each; i++) {
                peers[i] = host(first + i, 1 + (first + i) % 60_000);
            }
            Answer answer = alice.createPermission(peers);
            if (!answer.isSuccess()) {
                assertEquals(508, answer.error());
                refused++;
            }
            neighbourRelays();
        }
        int granted = SHARED_PEERS / each;
        assertEquals(NAMED / each - granted, refused);
        assertEquals(granted * each, alice.allocation().sharedPeerCount());
        assertTables(granted * each, 0, granted * each + 1);

        succeeded(alice.refresh(0));
        assertTables(0, 0, 1);
        TestClient carol = server.client("192.0.2.30", 50_000, "carol", "carol-secret");
        carol.allocate();
        succeeded(carol.createPermission(host(0, 1)));
    }

    @ParameterizedTest(name = "shared sockets: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("RFC8656§11.2")
    @DisplayName("that sends to 100,000 endpoints leaves its peers behind, and no more than that")
    void thatSendsToEndpointsLeavesItsPeers(boolean shared) {
        start(shared);
        alice.allocate();
        succeeded(alice.createPermission(host(0, 0), host(1, 0)));
        long before = server.network.datagramsSent;
        for (int i = 0; i < NAMED; i++) {
            alice.sendIndication(host(i % 2, 1 + i / 2), PAYLOAD);
            if (i % 1_000 == 0) {
                neighbourRelays();
            }
        }
        long sent = server.network.datagramsSent - before - NAMED / 1_000;
        assertEquals(shared ? SHARED_PEERS : NAMED, sent);
        assertEquals(NAMED - sent, server.drops("shared-peer-taken"));
        assertTables(2, 0, shared ? SHARED_PEERS + 1 : 0);

        for (int i = 0; i < NAMED; i++) {
            alice.sendIndication(host(2 + i, 9), PAYLOAD);
            if (i % 1_000 == 0) {
                neighbourRelays();
            }
        }
        assertEquals(NAMED, server.drops("no-permission"));
        assertTables(2, 0, shared ? SHARED_PEERS + 1 : 0);
    }

    @ParameterizedTest(name = "shared sockets: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("RFC8656§12.2")
    @DisplayName("that binds every channel number there is has its channels, and is answered 508 from then on")
    void thatBindsEveryNumberHasItsChannels(boolean shared) {
        TestServer.Builder with = TestServer.with().relay("legacyChannelNumbers", "true");
        start(shared ? with.sharedSockets().start() : with.start());
        alice.allocate();
        int refused = 0;
        for (int number = 0x4000; number <= 0x7FFE; number++) {
            Answer answer = alice.channelBind(number, host(number % 1_000, 1 + number));
            if (!answer.isSuccess()) {
                assertEquals(508, answer.error());
                refused++;
            }
            if (number % 100 == 0) {
                neighbourRelays();
            }
        }
        int bound = shared ? SHARED_PEERS : CHANNELS;
        assertEquals(0x7FFF - 0x4000 - bound, refused);
        assertEquals(bound, alice.allocation().channelBindingCount());
        assertTables(Math.min(bound, 1_000), bound, shared ? SHARED_PEERS + 1 : 0);
        assertTrue(slicesOfAPass() <= slicesBefore + 1);
        neighbourRelays();
    }

    @Test
    @Tag("RFC8656§12.2")
    @DisplayName("that claims another's peer again and again is refused each time, and leaves nothing behind")
    void thatClaimsAnothersPeerIsRefused() {
        start(true);
        alice.allocate();
        int claims = 2_000;
        for (int i = 0; i < claims; i++) {
            assertEquals(
                    508, alice.channelBind(0x4000 + i % 0x1000, NEIGHBOURS_PEER).error());
            assertEquals(
                    508, alice.createPermission(host(i, 9), NEIGHBOURS_PEER).error());
            neighbourRelays();
        }
        assertTables(0, 0, 1);
        succeeded(alice.createPermission(TestServer.address("198.18.0.1", 0)));
        for (int i = 0; i < claims; i++) {
            alice.sendIndication(NEIGHBOURS_PEER, PAYLOAD);
            neighbourRelays();
        }
        assertEquals(claims, server.drops("shared-peer-taken"));
        assertEquals(0, alice.allocation().sharedPeerCount());
        assertTables(1, 0, 1);
        assertTrue(alice.take().isEmpty(), "it hears nothing of the neighbour's");
    }

    @ParameterizedTest(name = "shared sockets: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("RFC8656§7.2")
    @Tag("RFC8656§8.2")
    @DisplayName("that makes and drops allocations as fast as it can leaves nothing behind")
    void thatMakesAndDropsAllocationsLeavesNothing(boolean shared) {
        start(shared);
        int sockets = server.network.openSockets();
        int ports = server.state.ports().inUse();
        for (int i = 0; i < 5_000; i++) {
            TestClient greedy = server.client("192.0.2.77", 1_024 + i, "alice", "alice-secret");
            greedy.challenge();
            succeeded(greedy.allocateRequest().additionalFamily(2).send());
            succeeded(greedy.channelBind(0x4000, host(i, 9)));
            succeeded(greedy.refresh(0));
            assertEquals(1, greedy.path.ended);
            if (i % 20 == 0) {
                neighbourRelays();
            }
        }
        assertEquals(1, server.worker().allocations().size());
        assertEquals(sockets, server.network.openSockets());
        assertEquals(ports, server.state.ports().inUse());
        assertTables(0, 0, shared ? 1 : 0);
        assertEquals(slicesBefore, slicesOfAPass());
    }

    @ParameterizedTest(name = "shared sockets: {0}")
    @ValueSource(booleans = {false, true})
    @Tag("RFC8656§7.2")
    @DisplayName("that makes allocations and keeps them has its quota, and is answered 486 from then on")
    void thatKeepsAllocationsHasItsQuota(boolean shared) {
        TestServer.Builder with = TestServer.with().relay("allocationsPerUser", 10);
        start(shared ? with.sharedSockets().start() : with.start());
        int refused = 0;
        for (int i = 0; i < 2_000; i++) {
            TestClient greedy = server.client("192.0.2.77", 1_024 + i, "alice", "alice-secret");
            greedy.challenge();
            Answer answer = greedy.allocateRequest().send();
            if (!answer.isSuccess()) {
                assertEquals(486, answer.error());
                refused++;
            }
            if (i % 20 == 0) {
                neighbourRelays();
            }
        }
        assertEquals(2_000 - 10, refused);
        assertEquals(11, server.worker().allocations().size());
        assertTables(0, 0, shared ? 1 : 0);
        server.client("192.0.2.30", 50_000, "carol", "carol-secret").allocate();
    }
}
