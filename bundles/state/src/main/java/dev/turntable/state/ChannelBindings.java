package dev.turntable.state;

/**
 * The channel bindings of a worker (RFC 8656 §12): by allocation and number, and by allocation and peer transport address. A binding
 * is a handle and refers to the permission of its peer, whose IP address it shares. The worker's thread alone.
 */
public final class ChannelBindings {
    public static final int NONE = -1;

    public int size() {
        throw new UnsupportedOperationException();
    }

    /** Handle, expired or not; {@link #NONE} where there is none. */
    public int byNumber(Allocation allocation, int channelNumber) {
        throw new UnsupportedOperationException();
    }

    /** The same by peer transport address. One hash probe. */
    public int byPeer(Allocation allocation, long hi, long lo, int port) {
        throw new UnsupportedOperationException();
    }

    /** Adds one; the caller has made sure that neither the number nor the peer is bound. */
    public int add(Allocation allocation, int permission, int port, int channelNumber, long deadlineNanos) {
        throw new UnsupportedOperationException();
    }

    public long deadlineNanos(int binding) {
        throw new UnsupportedOperationException();
    }

    /** A refresh: one store. */
    public void setDeadlineNanos(int binding, long deadlineNanos) {
        throw new UnsupportedOperationException();
    }

    public Allocation allocation(int binding) {
        throw new UnsupportedOperationException();
    }

    public int permission(int binding) {
        throw new UnsupportedOperationException();
    }

    public int peerPort(int binding) {
        throw new UnsupportedOperationException();
    }

    public int channelNumber(int binding) {
        throw new UnsupportedOperationException();
    }

    public int first(Allocation allocation) {
        throw new UnsupportedOperationException();
    }

    public int next(int binding) {
        throw new UnsupportedOperationException();
    }

    /** Constant time. */
    public void remove(int binding) {
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
