package dev.turntable.state;

import java.util.Arrays;

/**
 * Handles and the deadlines of what they stand for. A handle keeps its number while it lives; deadlines stand side by side in rows,
 * so that a sweep reads nothing else. Removing fills the hole with the last row. The worker's thread alone.
 */
final class DeadlineRows {
    private static final int NONE = -1;

    private long[] deadlines;
    private int[] handleAt;
    /** By handle: its row; where the handle is free {@code -2 - next free handle}, which is negative. */
    private int[] rowOf;

    private int size;
    private int handlesMade;
    private int firstFree = NONE;

    DeadlineRows(int capacity) {
        deadlines = new long[capacity];
        handleAt = new int[capacity];
        rowOf = new int[capacity];
    }

    /** Half as much again: what is unused stays small, and what is copied is on average two entries for each one added. */
    static int grown(int capacity) {
        return capacity + (capacity >> 1);
    }

    int size() {
        return size;
    }

    boolean isFull() {
        return size == deadlines.length;
    }

    void grow(int capacity) {
        deadlines = Arrays.copyOf(deadlines, capacity);
        handleAt = Arrays.copyOf(handleAt, capacity);
        rowOf = Arrays.copyOf(rowOf, capacity);
    }

    /** Gives a handle, below the capacity. The table is not full. */
    int add(long deadlineNanos) {
        int handle = firstFree;
        if (handle == NONE) {
            handle = handlesMade++;
        } else {
            firstFree = -2 - rowOf[handle];
        }
        deadlines[size] = deadlineNanos;
        handleAt[size] = handle;
        rowOf[handle] = size++;
        return handle;
    }

    void remove(int handle) {
        int row = rowOf[handle];
        int last = --size;
        deadlines[row] = deadlines[last];
        handleAt[row] = handleAt[last];
        rowOf[handleAt[row]] = row;
        rowOf[handle] = -2 - firstFree;
        firstFree = handle;
    }

    boolean isLive(int handle) {
        return handle >= 0 && handle < handlesMade && rowOf[handle] >= 0;
    }

    long deadlineNanos(int handle) {
        return deadlines[rowOf[handle]];
    }

    void setDeadlineNanos(int handle, long deadlineNanos) {
        deadlines[rowOf[handle]] = deadlineNanos;
    }

    long[] deadlines() {
        return deadlines;
    }

    int handleAt(int row) {
        return handleAt[row];
    }
}
