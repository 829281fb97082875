package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.SweepInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Counts of users, drops and sweeps. */
class CountsTest {
    @Test
    void aUserHasAtMostSoManyAllocationsHoweverManyThreadsAsk() throws InterruptedException {
        UserCounts counts = new UserCounts();
        AtomicInteger taken = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            Thread thread = new Thread(() -> {
                for (int i = 0; i < 1000; i++) {
                    if (counts.take("alice", 100)) {
                        taken.incrementAndGet();
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(100, taken.get());
        assertEquals(100, counts.of("alice"));
        assertTrue(counts.take("bob", 1));
        assertFalse(counts.take("bob", 1));
        counts.free("bob");
        counts.free("bob");
        assertEquals(0, counts.of("bob"));
        assertTrue(counts.take("bob", 1));
        assertTrue(counts.take("bob", 0));
    }

    @Test
    void aNameOfADropHasOneNumberForEver() {
        DropReasons reasons = new DropReasons();
        int first = reasons.register("not-stun");
        assertEquals(first, reasons.register("not-stun"));
        assertEquals("not-stun", reasons.name(first));
        assertEquals("other", reasons.name(0));
        assertThrows(IllegalArgumentException.class, () -> reasons.register("Not STUN"));
    }

    @Test
    void namesBeyond256AreOtherSoThatAnEngineIsNotStoppedByThem() {
        DropReasons reasons = new DropReasons();
        for (int i = 0; i < 300; i++) {
            int reason = reasons.register("reason-" + i);
            assertEquals(i < 255 ? i + 1 : 0, reason);
        }
        assertEquals(256, reasons.size());
        assertEquals(1, reasons.register("reason-0"));
    }

    @Test
    void whatTheSweepDidIsToldInSumAndByQuantiles() {
        Platter platter = new Platter();
        SweepStatistics statistics = platter.worker.sweepStatistics();
        statistics.countSlice(100_000, 10);
        statistics.countSlice(300_000, 20);
        statistics.countPass();
        statistics.countReapedAllocation(5_000_000);
        statistics.countReapedPermission(500_000_000);
        statistics.countReapedChannelBinding(-1);
        statistics.countReapedReservations(4);
        statistics.setCursor(2, 7);
        assertEquals(2, statistics.cursorTable());
        assertEquals(7, statistics.cursorRow());
        ManagedServer managed = new ManagedServer(platter.server);
        managed.sweeps();
        SweepInfo info = managed.sweeps().get(0);
        assertEquals(1, info.passes());
        assertEquals(2, info.slices());
        assertEquals(30, info.examined());
        assertEquals(1, info.reapedAllocations());
        assertEquals(1, info.reapedPermissions());
        assertEquals(1, info.reapedChannelBindings());
        assertEquals(4, info.reapedReservations());
        assertEquals(400, info.passMicros().max(), 8);
        assertEquals(300, info.sliceMicros().max(), 6);
        assertEquals(100, info.sliceMicros().p50(), 2);
        assertEquals(500, info.latenessMillis().max(), 10);
    }
}
