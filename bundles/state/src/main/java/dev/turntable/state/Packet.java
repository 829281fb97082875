package dev.turntable.state;

import java.nio.ByteBuffer;

/**
 * A datagram, or one whole frame of a stream, that the engine borrows until its call returns. Transport owns the memory. The worker's
 * thread alone.
 */
public interface Packet {
    /** Bytes of the packet, 0 to 65,535. */
    int length();

    /**
     * Four bytes in network order, as the fast way to a ChannelData header.
     *
     * @param offset 0 to {@code length() - 4}
     */
    int getInt(int offset);

    /**
     * The packet's memory for absolute access; its first byte is at {@link #start()}. Not to be changed, kept, or moved (position,
     * limit).
     */
    ByteBuffer memory();

    /** Index in {@link #memory()} of the packet's first byte. */
    int start();
}
