package dev.turntable.transport;

import dev.turntable.state.Packet;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslHandler;
import java.nio.ByteBuffer;

/**
 * Hot path. What goes out on a connection: the frames of a batch are laid one behind the other and written as one piece; over TLS each is a
 * record of its own, for there are clients that take what one read gives for one message. What the client
 * does not read waits, up to a watermark; a frame that would go above it is dropped whole, never a part of it. The worker's thread alone.
 */
final class StreamQueue {
    /** Bytes of a piece, and of pieces that are written together. */
    static final int PIECE_BYTES = 16_384;

    /** Answers may go above the watermark by so much; halfway there the client is not heard any more until it reads. */
    static final int ANSWER_BYTES = 2 * PIECE_BYTES;

    private static final int LEAST_BYTES = 512;

    /** What waits is counted as the memory that it takes. */
    private static final MessageSizeEstimator.Handle MEMORY =
            message -> message instanceof ByteBuf bytes ? bytes.capacity() : 0;

    private final NettyLoop loop;
    private final Channel channel;
    private final int watermarkBytes;
    private ChannelHandlerContext context;
    private ByteBuf piece;
    private int usualBytes = LEAST_BYTES;
    private int writtenBytes;
    private boolean framesApart;
    private boolean touched;
    private boolean open;

    StreamQueue(NettyLoop loop, Channel channel, int watermarkBytes) {
        this.loop = loop;
        this.channel = channel;
        this.watermarkBytes = watermarkBytes;
        channel.config().setMessageSizeEstimator(() -> MEMORY);
        channel.config()
                .setWriteBufferWaterMark(new WriteBufferWaterMark(watermarkBytes / 2, watermarkBytes + PIECE_BYTES));
    }

    void open(ChannelHandlerContext where) {
        context = where;
        framesApart = channel.pipeline().get(SslHandler.class) != null;
        open = true;
    }

    /** Whether the client may be heard: it has not left too many answers unread. */
    boolean hasRoomForAnswers() {
        return channel.isWritable();
    }

    /** An answer: takes precedence over data. */
    boolean add(ByteBuffer message) {
        if (!makeRoom(message.remaining(), watermarkBytes + ANSWER_BYTES)) {
            return false;
        }
        append(message);
        touch();
        return true;
    }

    boolean add(ByteBuffer header, Packet packet, int offset, int length, int padding) {
        if (!makeRoom(header.remaining() + length + padding, watermarkBytes)) {
            return false;
        }
        append(header);
        if (packet instanceof ReceivedPacket received) {
            received.copyTo(piece, offset, length);
        } else {
            int start = packet.start() + offset;
            piece.writeBytes(packet.memory().duplicate().limit(start + length).position(start));
        }
        piece.writeZero(padding);
        touch();
        return true;
    }

    /** Sees to it that the frame fits into the piece; false where it was dropped and counted instead. */
    private boolean makeRoom(int length, int limit) {
        ChannelOutboundBuffer unread = channel.unsafe().outboundBuffer();
        if (!open || unread == null) {
            loop.drop(loop.reasons().socketClosed());
            return false;
        }
        long waiting = unread.totalPendingWriteBytes() + writtenBytes + (piece == null ? 0 : piece.readableBytes());
        if (waiting + length > limit) {
            loop.drop(loop.reasons().streamQueueFull());
            return false;
        }
        if (piece != null && (framesApart || piece.readableBytes() + length > PIECE_BYTES)) {
            write();
            if (writtenBytes + length > PIECE_BYTES) {
                send();
            }
        }
        if (piece == null) {
            piece = loop.allocator().directBuffer(Math.max(length, usualBytes));
        }
        return true;
    }

    private void append(ByteBuffer bytes) {
        if (bytes.hasArray()) {
            piece.writeBytes(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
        } else {
            piece.writeBytes(bytes.duplicate());
        }
    }

    private void touch() {
        if (!touched) {
            touched = true;
            loop.streams().touch(this);
        }
        loop.sends();
    }

    /** Sends what the batch laid down. */
    void flush() {
        touched = false;
        if (piece != null) {
            write();
            send();
        }
    }

    private void write() {
        ByteBuf whole = piece;
        piece = null;
        usualBytes = Math.max(LEAST_BYTES, Math.min(whole.readableBytes(), PIECE_BYTES));
        writtenBytes += whole.readableBytes();
        context.write(whole, context.voidPromise());
    }

    private void send() {
        writtenBytes = 0;
        context.flush();
    }

    /** Forgets what has not been written. */
    void close() {
        open = false;
        if (piece != null) {
            piece.release();
            piece = null;
        }
    }
}
