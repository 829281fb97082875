package dev.turntable.state;

/** What the sweep of one worker did. Written by the worker's thread, read by any. */
public final class SweepStatistics {
    public void countReapedAllocation(long latenessNanos) {
        throw new UnsupportedOperationException();
    }

    public void countReapedPermission(long latenessNanos) {
        throw new UnsupportedOperationException();
    }

    public void countReapedChannelBinding(long latenessNanos) {
        throw new UnsupportedOperationException();
    }

    public void countReapedReservations(int reservations) {
        throw new UnsupportedOperationException();
    }

    /** A slice ended. */
    public void countSlice(long durationNanos, long examined) {
        throw new UnsupportedOperationException();
    }

    /** A pass ended; its duration is the sum of its slices. */
    public void countPass() {
        throw new UnsupportedOperationException();
    }

    /** Where the pass stands, for the next slice: which table (0 none) and the row. Survives a swap. */
    public int cursorTable() {
        throw new UnsupportedOperationException();
    }

    public int cursorRow() {
        throw new UnsupportedOperationException();
    }

    public void setCursor(int table, int row) {
        throw new UnsupportedOperationException();
    }
}
