package dev.turntable.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.Errors.NativeIoException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hot path. What a worker relays, one datagram after the other: those that follow one another from one socket to one address, and have one
 * size, wait for one another and leave as one message. Anything else that is sent, and the end of the batch, lets a run go. The worker's
 * thread alone.
 */
final class SegmentRuns {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentRuns.class);
    /** Longer than the way takes in one piece, by kernel version. */
    private static final int EINVAL = 22;

    private static final int EMSGSIZE = 90;
    /** A device that does not compute checksums. */
    private static final int EIO = 5;

    private final ByteBufAllocator allocator;
    private final boolean gathers;
    private final boolean joins;
    private final ArrayDeque<SegmentRun> free = new ArrayDeque<>();
    private final List<DatagramPacket> refused = new ArrayList<>();
    private SegmentRun run;
    private UdpSocket socket;
    private InetSocketAddress to;
    private int size;
    private boolean said;

    /**
     * @param gathers whether a datagram may leave in pieces
     * @param joins whether the kernel takes several datagrams in one message
     */
    SegmentRuns(ByteBufAllocator allocator, boolean gathers, boolean joins) {
        this.allocator = allocator;
        this.gathers = gathers;
        this.joins = joins;
        run = new SegmentRun(this, allocator);
    }

    /** Whether the kernel takes several datagrams in one message. */
    boolean joins() {
        return joins;
    }

    /** Takes a header (or null), a range of a packet and zero bytes as one datagram. */
    void add(
            UdpSocket from,
            InetSocketAddress address,
            ByteBuffer header,
            ReceivedPacket packet,
            int offset,
            int length,
            int padding) {
        int bytes = (header == null ? 0 : header.remaining()) + length + padding;
        if (from != socket || address != to || bytes > size || !run.hasRoom(packet, bytes)) {
            leave();
            socket = from;
            to = address;
            // Port 0 is refused whatever the length.
            size = joins && bytes <= from.longestSegment() && address.getPort() != 0 ? bytes : 0;
            run.begin(packet);
        }
        run.add(header, packet, offset, length, padding);
        if (bytes < size) {
            leave();
        }
    }

    /** Lets go what waits. */
    void leave() {
        if (socket == null) {
            return;
        }
        UdpSocket from = socket;
        socket = null;
        boolean alone = run.segments() == 1;
        if (alone && (run.isOnePiece() || !gathers)) {
            ByteBuf datagram = run.isOnePiece() ? run.onlyPiece() : run.copyOf(0);
            run.clearRun();
            from.write(datagram, to);
            return;
        }
        SegmentRun left = run;
        run = free.isEmpty() ? new SegmentRun(this, allocator) : free.pop();
        if (alone) {
            from.write(left, to);
        } else {
            from.write(left, size, to);
        }
    }

    /**
     * The kernel did not take a run: its datagrams wait for {@link #sendsRefusedBy}.
     *
     * @param longest length up to which that socket's were joined
     * @return length in bytes up to which runs may be tried again on that socket
     */
    int refused(SegmentRun left, int size, InetSocketAddress address, int longest, Throwable cause) {
        for (int i = 0; i < left.segments(); i++) {
            refused.add(new DatagramPacket(left.copyOf(i), address));
        }
        int error = cause instanceof NativeIoException known ? -known.expectedErr() : 0;
        boolean tooLong = error == EINVAL || error == EMSGSIZE;
        if (!tooLong && error != EIO) {
            // Nothing to do with their number: no route, no memory.
            return longest;
        }
        saysOnce("Datagrams of " + size + " bytes", cause);
        return tooLong ? size - 1 : 0;
    }

    /** A socket goes on without. */
    void saysOnce(String what, Throwable cause) {
        if (!said) {
            said = true;
            LOG.info("{} are not taken as one message by the kernel and go one by one: {}", what, cause.getMessage());
        }
    }

    /** Whether there were any; they are in the socket's queue then. Within the flush in which they were refused. */
    boolean sendsRefusedBy(UdpSocket from) {
        if (refused.isEmpty()) {
            return false;
        }
        for (DatagramPacket datagram : refused) {
            from.write(datagram.content(), datagram.recipient());
        }
        refused.clear();
        return true;
    }

    void takeBack(SegmentRun left) {
        free.push(left);
    }

    void release() {
        leave();
        run.free();
        free.forEach(SegmentRun::free);
        free.clear();
    }
}
