package dev.turntable.state;

import java.net.InetSocketAddress;

/** The event loop of a worker, implemented by transport. */
public interface WorkerLoop {
    /** Runs a task on the loop, after what is queued before it. Any thread. Ignored once the loop has ended. */
    void execute(Runnable task);

    /** Whether the calling thread is this loop's. */
    boolean inLoop();

    /**
     * Binds and reads a UDP socket, before it returns. On the loop.
     *
     * @param allocation the only one that it serves, or null for a shared socket
     */
    SocketOpening openRelayedSocket(InetSocketAddress local, Allocation allocation);

    /**
     * Listens for TCP connections of peers, before it returns (RFC 6062). On the loop.
     *
     * @param allocation the one that it serves
     */
    default SocketOpening openRelayedListener(InetSocketAddress local, Allocation allocation) {
        return new SocketOpening.Failed("TCP is not relayed here");
    }

    /**
     * Begins to connect to a peer from the address of a listener; {@link PeerConnections#connectEnded} follows. Without a time limit of
     * its own. On the loop.
     */
    default RelayedConnection connect(PeerConnection row, InetSocketAddress local, long hi, long lo, int port) {
        throw new UnsupportedOperationException("TCP is not relayed here");
    }

    /** Stops reading on every socket of the loop; datagrams wait in the kernel. On the loop, between two batches. */
    void pauseReading();

    /** Reads on. On the loop. */
    void resumeReading();

    /** {@code epoll} or {@code nio}; empty where that is not told. Any thread. */
    default String ioTransport() {
        return "";
    }
}
