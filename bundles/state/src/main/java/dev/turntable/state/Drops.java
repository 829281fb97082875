package dev.turntable.state;

/** Counters of silent discards of one worker. */
public final class Drops {
    /** Counts one. The worker's thread. */
    public void add(int reason) {
        throw new UnsupportedOperationException();
    }

    /** Any thread; may lag. */
    public long of(int reason) {
        throw new UnsupportedOperationException();
    }
}
