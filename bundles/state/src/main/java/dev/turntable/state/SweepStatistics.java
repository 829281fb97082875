package dev.turntable.state;

import dev.turntable.api.SweepInfo;

/** What the sweep of one worker did. Written by the worker's thread, read by any. */
public final class SweepStatistics {
    private static final int PASSES = 0;
    private static final int SLICES = 1;
    private static final int EXAMINED = 2;
    private static final int REAPED_ALLOCATIONS = 3;
    private static final int REAPED_PERMISSIONS = 4;
    private static final int REAPED_CHANNEL_BINDINGS = 5;
    private static final int REAPED_RESERVATIONS = 6;

    private final OwnedCounters counters = new OwnedCounters(7);
    private final SharedHistogram passNanos = new SharedHistogram();
    private final SharedHistogram sliceNanos = new SharedHistogram();
    private final SharedHistogram latenessNanos = new SharedHistogram();
    private long passSoFarNanos;
    private int cursorTable;
    private int cursorRow;

    SweepStatistics() {}

    public void countReapedAllocation(long latenessNanos) {
        counters.add(REAPED_ALLOCATIONS, 1);
        this.latenessNanos.record(latenessNanos);
    }

    public void countReapedPermission(long latenessNanos) {
        counters.add(REAPED_PERMISSIONS, 1);
        this.latenessNanos.record(latenessNanos);
    }

    public void countReapedChannelBinding(long latenessNanos) {
        counters.add(REAPED_CHANNEL_BINDINGS, 1);
        this.latenessNanos.record(latenessNanos);
    }

    public void countReapedReservations(int reservations) {
        counters.add(REAPED_RESERVATIONS, reservations);
    }

    /** A slice ended. */
    public void countSlice(long durationNanos, long examined) {
        counters.add(SLICES, 1);
        counters.add(EXAMINED, examined);
        sliceNanos.record(durationNanos);
        passSoFarNanos += durationNanos;
    }

    /** A pass ended; its duration is the sum of its slices. */
    public void countPass() {
        counters.add(PASSES, 1);
        passNanos.record(passSoFarNanos);
        passSoFarNanos = 0;
    }

    /** Where the pass stands, for the next slice: which table (0 none) and the row. Survives a swap. */
    public int cursorTable() {
        return cursorTable;
    }

    public int cursorRow() {
        return cursorRow;
    }

    public void setCursor(int table, int row) {
        cursorTable = table;
        cursorRow = row;
    }

    /** Any thread; the numbers of live entries may lag. */
    SweepInfo toInfo(Worker worker) {
        return new SweepInfo(
                worker.index(),
                worker.allocations().size(),
                worker.permissions().size(),
                worker.channelBindings().size(),
                counters.get(PASSES),
                counters.get(SLICES),
                counters.get(EXAMINED),
                counters.get(REAPED_ALLOCATIONS),
                counters.get(REAPED_PERMISSIONS),
                counters.get(REAPED_CHANNEL_BINDINGS),
                counters.get(REAPED_RESERVATIONS),
                passNanos.quantiles(1_000),
                sliceNanos.quantiles(1_000),
                latenessNanos.quantiles(1_000_000));
    }
}
