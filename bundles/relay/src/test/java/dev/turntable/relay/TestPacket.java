package dev.turntable.relay;

import dev.turntable.state.Packet;
import java.nio.ByteBuffer;

/** A packet in direct memory that begins somewhere in the middle, as in a batch, with rubbish around it. */
final class TestPacket implements Packet {
    private static final int START = 37;

    private final ByteBuffer memory;
    private int length;

    TestPacket(byte[] bytes) {
        this(bytes.length);
        set(bytes);
    }

    TestPacket(int capacity) {
        memory = ByteBuffer.allocateDirect(START + capacity + 11);
        for (int i = 0; i < memory.capacity(); i++) {
            memory.put(i, (byte) 0xA5);
        }
    }

    void set(byte[] bytes) {
        memory.put(START, bytes);
        length = bytes.length;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int getInt(int offset) {
        if (offset < 0 || offset > length - 4) {
            throw new IndexOutOfBoundsException(offset);
        }
        return memory.getInt(START + offset);
    }

    @Override
    public ByteBuffer memory() {
        return memory;
    }

    @Override
    public int start() {
        return START;
    }
}
