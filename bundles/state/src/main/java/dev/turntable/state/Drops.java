package dev.turntable.state;

/** Counters of silent discards of one worker. Called for each packet. */
public final class Drops {
    private final OwnedCounters counters = new OwnedCounters(DropReasons.MOST);

    Drops() {}

    /** Counts one. The worker's thread. */
    public void add(int reason) {
        counters.add(reason, 1);
    }

    /** Counts several. The worker's thread. */
    public void add(int reason, int times) {
        counters.add(reason, times);
    }

    /** Any thread; may lag. */
    public long of(int reason) {
        return counters.get(reason);
    }
}
