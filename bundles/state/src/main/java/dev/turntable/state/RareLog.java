package dev.turntable.state;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** Warnings that may come for each packet are written once a minute, with the number of those that were not. Any thread. */
final class RareLog {
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Logger logger;
    private final AtomicLong nextAtNanos = new AtomicLong(Long.MIN_VALUE);
    private final AtomicLong unwritten = new AtomicLong();

    RareLog(Logger logger) {
        this.logger = logger;
    }

    /**
     * Writes a line, or counts it.
     *
     * @param nowNanos in the time of {@link ServerState#nanos()}
     * @param message with one place for {@code subject}
     */
    void warn(long nowNanos, String message, Object subject, Throwable cause) {
        long next = nextAtNanos.get();
        if (nowNanos < next || !nextAtNanos.compareAndSet(next, nowNanos + PAUSE_NANOS)) {
            unwritten.incrementAndGet();
            return;
        }
        long before = unwritten.getAndSet(0);
        logger.warn(
                before == 0 ? message : message + " (and " + before + " more since the last such line)",
                subject,
                cause);
    }
}
