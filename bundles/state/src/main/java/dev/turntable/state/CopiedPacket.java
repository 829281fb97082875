package dev.turntable.state;

import java.nio.ByteBuffer;

/** A packet that was copied because it outlives the call it came with. */
final class CopiedPacket implements Packet {
    private final ByteBuffer bytes;

    CopiedPacket(Packet packet) {
        byte[] copy = new byte[packet.length()];
        packet.memory().get(packet.start(), copy);
        bytes = ByteBuffer.wrap(copy);
    }

    @Override
    public int length() {
        return bytes.capacity();
    }

    @Override
    public int getInt(int offset) {
        return bytes.getInt(offset);
    }

    @Override
    public ByteBuffer memory() {
        return bytes;
    }

    @Override
    public int start() {
        return 0;
    }
}
