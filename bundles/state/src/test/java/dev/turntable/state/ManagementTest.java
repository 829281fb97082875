package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.AllocationId;
import dev.turntable.api.AllocationInfo;
import dev.turntable.api.ServerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What commands see, asked from a thread that is no worker's. */
class ManagementTest {
    private static final long SECOND = 1_000_000_000L;
    private final Platter platter = new Platter(Platter.configuration(50000, 51999, false));
    private final ManagedAllocations managed = new ManagedAllocations(platter.server);
    private final ThreadLoop loop = new ThreadLoop(platter.worker);

    @BeforeEach
    void start() {
        platter.worker.attach(loop);
        loop.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        loop.close();
    }

    private void onLoop(Runnable task) {
        FutureTask<Void> done = new FutureTask<>(task, null);
        loop.execute(done);
        try {
            done.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aListingOfThousandsIsSortedAndComplete() {
        onLoop(() -> {
            for (int i = 0; i < 1_500; i++) {
                platter.relay(platter.newAllocation(), false, 10 * SECOND);
            }
        });
        List<AllocationInfo> all = managed.list();
        assertEquals(1_500, all.size());
        assertEquals(1_500, managed.count());
        List<AllocationInfo> sorted = new ArrayList<>(all);
        sorted.sort((a, b) -> a.id().compareTo(b.id()));
        assertEquals(sorted, all);
        ServerInfo info = new ManagedServer(platter.server).info();
        assertEquals(1_500, info.allocations());
        assertEquals(1_500, info.relayedPortsInUse());
        assertEquals("dedicated", info.relayedSockets());
        assertEquals(List.of("192.0.2.1", "2001:db8::1"), info.relayedAddresses());
        assertEquals(1_500, new ManagedServer(platter.server).counters().get("allocations.made"));
    }

    @Test
    void oneAllocationIsToldWithItsPermissionsAndChannels() {
        Allocation[] made = new Allocation[1];
        onLoop(() -> {
            Allocation allocation = platter.newAllocation();
            made[0] = allocation;
            platter.relay(allocation, true, 10 * SECOND + 1);
            int permission = platter.worker.permissions().add(allocation, Platter.IPV6, 7, 0, 300 * SECOND);
            platter.worker.channelBindings().add(allocation, permission, 9, 0x4001, 600 * SECOND);
            allocation.countToPeer(100);
            allocation.countToClient(20);
            allocation.countToClient(30);
        });
        platter.clock.addAndGet(5 * SECOND);
        AllocationInfo info = managed.find(made[0].id()).orElseThrow();
        assertEquals("alice", info.username());
        assertEquals(5, info.ageSeconds());
        assertEquals(6, info.relayedAddresses().get(0).lifetimeSeconds());
        assertEquals(List.of(new AllocationInfo.Permission("2001:db8::7", 295)), info.permissions());
        assertEquals(0x4001, info.channelBindings().get(0).channelNumber());
        assertEquals(9, info.channelBindings().get(0).peerAddress().getPort());
        assertEquals(new AllocationInfo.Traffic(1, 100), info.fromClient());
        assertEquals(new AllocationInfo.Traffic(2, 50), info.fromPeers());
        assertEquals(50, new ManagedServer(platter.server).counters().get("relayed.to-client.bytes"));
        assertTrue(managed.list().get(0).permissions().isEmpty());
    }

    @Test
    void aDeletedAllocationIsGoneAndAnUnknownOneIsNotFound() {
        Allocation[] made = new Allocation[1];
        onLoop(() -> {
            made[0] = platter.newAllocation();
            platter.relay(made[0], false, 10 * SECOND);
        });
        AllocationId id = made[0].id();
        assertTrue(managed.delete(id));
        assertFalse(managed.delete(id));
        assertTrue(managed.find(id).isEmpty());
        assertTrue(managed.find(new AllocationId(9, 1)).isEmpty());
        assertEquals(0, managed.count());
        assertEquals(0, platter.server.ports().inUse());
        assertEquals(1, new ManagedServer(platter.server).counters().get("allocations.ended.management"));
    }

    @Test
    void dropsAreCountedByName() {
        int reason = platter.server.dropReasons().register("not-stun");
        onLoop(() -> platter.worker.drops().add(reason));
        assertEquals(1, new ManagedServer(platter.server).counters().get("drop.not-stun"));
    }
}
