package dev.turntable.benchmarks;

import dev.turntable.state.Packet;
import java.nio.ByteBuffer;

/** A packet in direct memory, as transport's are. */
final class BarePacket implements Packet {
    private final ByteBuffer memory;

    BarePacket(byte[] bytes) {
        memory = ByteBuffer.allocateDirect(bytes.length);
        memory.put(0, bytes);
    }

    @Override
    public int length() {
        return memory.capacity();
    }

    @Override
    public int getInt(int offset) {
        return memory.getInt(offset);
    }

    @Override
    public ByteBuffer memory() {
        return memory;
    }

    @Override
    public int start() {
        return 0;
    }
}
