package dev.turntable.relay;

import dev.turntable.state.Packet;
import java.nio.ByteBuffer;

/** A packet in direct memory that begins somewhere in the middle, as in a batch, with rubbish around it. */
final class TestPacket implements Packet {
    private static final int START = 37;
    private static final int AFTER = 11;
    private static final byte RUBBISH = (byte) 0xA5;

    private ByteBuffer memory = ByteBuffer.allocateDirect(0);
    private int length;

    TestPacket(byte[] bytes) {
        set(bytes);
    }

    TestPacket() {}

    /** Holds these bytes from now on, with rubbish before and behind, in the same memory where they fit into it. */
    void set(byte[] bytes) {
        if (memory.capacity() < START + bytes.length + AFTER) {
            memory = ByteBuffer.allocateDirect(START + 2 * bytes.length + AFTER);
            rubbish(0, START);
        }
        memory.clear().put(START, bytes);
        length = bytes.length;
        rubbish(START + length, START + length + AFTER);
        memory.limit(START + length + AFTER);
    }

    private void rubbish(int from, int end) {
        for (int i = from; i < end; i++) {
            memory.put(i, RUBBISH);
        }
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
