package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** What is done for each packet, and each refresh, makes no object. */
class GarbageTest {
    private static final int ROUNDS = 100_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Platter platter = new Platter();
    private final Worker worker = platter.worker;
    private long sum;

    private static void assertNoBytes(Runnable work) {
        work.run();
        work.run();
        long before = THREADS.getCurrentThreadAllocatedBytes();
        long nothing = THREADS.getCurrentThreadAllocatedBytes() - before;
        before = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        long bytes = THREADS.getCurrentThreadAllocatedBytes() - before - nothing;
        assertEquals(0, bytes / ROUNDS, "bytes in each round");
    }

    @Test
    void findingAndRefreshingMakeNoObject() {
        Allocation allocation = platter.newAllocation();
        platter.relay(allocation, false, 1);
        FakeSocket shared = platter.newSharedSocket(false, 40000);
        Allocation onShared = platter.newSharedAllocation(shared);
        int permission = worker.permissions().add(allocation, 0, Platter.IPV4 | 1, 0, 1);
        int binding = worker.channelBindings().add(allocation, permission, 9, 0x4000, 1);
        worker.sharedPeers().claim(onShared, 0, Platter.IPV4 | 1, 9, 10);
        ClientPath path = allocation.path();
        int reason = platter.server.dropReasons().register("not-stun");
        assertNoBytes(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                sum += worker.allocations()
                        .byFiveTuple(path.localEnd(), path.clientHi(), path.clientLo(), path.clientPort())
                        .deadlineNanos(false);
                sum += worker.permissions().find(allocation, 0, Platter.IPV4 | i);
                sum += worker.channelBindings().byNumber(allocation, 0x4000);
                sum += worker.channelBindings().byPeer(allocation, 0, Platter.IPV4 | 1, 9);
                sum += worker.channelBindings().deadlineNanos(binding);
                sum += worker.sharedPeers().find(shared, 0, Platter.IPV4 | 1, 9).isEnded() ? 1 : 0;
                sum += worker.sharedPeers().claim(onShared, 0, Platter.IPV4 | 1, 9, 10) == SharedPeers.Claim.OWN
                        ? 1
                        : 0;
                sum += platter.server.ports().isLive(false, i & 0xFFFF) ? 1 : 0;
                sum += platter.server.engineSlot().current() == null ? 1 : 0;
                sum += platter.server.nonceKeys().key(0, i).length;
                allocation.setDeadlineNanos(false, i);
                worker.permissions().setDeadlineNanos(permission, i);
                worker.channelBindings().setDeadlineNanos(binding, i);
                allocation.countToClient(100);
                allocation.countToPeer(100);
                worker.drops().add(reason);
                worker.sweepStatistics().countSlice(i, 1);
                worker.renewClock();
            }
        });
    }

    @Test
    void addingAndRemovingInATableThatHasGrownMakesNoObject() {
        Allocation allocation = platter.newAllocation();
        assertNoBytes(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                int permission = worker.permissions().add(allocation, 0, Platter.IPV4 | i, 0, 1);
                worker.channelBindings().remove(worker.channelBindings().add(allocation, permission, 9, 0x4000, 1));
                worker.permissions().remove(permission);
            }
        });
    }
}
