package dev.turntable.state;

import dev.turntable.api.EngineInfo;
import dev.turntable.api.event.EngineObserver;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the engine that judges packets now, and swaps it. Swaps come one after the other, however many threads ask for one; reading
 * the slot waits for none of them.
 */
public final class EngineSlot {
    private static final Logger LOGGER = LoggerFactory.getLogger(EngineSlot.class);

    /** A test sets it to see that packets are lost when a swap does not pause reading. */
    private static final String SWAP_WITHOUT_PAUSE = "dev.turntable.state.swapWithoutPause";

    private final ServerState server;
    private final boolean pauses = !Boolean.getBoolean(SWAP_WITHOUT_PAUSE);
    private final EngineHistory history = new EngineHistory();
    private final List<EngineObserver> observers = new CopyOnWriteArrayList<>();
    private final AtomicBoolean warnedOfAbsence = new AtomicBoolean();
    private volatile RelayEngine current;
    /** When reading stopped for want of an engine. */
    private volatile long absentSinceNanos;

    EngineSlot(ServerState server) {
        this.server = server;
    }

    /** The engine, or null while there is none and reading is paused. One volatile read. */
    public RelayEngine current() {
        return current;
    }

    /**
     * A new engine takes over at the next packet; reading resumes where it was paused. Not on a worker.
     *
     * @param bundleId for listings; -1 outside a framework
     */
    public void bind(RelayEngine engine, long bundleId) {
        EngineInfo before;
        EngineInfo now;
        synchronized (this) {
            if (current == engine) {
                return;
            }
            boolean resumes = current == null;
            before = history.newest();
            double gapMillis = resumes && before != null ? (server.nanos() - absentSinceNanos) / 1e6 : 0;
            int swaps = before == null ? 0 : before.swaps() + 1;
            now = new EngineInfo(versionOf(engine), bundleId, Instant.now(), true, swaps, gapMillis);
            current = engine;
            history.add(now);
            if (resumes) {
                warnedOfAbsence.set(false);
                forEachLoop(EngineSlot::resume);
            }
        }
        LOGGER.info(
                "relay engine {} (bundle {}) judges packets now, {} ms without one",
                now.version(),
                bundleId,
                now.gapMillis());
        tell(observer -> observer.engineChanged(before, now));
    }

    /**
     * An engine goes. Where it is the current one reading is paused first. Returns when no worker is in a call of it any more, or when
     * {@code swapWaitMillis} have passed. Not on a worker.
     */
    public void unbind(RelayEngine engine) {
        EngineInfo gone = null;
        synchronized (this) {
            long untilNanos = System.nanoTime()
                    + TimeUnit.MILLISECONDS.toNanos(server.configuration().swapWaitMillis());
            if (current == engine) {
                absentSinceNanos = server.nanos();
                if (pauses) {
                    onEachLoop(worker -> worker.loop().pauseReading(), untilNanos);
                }
                current = null;
                gone = history.newest();
                history.endCurrent();
            }
            // Whoever read the slot before it changed was in a task that ends before this one begins.
            onEachLoop(worker -> {}, untilNanos);
        }
        if (gone != null) {
            EngineInfo last = gone;
            LOGGER.info("relay engine {} (bundle {}) is gone: reading is paused", last.version(), last.bundleId());
            tell(observer -> observer.engineGone(last));
        }
    }

    /** A loop that comes while there is no engine begins paused. */
    synchronized void attach(Worker worker, WorkerLoop loop) {
        worker.setLoop(loop);
        if (current == null && pauses) {
            loop.execute(loop::pauseReading);
        }
    }

    private static void resume(Worker worker) {
        WorkerLoop loop = worker.loop();
        if (loop != null) {
            loop.resumeReading();
            worker.waitingRequests().deliver();
            worker.peerConnections().deliver();
        }
    }

    private void forEachLoop(Consumer<Worker> task) {
        for (int i = 0; i < server.workerCount(); i++) {
            Worker worker = server.worker(i);
            WorkerLoop loop = worker.loop();
            if (loop != null) {
                loop.execute(() -> task.accept(worker));
            }
        }
    }

    /** Runs a task on each loop, and waits for all of them, but not for ever. */
    private void onEachLoop(Consumer<Worker> task, long untilNanos) {
        CountDownLatch running = new CountDownLatch(server.workerCount());
        for (int i = 0; i < server.workerCount(); i++) {
            Worker worker = server.worker(i);
            WorkerLoop loop = worker.loop();
            if (loop == null || loop.inLoop()) {
                runOn(worker, task, running);
            } else {
                loop.execute(() -> runOn(worker, task, running));
            }
        }
        try {
            if (!running.await(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                LOGGER.warn("a swap did not wait any longer for {} workers", running.getCount());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void runOn(Worker worker, Consumer<Worker> task, CountDownLatch running) {
        try {
            if (worker.loop() != null) {
                task.accept(worker);
            }
        } finally {
            running.countDown();
        }
    }

    private static String versionOf(RelayEngine engine) {
        try {
            return engine.version();
        } catch (RuntimeException | LinkageError e) {
            LOGGER.warn("the engine does not tell its version", e);
            return "unknown";
        }
    }

    /** Engines since the server started, the newest first. Any thread. */
    EngineHistory history() {
        return history;
    }

    /** Whether there has been no engine for longer than an operator should let it be. Any thread. */
    boolean isAbsentTooLong(long nowNanos) {
        long warnNanos = TimeUnit.SECONDS.toNanos(server.configuration().engineAbsentWarnSeconds());
        return current == null && nowNanos - absentSinceNanos >= warnNanos;
    }

    /** Once for each absence, from whichever worker sees it first. */
    void warnOfAbsence(long nowNanos) {
        if (isAbsentTooLong(nowNanos) && warnedOfAbsence.compareAndSet(false, true)) {
            LOGGER.warn(
                    "no relay engine for {} s: reading is paused; start the relay bundle, and see that"
                            + " dev.turntable.relay.cfg is there",
                    TimeUnit.NANOSECONDS.toSeconds(nowNanos - absentSinceNanos));
        }
    }

    void addObserver(EngineObserver observer) {
        observers.add(observer);
    }

    void removeObserver(EngineObserver observer) {
        observers.remove(observer);
    }

    private void tell(Consumer<EngineObserver> event) {
        for (EngineObserver observer : observers) {
            try {
                event.accept(observer);
            } catch (RuntimeException | LinkageError e) {
                LOGGER.warn("an observer of engines failed", e);
            }
        }
    }
}
