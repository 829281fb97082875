package dev.turntable.transport;

import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs failures that may come with every packet: one in ten seconds, with the number of those that were not logged. One thread. */
final class FailureLog {
    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

    private boolean hasLogged;
    private long loggedAtNanos;
    private long unlogged;

    void failed(String what, Throwable failure) {
        long now = System.nanoTime();
        if (hasLogged && now - loggedAtNanos < INTERVAL_NANOS) {
            unlogged++;
            return;
        }
        LOG.error("{} ({} more since the last such line)", what, unlogged, failure);
        hasLogged = true;
        loggedAtNanos = now;
        unlogged = 0;
    }
}
