package dev.turntable.transport;

import dev.turntable.state.Packet;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
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

    /** A range, sharing the memory. */
    ByteBuf range(int offset, int count) {
        return block.retainedSlice(start + offset, count);
    }

    /** Copies a range to the end of a buffer. */
    void copyTo(ByteBuf target, int offset, int count) {
        target.writeBytes(block, start + offset, count);
    }

    /** A header, a range and padding as one datagram, sharing the memory. */
    ByteBuf framed(ByteBuffer header, int offset, int count, int padding, ByteBufAllocator allocator) {
        int headerLength = header.remaining();
        // The room around a datagram is there once.
        if (!roomAround
                || offset != 0
                || count != length
                || headerLength > ReceiveMemory.HEADROOM
                || padding > ReceiveMemory.TAILROOM) {
            return joined(header, offset, count, padding, allocator);
        }
        roomAround = false;
        int first = start - headerLength;
        memory.put(first, header, header.position(), headerLength);
        for (int i = 0; i < padding; i++) {
            memory.put(start + count + i, (byte) 0);
        }
        return block.retainedSlice(first, headerLength + count + padding);
    }

    private ByteBuf joined(ByteBuffer header, int offset, int count, int padding, ByteBufAllocator allocator) {
        CompositeByteBuf whole = allocator.compositeDirectBuffer(3);
        whole.addComponent(true, allocator.directBuffer(header.remaining()).writeBytes(header.duplicate()));
        whole.addComponent(true, range(offset, count));
        if (padding > 0) {
            whole.addComponent(true, allocator.directBuffer(padding).writeZero(padding));
        }
        return whole;
    }
}
