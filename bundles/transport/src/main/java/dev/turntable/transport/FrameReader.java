package dev.turntable.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/**
 * Hot path. Hands over the frames of a stream one by one, where they lie in what was read, however the stream is cut. Only a frame that is
 * not whole yet is copied, and kept until it is; between frames nothing is kept. One thread.
 */
final class FrameReader {
    /** Who takes the frames. */
    interface Taker {
        /** Whether one may be handed over now; what has been read meanwhile is kept. */
        boolean mayTake();

        /** As {@link FrameCutter#frameLength}, for the state that the stream is in now. */
        int frameLength(ByteBuf bytes);

        /**
         * A frame is whole.
         *
         * @param bytes with the reader's index where it begins
         * @param memory the same bytes; index 0 is theirs
         * @return false where it is not taken after all: it is kept, and {@link #mayTake} is false from now on
         */
        boolean take(ByteBuf bytes, ByteBuffer memory);

        /** The stream is no good: one of {@link FrameCutter}'s constants. Nothing is handed over after {@link FrameReader#close}. */
        void refuse(int why);
    }

    private final Taker taker;
    private final ByteBufAllocator allocator;
    private ByteBuf held;
    private boolean closed;

    FrameReader(Taker taker, ByteBufAllocator allocator) {
        this.taker = taker;
        this.allocator = allocator;
    }

    /** Bytes that are kept. */
    int heldBytes() {
        return held == null ? 0 : held.readableBytes();
    }

    /** Hands over what is kept, where it is whole. */
    void takeHeld() {
        if (held != null) {
            read(Unpooled.EMPTY_BUFFER);
        }
    }

    /** Takes what was read; the caller releases it. */
    void read(ByteBuf bytes) {
        while (held != null) {
            if (!taker.mayTake()) {
                held.writeBytes(bytes);
                return;
            }
            int missing = missing();
            if (missing > 0 && !bytes.isReadable()) {
                return;
            }
            if (missing > 0) {
                held.writeBytes(bytes, Math.min(missing, bytes.readableBytes()));
            } else {
                ByteBuf whole = held;
                held = null;
                try {
                    cut(whole);
                } finally {
                    whole.release();
                }
            }
        }
        cut(bytes);
    }

    /** Bytes that the first frame lacks, or that are needed to tell; 0 where it is whole or never will be. */
    private int missing() {
        int frame = taker.frameLength(held);
        return frame == FrameCutter.NEED_MORE ? 1 : Math.max(0, frame - held.readableBytes());
    }

    private void cut(ByteBuf bytes) {
        ByteBuffer memory = null;
        while (!closed && bytes.isReadable()) {
            int frame = taker.mayTake() ? taker.frameLength(bytes) : FrameCutter.NEED_MORE;
            if (frame < 0) {
                taker.refuse(frame);
                return;
            }
            if (frame == FrameCutter.NEED_MORE || frame > bytes.readableBytes()) {
                held = allocator.directBuffer(bytes.readableBytes()).writeBytes(bytes);
                return;
            }
            if (memory == null) {
                memory = bytes.nioBuffer(0, bytes.writerIndex());
            }
            int next = bytes.readerIndex() + frame;
            if (taker.take(bytes, memory)) {
                bytes.readerIndex(next);
            }
        }
    }

    /** Gives up what is kept, which the caller releases; null for nothing. Nothing is handed over any more. */
    ByteBuf takeRest() {
        ByteBuf rest = held;
        held = null;
        closed = true;
        return rest;
    }

    void close() {
        closed = true;
        if (held != null) {
            held.release();
            held = null;
        }
    }
}
