package dev.turntable.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Counters that one thread writes, without a lock, and any thread reads. Called for each packet. */
final class OwnedCounters {
    private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] values;

    OwnedCounters(int size) {
        values = new long[size];
    }

    /** The owning thread. */
    void add(int index, long amount) {
        ELEMENT.setOpaque(values, index, values[index] + amount);
    }

    /** Any thread; may lag. */
    long get(int index) {
        return (long) ELEMENT.getOpaque(values, index);
    }
}
