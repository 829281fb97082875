package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.EngineInfo;
import dev.turntable.api.event.EngineObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Swaps under loops with threads of their own, which always have a packet to read. Seen to fail without the pause, and without the task
 * that passes through each loop after the slot has changed.
 */
class EngineSlotTest {
    private static final int WORKERS = 2;
    private static final int SWAPS = 20;
    private final List<ThreadLoop> loops = new ArrayList<>();

    private ServerState server(int swapWaitMillis) {
        return new ServerState(Platter.configuration(WORKERS, 50000, 50099, false, swapWaitMillis), System::nanoTime);
    }

    private void startLoops(ServerState server) {
        for (int i = 0; i < WORKERS; i++) {
            ThreadLoop loop = new ThreadLoop(server.worker(i));
            loops.add(loop);
            server.worker(i).attach(loop);
            loop.start();
        }
    }

    @AfterEach
    void stopLoops() throws InterruptedException {
        for (ThreadLoop loop : loops) {
            loop.close();
            assertNull(loop.failure);
        }
    }

    private long lost() {
        return loops.stream().mapToLong(loop -> loop.lost.get()).sum();
    }

    private void awaitPackets(int more) {
        for (ThreadLoop loop : loops) {
            long before = loop.judged.get();
            while (loop.judged.get() < before + more) {
                Thread.yield();
            }
        }
    }

    private void swapInPlace(ServerState server) {
        FakeEngine engine = new FakeEngine("0");
        server.engineSlot().bind(engine, 1);
        for (int i = 1; i <= SWAPS; i++) {
            awaitPackets(10);
            server.engineSlot().unbind(engine);
            engine.gone = true;
            assertFalse(engine.calledWhenGone, "called after it was let go");
            FakeEngine next = new FakeEngine(Integer.toString(i));
            server.engineSlot().bind(next, 1);
            awaitPackets(10);
            assertFalse(engine.calledWhenGone, "called after it was let go");
            engine = next;
        }
    }

    @Test
    void aSwapInPlaceReadsNoPacketWithoutAnEngine() {
        ServerState server = server(20_000);
        startLoops(server);
        assertTimeoutPreemptively(Duration.ofSeconds(60), () -> swapInPlace(server));
        assertEquals(0, lost());
    }

