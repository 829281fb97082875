package dev.turntable.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Hot path. Where datagrams of one size lie (the last may be shorter) that leave as one message, UDP_SEGMENT of Linux: nothing of their
 * payload is copied. To Netty it is a composite buffer, of which its native transport asks for the pieces alone; it has no
 * component objects, and is used again. The worker's thread alone.
 */
final class SegmentRun extends CompositeByteBuf {
    /** Datagrams that Linux takes in one message: 64 before 6.9, 128 since. */
    static final int MOST_SEGMENTS = 64;
    /** Of all datagrams together: one message has the length of a datagram, and room for the headers of IPv6. */
    static final int MOST_BYTES = 65_000;

    /** Header, range, padding. */
    private static final int MOST_PIECES = 3 * MOST_SEGMENTS;
    /** Zero bytes, in front of the headers. */
    private static final int PADDING_BYTES = 4;
    /** Memory that each run has for its headers. */
    static final int HEADER_BYTES = PADDING_BYTES + MOST_SEGMENTS * ReceiveMemory.HEADROOM;

    private final SegmentRuns owner;
    private final ByteBuf headers;
    private final ByteBuffer headerMemory;
    /** Index of each piece in the block, or the complement of its index among the headers. */
    private final int[] starts = new int[MOST_PIECES];

    private final int[] lengths = new int[MOST_PIECES];
    private final int[] firstPieces = new int[MOST_SEGMENTS + 1];
    private final ByteBuffer[] blockViews = new ByteBuffer[MOST_PIECES];
    private final ByteBuffer[] headerViews = new ByteBuffer[MOST_PIECES];
    private ByteBuf block;
    private ByteBuffer memory;
    private int pieces;
    private int segments;
    private int bytes;

    SegmentRun(SegmentRuns owner, ByteBufAllocator allocator) {
        super(allocator, true, 1);
        this.owner = owner;
        headers = allocator.directBuffer(HEADER_BYTES, HEADER_BYTES).writeZero(HEADER_BYTES);
        headerMemory = headers.nioBuffer(0, HEADER_BYTES);
    }

    /** Whether a datagram of that packet finds a place. */
    boolean hasRoom(ReceivedPacket packet, int length) {
        return segments < MOST_SEGMENTS && bytes + length <= MOST_BYTES && packet.block() == block;
    }

    /** The first datagram of a run. */
    void begin(ReceivedPacket packet) {
        block = packet.block().retain();
        if (memory != packet.memory()) {
            memory = packet.memory();
            Arrays.fill(blockViews, null);
        }
    }

    /**
     * One more datagram.
     *
     * @param header null where there is none
     */
    void add(ByteBuffer header, ReceivedPacket packet, int offset, int length, int padding) {
        firstPieces[segments++] = pieces;
        int framed = header == null ? packet.start() + offset : packet.frameInPlace(header, offset, length, padding);
        int headerLength = header == null ? 0 : header.remaining();
        if (framed >= 0) {
            addPiece(framed, headerLength + length + padding);
        } else {
            int start = PADDING_BYTES + (segments - 1) * ReceiveMemory.HEADROOM;
            headerMemory.put(start, header, header.position(), headerLength);
            addPiece(~start, headerLength);
            addPiece(packet.start() + offset, length);
            addPiece(~0, padding);
        }
        bytes += headerLength + length + padding;
        firstPieces[segments] = pieces;
        setIndex(0, bytes);
    }

    private void addPiece(int start, int length) {
        if (length > 0) {
            starts[pieces] = start;
            lengths[pieces++] = length;
        }
    }

    int segments() {
        return segments;
    }

    /** Whether all of it lies in one piece. */
    boolean isOnePiece() {
        return pieces == 1 && starts[0] >= 0;
    }

    /** The only piece, sharing the memory. */
    ByteBuf onlyPiece() {
        return block.retainedSlice(starts[0], lengths[0]);
    }

    /** One of the datagrams, copied. */
    ByteBuf copyOf(int segment) {
        ByteBuf copy = alloc().directBuffer();
        for (int i = firstPieces[segment]; i < firstPieces[segment + 1]; i++) {
            if (starts[i] >= 0) {
                copy.writeBytes(block, starts[i], lengths[i]);
            } else {
                copy.writeBytes(headers, ~starts[i], lengths[i]);
            }
        }
        return copy;
    }

    /** Forgets what it holds. */
    void clearRun() {
        block.release();
        block = null;
        pieces = 0;
        segments = 0;
        bytes = 0;
        setIndex(0, 0);
    }

    /** For good. */
    void free() {
        headers.release();
    }

    // What Netty asks

    @Override
    public int capacity() {
        return bytes;
    }

    @Override
    public boolean isDirect() {
        return true;
    }

    @Override
    public boolean hasMemoryAddress() {
        return false;
    }

    @Override
    public int nioBufferCount() {
        return pieces;
    }

    @Override
    public ByteBuffer internalNioBuffer(int index, int length) {
        return nioBuffers(index, length)[0];
    }

    @Override
    public ByteBuffer[] nioBuffers(int index, int length) {
        if (index != 0 || length != bytes) {
            throw new UnsupportedOperationException("a run leaves whole");
        }
        ByteBuffer[] views = new ByteBuffer[pieces];
        for (int i = 0; i < pieces; i++) {
            views[i] = starts[i] >= 0
                    ? view(blockViews, i, memory, starts[i], lengths[i])
                    : view(headerViews, i, headerMemory, ~starts[i], lengths[i]);
        }
        return views;
    }

    private static ByteBuffer view(ByteBuffer[] views, int place, ByteBuffer memory, int start, int length) {
        ByteBuffer view = views[place];
        if (view == null) {
            view = memory.duplicate();
            views[place] = view;
        }
        return view.limit(start + length).position(start);
    }

    @Override
    protected void deallocate() {
        clearRun();
        resetRefCnt();
        owner.takeBack(this);
    }
}
