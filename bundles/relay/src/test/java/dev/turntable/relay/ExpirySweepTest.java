package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.state.SweepStatistics;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("The sweep")
@Tag("RFC8656§9")
class ExpirySweepTest {
    private static final InetSocketAddress PEER = TestServer.address("203.0.113.5", 49_170);
    private static final InetSocketAddress OTHER = TestServer.address("203.0.113.6", 49_170);

    @Test
    @DisplayName("reaps channel bindings, permissions and allocations within a second of their deadline")
    void reapsWhatHasExpired() {
        reapsWhatHasExpired(TestServer.start());
    }

    @Test
    @DisplayName("is what reaps: switched off, the same test fails")
    void isWhatReaps() {
        TestServer server = TestServer.with().sweepOff().start();
        org.junit.jupiter.api.Assertions.assertThrows(AssertionError.class, () -> reapsWhatHasExpired(server));
    }

    private static void reapsWhatHasExpired(TestServer server) {
        TestClient alice = server.alice();
        alice.allocate();
        succeeded(alice.createPermission(OTHER));
        succeeded(alice.channelBind(0x4000, PEER));
        server.pass(Duration.ofSeconds(299));
        assertEquals(2, server.worker().permissions().size());
        server.pass(Duration.ofSeconds(1));
        assertEquals(1, server.worker().permissions().size(), "CreatePermission's has expired");
        succeeded(alice.refresh(600));
        server.pass(Duration.ofSeconds(300));
        assertEquals(0, server.worker().channelBindings().size());
        assertEquals(0, server.worker().permissions().size());
        assertNotNull(alice.allocation());
        server.pass(Duration.ofSeconds(300));
        assertNull(alice.allocation());
        assertEquals(0, server.network.openSockets());
        assertEquals(0, server.state.ports().inUse());
        assertEquals(1, alice.path.ended);
    }

    @Test
    @DisplayName("keeps a permission as long as a channel is bound to its peer, also where it has expired")
    void keepsThePermissionOfABinding() {
        TestServer server =
                TestServer.with().relay("channelHoldsPermission", "false").start();
        TestClient alice = server.alice();
        alice.allocate();
        succeeded(alice.channelBind(0x4000, PEER));
        server.pass(Duration.ofSeconds(400));
        assertEquals(1, server.worker().permissions().size());
        succeeded(alice.refresh(600));
        server.pass(Duration.ofSeconds(200));
        assertEquals(0, server.worker().channelBindings().size());
        assertEquals(0, server.worker().permissions().size());
    }

    @Test
    @DisplayName("reaps a mass that expires at once, over tables that shrink under the walk")
    void reapsAMass() {
        TestServer server = TestServer.start();
        for (int i = 0; i < 1_200; i++) {
            TestClient client = server.client("192.0.2.77", 1_024 + i, "alice", "alice-secret");
            client.challenge();
            succeeded(client.allocateRequest().additionalFamily(2).send());
            succeeded(client.channelBind(0x4000, PEER));
            if (i % 3 == 0) {
                succeeded(client.refresh(3_600));
            }
        }
        server.pass(Duration.ofSeconds(600));
        assertEquals(400, server.worker().allocations().size());
        assertEquals(800, server.worker().allocations().rows());
        assertEquals(0, server.worker().permissions().size());
        assertEquals(800, server.state.ports().inUse());
        assertEquals(0, server.drops("engine-fault"));
    }

    @Test
    @DisplayName("stops a slice when its budget is used up, and another engine goes on where it stood")
    void stopsASliceAtItsBudget() {
        TestServer server = TestServer.with().relay("sweepBudgetMicros", 10).start();
        for (int i = 0; i < 100; i++) {
            server.client("192.0.2.77", 1_024 + i, "alice", "alice-secret").allocate();
        }
        server.passUnswept(Duration.ofSeconds(600));
        server.nanosPerLook = 11_000;
        SweepStatistics statistics = server.worker().sweepStatistics();
        int slices = 0;
        while (server.worker().sweep()) {
            slices++;
            assertTrue(statistics.cursorTable() != 0);
            server.swapEngine();
        }
        assertTrue(slices >= 99, "slices: " + slices);
        assertEquals(0, server.worker().allocations().size());
        assertEquals(0, statistics.cursorTable());
    }
}
