package dev.turntable.state;

import java.util.function.IntUnaryOperator;

/**
 * Finds handles by a key that stays in the columns of a table: open addressing, at most half full, removed by shifting back, so that
 * there are no tombstones. Whoever looks up walks from {@link #home} by {@link #after} until {@link #at} gives {@link #NONE} and
 * compares keys itself. The worker's thread alone.
 */
final class HandleIndex {
    static final int NONE = -1;

    private final IntUnaryOperator hashOfHandle;
    /** Handle plus one; zero where the slot is free. */
    private int[] slots;

    HandleIndex(int capacity, IntUnaryOperator hashOfHandle) {
        this.hashOfHandle = hashOfHandle;
        reset(capacity);
    }

    /** Forgets all, and makes room for that many. */
    void reset(int capacity) {
        slots = new int[2 * capacity];
    }

    /** First slot to look at. The hash is scaled to the length, which need not be a power of two. */
    int home(int hash) {
        return (int) (((hash & 0xFFFF_FFFFL) * slots.length) >>> 32);
    }

    int after(int slot) {
        return slot + 1 == slots.length ? 0 : slot + 1;
    }

    int at(int slot) {
        return slots[slot] - 1;
    }

    void put(int handle) {
        int slot = home(hashOfHandle.applyAsInt(handle));
        while (slots[slot] != 0) {
            slot = after(slot);
        }
        slots[slot] = handle + 1;
    }

    /** The key of the handle is still in the columns. */
    void remove(int handle) {
        int hole = home(hashOfHandle.applyAsInt(handle));
        while (slots[hole] != handle + 1) {
            hole = after(hole);
        }
        for (int slot = after(hole); slots[slot] != 0; slot = after(slot)) {
            int home = home(hashOfHandle.applyAsInt(slots[slot] - 1));
            boolean staysReachable = hole < slot ? hole < home && home <= slot : hole < home || home <= slot;
            if (!staysReachable) {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = 0;
    }
}
