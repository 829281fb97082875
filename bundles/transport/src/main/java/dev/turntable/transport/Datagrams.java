package dev.turntable.transport;

import dev.turntable.state.Packet;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Hot path. Datagrams made of what the engine sends from. */
final class Datagrams {
    private Datagrams() {}

    /** A range of what the engine sends from, without copying it where it is a packet of this loop. */
    static ByteBuf range(NettyLoop loop, Packet source, int offset, int length) {
        if (source instanceof ReceivedPacket received) {
            return received.range(offset, length);
        }
        return copy(loop, source.memory(), source.start() + offset, length);
    }

    /** A header, a range and zero bytes as one datagram. */
    static ByteBuf framed(NettyLoop loop, ByteBuffer header, Packet source, int offset, int length, int padding) {
        if (source instanceof ReceivedPacket received) {
            return received.framed(header, offset, length, padding, loop.allocator());
        }
        ByteBuf whole = loop.allocator().directBuffer(header.remaining() + length + padding);
        whole.writeBytes(header.duplicate());
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
