package dev.turntable.state;

import dev.turntable.api.ClientTransport;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The way to one client: its five-tuple and the socket that serves it. Implemented by transport. What a call hands to the engine may
 * be re-used for the next packet when the call returns; {@link #lasting()} gives one that may be kept. The worker's thread alone.
 *
 * <p>Addresses are 16 bytes in two longs, IPv4 as {@code ::ffff:a.b.c.d}.
 */
public interface ClientPath {
    ClientTransport transport();

    /** Names the server's end (transport, local address, port) on this worker; part of the five-tuple. */
    int localEnd();

    long clientHi();

    long clientLo();

    int clientPort();

    /** The same as an object. Not for the path of a packet. */
    InetSocketAddress clientAddress();

    /** The server's end of the five-tuple. Not for the path of a packet. */
    InetSocketAddress serverAddress();

    /** A path to the same client that stays valid after the call; may be this one. */
    ClientPath lasting();

    /**
     * Sends one message. The bytes between position and limit are taken before the call returns.
     *
     * @return false where it was dropped and counted instead, because the socket or the stream's queue is full
     */
    boolean send(ByteBuffer message);

    /**
     * Sends a header, a range of a borrowed packet without copying it, and zero bytes, as one datagram or frame. The header's bytes
     * between position and limit are taken before the call returns.
     *
     * @param offset of the range in the packet
     * @param length of the range
     * @param padding zero bytes after it, 0 to 3
     * @return false where it was dropped and counted instead
     */
    boolean send(ByteBuffer header, Packet packet, int offset, int length, int padding);

    /**
     * Moves a stream to another worker: once this has returned true the packet in hand, and all that follows, is delivered there, to that
     * worker's engine. Within {@link RelayEngine#fromClient}, for a client without an allocation, and once in the life of a connection.
     *
     * @return false where it stays, because it is no stream or has been moved before
     */
    default boolean moveTo(Worker worker) {
        return false;
    }

    /** The allocation on this five-tuple has ended; a stream may close. Called once by the teardown. */
    void allocationEnded();
}