    /** The control: without the pause the same swaps lose packets, so the test before is able to fail. */
    @Test
    void withoutThePauseTheSameSwapsLosePackets() {
        System.setProperty("dev.turntable.state.swapWithoutPause", "true");
        try {
            ServerState server = server(20_000);
            startLoops(server);
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> swapInPlace(server));
        } finally {
            System.clearProperty("dev.turntable.state.swapWithoutPause");
        }
        assertTrue(lost() > 0, "nothing was lost");
    }

    @Test
    void sideBySideThereIsNoGapAndTheOldEngineIsLeftBeforeUnbindReturns() {
        ServerState server = server(20_000);
        startLoops(server);
        FakeEngine engine = new FakeEngine("0");
        server.engineSlot().bind(engine, 1);
        for (int i = 1; i <= SWAPS; i++) {
            awaitPackets(5);
            FakeEngine next = new FakeEngine(Integer.toString(i));
            server.engineSlot().bind(next, 1);
            server.engineSlot().unbind(engine);
            engine.gone = true;
            awaitPackets(5);
            assertFalse(engine.calledWhenGone);
            assertSame(next, server.engineSlot().current());
            engine = next;
        }
        assertEquals(0, lost());
        assertTrue(server.engineSlot().history().newestFirst().stream().allMatch(info -> info.gapMillis() == 0));
    }

    @Test
    void swapsThatComeAtTheSameTimeComeOneAfterTheOther() throws Exception {
        ServerState server = server(20_000);
        startLoops(server);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> swapping = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            swapping.add(threads.submit(() -> {
                for (int i = 0; i < SWAPS; i++) {
                    FakeEngine engine = new FakeEngine("x");
                    server.engineSlot().bind(engine, 1);
                    server.engineSlot().unbind(engine);
                    engine.gone = true;
                    assertFalse(engine.calledWhenGone);
                }
            }));
        }
        for (Future<?> one : swapping) {
            one.get();
        }
        threads.shutdown();
        FakeEngine last = new FakeEngine("last");
        server.engineSlot().bind(last, 1);
        awaitPackets(10);
        assertEquals(0, lost());
        assertSame(last, server.engineSlot().current());
    }

    @Test
    void aWorkerThatIsStuckHoldsASwapOnlySoLong() throws Exception {
        ServerState server = server(50);
        startLoops(server);
        FakeEngine engine = new FakeEngine("1");
        server.engineSlot().bind(engine, 1);
        CountDownLatch stuck = new CountDownLatch(1);
        CountDownLatch inTask = new CountDownLatch(1);
        loops.get(0).execute(() -> {
            inTask.countDown();
            try {
                stuck.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        inTask.await();
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> server.engineSlot().unbind(engine));
        assertNull(server.engineSlot().current());
        stuck.countDown();
    }

    @Test
    void withoutLoopsASwapWaitsForNothing() {
        ServerState server = server(20_000);
        FakeEngine engine = new FakeEngine("1");
        server.engineSlot().bind(engine, 1);
        assertTimeoutPreemptively(
                Duration.ofSeconds(10), () -> server.engineSlot().unbind(engine));
        assertNull(server.engineSlot().current());
    }

    @Test
    void aLoopThatComesWhileThereIsNoEngineBeginsPaused() {
        ServerState server = server(2_000);
        HandLoop early = new HandLoop();
        server.worker(0).attach(early);
        early.runAll();
        assertFalse(early.reading);
        server.engineSlot().bind(new FakeEngine("1"), 1);
        early.runAll();
        assertTrue(early.reading);
        HandLoop late = new HandLoop();
        server.worker(1).attach(late);
        late.runAll();
        assertTrue(late.reading);
    }

    @Test
    void theHistoryHasThe32NewestAndTheGapOfEach() {
        Platter platter = new Platter();
        EngineSlot slot = platter.server.engineSlot();
        for (int i = 0; i < 40; i++) {
            FakeEngine engine = new FakeEngine(Integer.toString(i));
            slot.bind(engine, 100 + i);
            slot.unbind(engine);
            platter.clock.addAndGet(2_500_000);
        }
        slot.bind(new FakeEngine("40"), 140);
        List<EngineInfo> history = new ManagedServer(platter.server).engines();
        assertEquals(32, history.size());
        assertEquals("40", history.get(0).version());
        assertEquals(140, history.get(0).bundleId());
        assertEquals(2.5, history.get(0).gapMillis());
        assertEquals(40, history.get(0).swaps());
        assertTrue(history.get(0).current());
        assertEquals("39", history.get(1).version());
        assertEquals(1, history.stream().filter(EngineInfo::current).count());
        assertSame(history.get(0), new ManagedServer(platter.server).info().engine());
    }

    @Test
    void observersAreToldOfEachSwapAndTheirFailureIsTheirs() {
        ServerState server = server(2_000);
        List<String> told = new ArrayList<>();
        server.engineSlot().addObserver(new EngineObserver() {
            @Override
            public void engineChanged(EngineInfo previous, EngineInfo current) {
                told.add((previous == null ? "-" : previous.version()) + ">" + current.version());
                throw new IllegalStateException("an observer's bug");
            }

            @Override
            public void engineGone(EngineInfo last) {
                told.add(last.version() + " gone");
            }
        });
        FakeEngine one = new FakeEngine("1");
        FakeEngine two = new FakeEngine("2");
        server.engineSlot().bind(one, 1);
        server.engineSlot().bind(two, 2);
        server.engineSlot().unbind(one);
        server.engineSlot().unbind(two);
        server.engineSlot().bind(one, 1);
        assertEquals(List.of("->1", "1>2", "2 gone", "2>1"), told);
    }

    @Test
    void anEngineThatIsAbsentTooLongIsAWarningUntilOneComes() {
        Platter platter = new Platter();
        assertFalse(hasAbsenceWarning(platter));
        platter.advanceSeconds(9);
        assertFalse(hasAbsenceWarning(platter));
        platter.advanceSeconds(1);
        assertFalse(platter.worker.sweep());
        assertTrue(hasAbsenceWarning(platter));
        FakeEngine engine = new FakeEngine("1");
        platter.server.engineSlot().bind(engine, 1);
        assertFalse(hasAbsenceWarning(platter));
        platter.advanceSeconds(100);
        platter.server.engineSlot().unbind(engine);
        assertFalse(hasAbsenceWarning(platter));
        platter.advanceSeconds(10);
        assertTrue(hasAbsenceWarning(platter));
        assertNotNull(platter.server);
    }

    private static boolean hasAbsenceWarning(Platter platter) {
        return new ManagedServer(platter.server)
                .info().warnings().stream().anyMatch(warning -> warning.contains("no relay engine"));
    }
}
