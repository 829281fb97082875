package dev.turntable.state;

/**
 * The free relayed ports, for each address family, server-wide. Ports come in random order from a secure generator (RFC 6056). Any
 * thread.
 */
public final class PortPool {
    /** No port is free that would do. */
    public static final int NONE = -1;

    /** Takes a free port. */
    public int take(boolean ipv6) {
        throw new UnsupportedOperationException();
    }

    /** Takes a free even port (RFC 8656 §18.7, R bit 0). */
    public int takeEven(boolean ipv6) {
        throw new UnsupportedOperationException();
    }

    /** Takes a free even port and the one above it; returns the even one. */
    public int takePair(boolean ipv6) {
        throw new UnsupportedOperationException();
    }

    /** Gives a port back. */
    public void free(boolean ipv6, int port) {
        throw new UnsupportedOperationException();
    }

    /** The socket of a live allocation is bound to it; as opposed to taken or reserved only. One bit is read. */
    public boolean isLive(boolean ipv6, int port) {
        throw new UnsupportedOperationException();
    }

    /** Called by {@link Allocations#addRelayed} and the teardown. */
    void setLive(boolean ipv6, int port, boolean live) {
        throw new UnsupportedOperationException();
    }

    /** Taken, of both families. */
    public int inUse() {
        throw new UnsupportedOperationException();
    }

    /** Size of the range of one family; 0 where it is not served. */
    public int capacity(boolean ipv6) {
        throw new UnsupportedOperationException();
    }
}
