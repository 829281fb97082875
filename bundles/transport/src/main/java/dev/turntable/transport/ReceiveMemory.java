package dev.turntable.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;

/**
 * Hot path. The memory that a worker's datagrams are read into: one block, filled from the front during a batch, empty again when the
 * batch has been sent.
 *
 * <p>Each read is given a window larger than the largest datagram there is, so none can be cut; what it did not need is the next
 * one's, so that small datagrams lie close together. In front of each datagram there is room for a ChannelData or Data indication
 * header and behind it for padding: what goes on to the client goes out as one piece. The worker's thread alone.
 */
final class ReceiveMemory {
    /** Bytes free in front of each datagram: 20 + 24 + 4 of a Data indication from an IPv6 peer (RFC 8656 §11.6), and alignment. */
    static final int HEADROOM = 64;

    /** Bytes free behind each datagram: padding to a multiple of 4. */
    static final int TAILROOM = 3;

    /** Payload of the largest datagram: 65,535 less the header of UDP, over IPv6. Over IPv4 it is 65,507. */
    static final int LARGEST_DATAGRAM = 65_527;

    /**
     * Bytes that one read is given. More than the datagram and the rooms around it, and no multiple of 4,096, else the datagrams of a
     * batch would compete for the same cache sets.
     */
    static final int WINDOW = 65_536 + 1_280;

    private static final int WINDOWS = 64;
    private static final int CAPACITY = HEADROOM + WINDOWS * WINDOW + HEADROOM;

    private final ByteBufAllocator allocator;
    private ByteBuf block;
    private ByteBuffer bytes;
    private boolean addressed;
    private long address;
    private int next;
    private int windows;
    private int lastRead;

    ReceiveMemory(ByteBufAllocator allocator) {
        this.allocator = allocator;
        takeBlock();
    }

    private void takeBlock() {
        block = allocator.directBuffer(CAPACITY, CAPACITY);
        bytes = block.nioBuffer(0, CAPACITY);
        addressed = block.hasMemoryAddress();
        address = addressed ? block.memoryAddress() : 0;
        next = HEADROOM;
    }

    /** Whether so many windows are left in the block. */
    boolean hasRoom(int windows) {
        return next + windows * WINDOW + HEADROOM <= CAPACITY;
    }

    /** Starts from the front again if nothing read is needed any more. */
    void rewind() {
        if (block.refCnt() == 1) {
            next = HEADROOM;
        }
    }

    /** A new block; the old one lives until what was read into it is released. */
    void replace() {
        block.release();
        takeBlock();
    }

    /** Windows to read into, side by side. The caller releases it. */
    ByteBuf windows(int count) {
        windows = count;
        return block.retainedSlice(next, count * WINDOW).setIndex(0, 0);
    }

    /** So many bytes of the windows handed out last hold datagrams: one of that length, or whole windows. */
    void used(int length) {
        lastRead = length;
        next += (length + TAILROOM + HEADROOM - 1) / HEADROOM * HEADROOM + HEADROOM;
    }

    /** Points a packet at what was read. */
    void locate(ByteBuf content, ReceivedPacket packet) {
        int length = content.readableBytes();
        if (addressed) {
            int start = (int) (content.memoryAddress() + content.readerIndex() - address);
            // UDP_GRO lays datagrams close together in one window.
            packet.set(block, bytes, start, length, windows > 1 || length == lastRead);
        } else {
            // A platform that hides addresses: an object per packet.
            packet.set(content, content.nioBuffer(0, content.writerIndex()), content.readerIndex(), length, false);
        }
    }

    /** Bytes of direct memory. */
    static int capacity() {
        return CAPACITY;
    }

    boolean isInUse() {
        return block.refCnt() > 1;
    }

    void release() {
        block.release();
    }
}
