package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.state.SharedPeers.Claim;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class WorkerTest {
    private static final long PEER = Platter.IPV4 | 0xC633_6401L;
    private final Platter platter = new Platter();
    private final Worker worker = platter.worker;

    private int permit(Allocation allocation, long lo) {
        return worker.permissions().add(allocation, 0, lo, 0, Long.MAX_VALUE);
    }

    private void assertNothingIsLeft() {
        assertEquals(0, worker.allocations().size());
        assertEquals(0, worker.allocations().rows());
        assertEquals(0, worker.permissions().size());
        assertEquals(0, worker.channelBindings().size());
        assertEquals(0, worker.sharedPeers().size());
        assertEquals(0, platter.server.ports().inUse());
        assertEquals(0, platter.server.userCounts().of("alice"));
    }

    @Tag("RFC8656§8")
    @Test
    void theTeardownTakesEverythingAndTheSecondTimeNothing() {
        FakePath path = platter.newPath();
        Allocation allocation = platter.newAllocation(path);
        FakeSocket ipv4 = platter.relay(allocation, false, Long.MAX_VALUE);
        FakeSocket ipv6 = platter.relay(allocation, true, Long.MAX_VALUE);
        int permission = permit(allocation, PEER);
        worker.permissions().add(allocation, Platter.IPV6, 5, 0, Long.MAX_VALUE);
        worker.channelBindings().add(allocation, permission, 9, 0x4000, Long.MAX_VALUE);
        Allocation other = platter.newAllocation();
        platter.relay(other, false, 77);

        worker.delete(allocation, ReapReason.REFRESH_ZERO);
        worker.delete(allocation, ReapReason.EXPIRED);

        assertTrue(allocation.isEnded());
        assertEquals(1, ipv4.timesClosed);
        assertEquals(1, ipv6.timesClosed);
        assertEquals(1, path.timesEnded);
        assertNull(allocation.relayed(false));
        assertEquals(0, allocation.deadlineNanos(false));
        allocation.setDeadlineNanos(false, 5);
        assertEquals(77, other.deadlineNanos(false));
        assertEquals(1, platter.server.userCounts().of("alice"));
        worker.delete(other, ReapReason.MANAGEMENT);
        assertNothingIsLeft();
        assertEquals(1, new ManagedServer(platter.server).counters().get("allocations.ended.refresh-zero"));
        assertEquals(0, new ManagedServer(platter.server).counters().get("allocations.ended.expired"));
    }

    @Test
    void theTeardownGoesOnWhenASocketDoesNotCloseAndAPathFails() {
        FakePath path = platter.newPath();
        path.failsAtItsEnd = true;
        Allocation allocation = platter.newAllocation(path);
        platter.relay(allocation, false, Long.MAX_VALUE).failsToClose = true;
        FakeSocket ipv6 = platter.relay(allocation, true, Long.MAX_VALUE);
        permit(allocation, PEER);
        worker.delete(allocation, ReapReason.CONNECTION_LOST);
        assertEquals(1, ipv6.timesClosed);
        assertEquals(1, path.timesEnded);
        assertNothingIsLeft();
    }

    @Tag("RFC8656§8")
    @Test
    void oneFamilyOfTwoGoesWithItsPermissionsAndTheLastTakesTheAllocation() {
        FakePath path = platter.newPath();
        Allocation allocation = platter.newAllocation(path);
        FakeSocket ipv4 = platter.relay(allocation, false, 11);
        FakeSocket ipv6 = platter.relay(allocation, true, 22);
        int ofIPv4 = permit(allocation, PEER);
        int ofIPv6 = worker.permissions().add(allocation, Platter.IPV6, 5, 0, Long.MAX_VALUE);
        worker.channelBindings().add(allocation, ofIPv4, 9, 0x4000, Long.MAX_VALUE);
        int kept = worker.channelBindings().add(allocation, ofIPv6, 9, 0x4001, Long.MAX_VALUE);

        worker.deleteRelayed(allocation, false, ReapReason.EXPIRED);
        assertFalse(allocation.isEnded());
        assertEquals(1, ipv4.timesClosed);
        assertEquals(0, ipv6.timesClosed);
        assertEquals(22, allocation.deadlineNanos(true));
        assertEquals(ofIPv6, worker.permissions().first(allocation));
        assertEquals(kept, worker.channelBindings().byNumber(allocation, 0x4001));
        assertEquals(1, worker.channelBindings().size());
        assertEquals(1, platter.server.ports().inUse());

        worker.deleteRelayed(allocation, false, ReapReason.EXPIRED);
        assertFalse(allocation.isEnded());
        worker.deleteRelayed(allocation, true, ReapReason.EXPIRED);
        assertTrue(allocation.isEnded());
        assertEquals(1, path.timesEnded);
        assertNothingIsLeft();
    }

    @Test
    void aPermissionWithAChannelBoundToItsPeerIsNotRemoved() {
        Allocation allocation = platter.newAllocation();
        int permission = permit(allocation, PEER);
        int binding = worker.channelBindings().add(allocation, permission, 9, 0x4000, 5);
        assertThrows(IllegalStateException.class, () -> worker.permissions().remove(permission));
        worker.channelBindings().remove(binding);
        worker.permissions().remove(permission);
        assertEquals(0, worker.permissions().size());
    }

    @Test
    void aSecondClaimToAPeerEndpointOfASharedSocketIsRefusedAndTheFirstUnharmed() {
        FakeSocket socket = platter.newSharedSocket(false, 40000);
        Allocation first = platter.newSharedAllocation(socket);
        Allocation second = platter.newSharedAllocation(socket);
        SharedPeers peers = worker.sharedPeers();
        assertEquals(Claim.OWN, peers.claim(first, 0, PEER, 9, 256));
        assertEquals(Claim.OWN, peers.claim(first, 0, PEER, 9, 256));
        assertEquals(Claim.TAKEN, peers.claim(second, 0, PEER, 9, 256));
        assertEquals(Claim.OWN, peers.claim(second, 0, PEER, 10, 256));
        assertSame(first, peers.find(socket, 0, PEER, 9));
        assertSame(second, peers.find(socket, 0, PEER, 10));
        assertNull(peers.find(socket, 0, PEER, 11));
        worker.delete(first, ReapReason.EXPIRED);
        assertEquals(Claim.OWN, peers.claim(second, 0, PEER, 9, 256));
        assertEquals(0, socket.timesClosed);
    }

    @Test
    void anAllocationHasAtMostSoManyPeerEndpointsAndAReapedPermissionFreesItsOwn() {
        FakeSocket socket = platter.newSharedSocket(false, 40000);
        Allocation allocation = platter.newSharedAllocation(socket);
        int permission = permit(allocation, PEER);
        SharedPeers peers = worker.sharedPeers();
        for (int port = 0; port < 100; port++) {
            assertEquals(Claim.OWN, peers.claim(allocation, 0, PEER + port % 2, port, 100));
        }
        assertEquals(Claim.FULL, peers.claim(allocation, 0, PEER, 1000, 100));
        assertEquals(Claim.OWN, peers.claim(allocation, 0, PEER, 98, 100));
        worker.permissions().remove(permission);
        assertEquals(50, peers.size());
        assertNull(peers.find(socket, 0, PEER, 98));
        assertSame(allocation, peers.find(socket, 0, PEER + 1, 99));
        assertEquals(Claim.OWN, peers.claim(allocation, 0, PEER, 1000, 100));
        worker.delete(allocation, ReapReason.EXPIRED);
        assertNothingIsLeft();
    }

    @Test
    void onASocketOfItsOwnAnAllocationNeedsNoClaim() {
        Allocation allocation = platter.newAllocation();
        platter.relay(allocation, false, Long.MAX_VALUE);
        assertEquals(Claim.OWN, worker.sharedPeers().claim(allocation, 0, PEER, 9, 0));
        assertEquals(0, worker.sharedPeers().size());
    }

    @Test
    void theSameEndpointIsOnEachSharedSocketAnotherOne() {
        FakeSocket one = platter.newSharedSocket(false, 40000);
        FakeSocket two = platter.newSharedSocket(false, 40004);
        Allocation first = platter.newSharedAllocation(one);
        Allocation second = platter.newSharedAllocation(two);
        assertEquals(Claim.OWN, worker.sharedPeers().claim(first, 0, PEER, 9, 1));
        assertEquals(Claim.OWN, worker.sharedPeers().claim(second, 0, PEER, 9, 1));
        assertSame(first, worker.sharedPeers().find(one, 0, PEER, 9));
        assertSame(second, worker.sharedPeers().find(two, 0, PEER, 9));
    }

    @Test
    void theLeastLoadedSharedSocketOfTheFamilyIsNext() {
        assertNull(worker.sharedPeers().leastLoaded(false));
        FakeSocket one = platter.newSharedSocket(false, 40000);
        FakeSocket ipv6 = platter.newSharedSocket(true, 40001);
        FakeSocket two = platter.newSharedSocket(false, 40004);
        Allocation first = platter.newSharedAllocation(one);
        assertSame(two, worker.sharedPeers().leastLoaded(false));
        assertSame(ipv6, worker.sharedPeers().leastLoaded(true));
        platter.newSharedAllocation(two);
        platter.newSharedAllocation(two);
        assertSame(one, worker.sharedPeers().leastLoaded(false));
        assertTrue(platter.server.ports().isLive(false, 40000));
        worker.delete(first, ReapReason.EXPIRED);
        assertFalse(platter.server.ports().isLive(false, 40000));
        worker.sharedPeers().removeSocket(one);
        assertSame(two, worker.sharedPeers().leastLoaded(false));
    }

    /** So many that five-tuples meet in the hash table, as they do not in a small one. */
    @Tag("RFC8656§5")
    @Test
    void amongThousandsThatComeAndGoEachFiveTupleFindsItsOwn() {
        Allocation[] byPort = new Allocation[5_000];
        for (int step = 0; step < 20_000; step++) {
            int port = (int) (step * 2_654_435_761L % byPort.length);
            if (byPort[port] == null) {
                byPort[port] = platter.newAllocation(new FakePath(1, PEER, port));
            } else {
                worker.delete(byPort[port], ReapReason.EXPIRED);
                byPort[port] = null;
            }
            if (step % 1_000 == 0) {
                for (int sought = 0; sought < byPort.length; sought++) {
                    assertSame(byPort[sought], worker.allocations().byFiveTuple(1, 0, PEER, sought));
                }
            }
        }
        assertNull(worker.allocations().byFiveTuple(2, 0, PEER, 1));
    }

    @Test
    void transportStopsAndEveryAllocationEnds() {
        HandLoop loop = new HandLoop();
        worker.attach(loop);
        List<FakePath> paths = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            FakePath path = platter.newPath();
            paths.add(path);
            platter.relay(platter.newAllocation(path), false, Long.MAX_VALUE);
        }
        assertNotNull(worker.loop());
        worker.detach();
        assertNull(worker.loop());
        paths.forEach(path -> assertEquals(1, path.timesEnded));
        assertNothingIsLeft();
    }

    @Tag("RFC8656§7.2")
    @Test
    void theTransactionThatMadeItIsKnownAndTheResponseKept() {
        Allocation allocation = platter.newAllocation();
        assertTrue(allocation.madeBy(7, 9));
        assertFalse(allocation.madeBy(7, 8));
        assertNull(allocation.response());
        byte[] response = {1, 2};
        allocation.setResponse(response);
        assertSame(response, allocation.response());
        allocation.setEngineBytes(new byte[64]);
        assertThrows(IllegalArgumentException.class, () -> allocation.setEngineBytes(new byte[65]));
    }

    @Test
    void timeIsTheCachedOneUntilTheClockIsReadAndBeginsAtZero() {
        assertEquals(0, worker.now());
        platter.clock.addAndGet(1_000);
        assertEquals(0, worker.now());
        assertEquals(1_000, worker.renewClock());
        assertEquals(1_000, worker.now());
    }

    @Test
    void theSweepReadsTheClockAndAsksTheEngineAndOutlivesItsFailure() {
        assertFalse(worker.sweep());
        FakeEngine engine = new FakeEngine("1");
        platter.server.engineSlot().bind(engine, 1);
        platter.clock.addAndGet(5);
        worker.sweep();
        assertEquals(5, worker.now());
        engine.failure = new IllegalStateException("a bug");
        assertFalse(worker.sweep());
        assertEquals(2, engine.sweeps.get());
    }
}
