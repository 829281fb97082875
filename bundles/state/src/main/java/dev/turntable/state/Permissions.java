package dev.turntable.state;

/**
 * The permissions of a worker (RFC 8656 §9): by allocation and peer IP address. A permission is a handle (an int that stays the same
 * while it lives); deadlines stand dense for the sweep. An entry stays, passing nothing, after its deadline until it is removed. The
 * worker's thread alone.
 */
public final class Permissions {
    public static final int NONE = -1;

    /** Live on ports of this server's own relayed sockets alone (see {@link #flags}). */
    public static final int OWN_RELAYED_PORTS_ONLY = 1;

    public int size() {
        throw new UnsupportedOperationException();
    }

    /** Handle, expired or not; {@link #NONE} where there is none. One hash probe. */
    public int find(Allocation allocation, long hi, long lo) {
        throw new UnsupportedOperationException();
    }

    /** Adds one; the caller has made sure that it is not there. */
    public int add(Allocation allocation, long hi, long lo, int flags, long deadlineNanos) {
        throw new UnsupportedOperationException();
    }

    public long deadlineNanos(int permission) {
        throw new UnsupportedOperationException();
    }

    /** A refresh: one store. */
    public void setDeadlineNanos(int permission, long deadlineNanos) {
        throw new UnsupportedOperationException();
    }

    public Allocation allocation(int permission) {
        throw new UnsupportedOperationException();
    }

    public long peerHi(int permission) {
        throw new UnsupportedOperationException();
    }

    public long peerLo(int permission) {
        throw new UnsupportedOperationException();
    }

    public int flags(int permission) {
        throw new UnsupportedOperationException();
    }

    /** Channel bindings to this peer; while there is one the entry must not be removed. */
    public int bindingCount(int permission) {
        throw new UnsupportedOperationException();
    }

    /** First permission of an allocation, {@link #NONE} at the end. */
    public int first(Allocation allocation) {
        throw new UnsupportedOperationException();
    }

    public int next(int permission) {
        throw new UnsupportedOperationException();
    }

    /** Constant time. */
    public void remove(int permission) {
        throw new UnsupportedOperationException();
    }

    /** The dense array; rows 0 to {@code size() - 1} count. Removing fills the row with the last one: walk downwards. */
    public long[] deadlines() {
        throw new UnsupportedOperationException();
    }

    public int handleAt(int row) {
        throw new UnsupportedOperationException();
    }
}
