package dev.turntable.transport;

import dev.turntable.state.Packet;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Hot path. Datagrams made of what the engine sends from. */
final class Datagrams {
    private Datagrams() {}

    /** A header (or null), a range of a packet that is not this loop's, and zero bytes as one datagram. */
    static ByteBuf copy(NettyLoop loop, ByteBuffer header, Packet source, int offset, int length, int padding) {
        ByteBuf whole = loop.allocator().directBuffer();
        if (header != null) {
            whole.writeBytes(header.duplicate());
        }
        whole.writeBytes(source.memory()
                .duplicate()
                .limit(source.start() + offset + length)
                .position(source.start() + offset));
        return whole.writeZero(padding);
    }

    static ByteBuf copy(NettyLoop loop, ByteBuffer bytes, int start, int length) {
        ByteBuf copy = loop.allocator().directBuffer(length);
        if (bytes.hasArray()) {
            return copy.writeBytes(bytes.array(), bytes.arrayOffset() + start, length);
        }
        for (int i = 0; i < length; i++) {
            copy.writeByte(bytes.get(start + i));
        }
        return copy;
    }
}
