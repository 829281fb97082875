package dev.turntable.state;

/**
 * A TCP connection between a relayed transport address and a peer (RFC 6062). Implemented by transport. Until it is joined with a client's
 * connection it is not read: what the peer sends waits in the kernel. The worker's thread alone.
 */
public interface RelayedConnection {
    /**
     * Joins it with a client's connection. What that path was given to send goes first; from then on bytes go both ways as they come,
     * those that the client sent behind its request included, without an engine. When either side has ended, the row is removed.
     *
     * @param row its own
     * @param client a stream's path
     */
    void join(PeerConnection row, ClientPath client);

    /** Sends what waits and closes it, and the client's connection that it is joined with. Does nothing the second time. */
    void close();
}
