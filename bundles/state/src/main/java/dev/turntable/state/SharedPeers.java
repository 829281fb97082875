package dev.turntable.state;

/**
 * Who hears a peer on a shared socket: peer endpoints by socket, address and port, each of one allocation (multiplex-peer mode). The
 * worker's thread alone.
 */
public final class SharedPeers {
    /** What came of a claim. */
    public enum Claim {
        /** It is this allocation's, now or already. */
        OWN,
        /** Another allocation of the same socket has it. */
        TAKEN,
        /** The allocation has as many as it may have. */
        FULL
    }

    /** The shared socket with the fewest allocations, or null before transport has bound them. */
    public RelayedSocket leastLoaded(boolean ipv6) {
        throw new UnsupportedOperationException();
    }

    /** Transport adds a socket that it bound. */
    public void addSocket(RelayedSocket socket) {
        throw new UnsupportedOperationException();
    }

    /** Transport takes one away; no allocation uses it any more. */
    public void removeSocket(RelayedSocket socket) {
        throw new UnsupportedOperationException();
    }

    /** The allocation that a peer endpoint belongs to, or null. One hash probe. */
    public Allocation find(RelayedSocket socket, long hi, long lo, int port) {
        throw new UnsupportedOperationException();
    }

    /**
     * Registers a peer endpoint for the allocation on its shared socket of that family.
     *
     * @param most endpoints that it may have
     */
    public Claim claim(Allocation allocation, long hi, long lo, int port, int most) {
        throw new UnsupportedOperationException();
    }

    public int size() {
        throw new UnsupportedOperationException();
    }
}
