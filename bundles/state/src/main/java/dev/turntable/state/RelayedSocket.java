package dev.turntable.state;

import java.net.InetSocketAddress;

/**
 * A socket bound to a relayed transport address: one of UDP, or one that listens for TCP connections (RFC 6062). Implemented by transport.
 * Never connected: a connected socket hears one peer only. The worker's thread alone.
 */
public interface RelayedSocket {
    /** Where it is bound. */
    InetSocketAddress localAddress();

    /** Whether it listens for TCP connections, and sends no datagrams. */
    default boolean isListener() {
        return false;
    }

    /** Its only allocation; null where it is shared by many. */
    Allocation allocation();

    /**
     * Sends a range of a borrowed packet to a peer, without copying it, as one datagram.
     *
     * @param hi peer's address, first 8 bytes
     * @param lo peer's address, last 8 bytes
     * @return false where it was dropped and counted instead
     */
    boolean send(long hi, long lo, int port, Packet packet, int offset, int length);

    /** Closes it; the port is free when the call returns. Does nothing the second time. */
    void close();
}
