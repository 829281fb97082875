package dev.turntable.transport;

import dev.turntable.state.Packet;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Hot path. The datagram that the engine borrows; one object for each worker, pointed at one datagram after the other. */
final class ReceivedPacket implements Packet {
    private ByteBuf block;
    private ByteBuffer memory;
    private int start;
    private int length;
    private boolean roomAround;

    void set(ByteBuf block, ByteBuffer memory, int start, int length, boolean roomAround) {
        this.block = block;
        this.memory = memory;
        this.start = start;
        this.length = length;
        this.roomAround = roomAround;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int getInt(int offset) {
        return memory.getInt(start + offset);
    }

    @Override
    public ByteBuffer memory() {
        return memory;
    }

    @Override
    public int start() {
        return start;
    }

    /** First byte, 0 to 255; there must be one. */
    int firstByte() {
        return memory.get(start) & 0xff;
    }

    /** What the memory belongs to. */
    ByteBuf block() {
        return block;
    }

    /** Copies a range to the end of a buffer. */
    void copyTo(ByteBuf target, int offset, int count) {
        target.writeBytes(block, start + offset, count);
    }

    /**
     * Writes a header in front of the whole packet and zero bytes behind it, where there is room; that is so once.
     *
     * @return index in {@link #memory()} of the header; -1 where there was no room
     */
    int frameInPlace(ByteBuffer header, int offset, int count, int padding) {
        int headerLength = header.remaining();
        if (!roomAround
                || offset != 0
                || count != length
                || headerLength > ReceiveMemory.HEADROOM
                || padding > ReceiveMemory.TAILROOM) {
            return -1;
        }
        roomAround = false;
        int first = start - headerLength;
        memory.put(first, header, header.position(), headerLength);
        for (int i = 0; i < padding; i++) {
            memory.put(start + count + i, (byte) 0);
        }
        return first;
    }
}
