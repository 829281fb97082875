package dev.turntable.selftest;

import java.util.concurrent.TimeUnit;

/**
 * How long a self-test waits.
 *
 * @param answerMillis for one answer; meanwhile the request is sent again, for a datagram may be lost, and the end of an
 *     allocation is waited for one such turn at most
 * @param listenerMillis for all calls through one listener together
 */
record Patience(long answerMillis, long listenerMillis) {
    /** Keeps the 10 seconds that {@link dev.turntable.api.SelfTest#run} promises, the ends of two allocations included. */
    static final Patience USUAL = new Patience(2000, 9000);

    private static final int TURNS = 5;

    long answerNanos() {
        return TimeUnit.MILLISECONDS.toNanos(answerMillis);
    }

    long turnNanos() {
        return answerNanos() / TURNS;
    }

    /** The {@link System#nanoTime()} at which the calls through a listener that begin now have to be over. */
    long deadlineNanos() {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(listenerMillis);
    }
}
