package dev.turntable.transport;

import io.netty.buffer.ByteBuf;

/**
 * Hot path. Where the frames of a stream end (RFC 8489 §6.2.2, RFC 8656 §12.5). A STUN message is as long as its header says; ChannelData is
 * padded to a multiple of four, and the padding goes with it. Lengths are summed in 32 bits.
 *
 * <p>The first bytes are looked at as they come, so that what cannot become a frame ends the stream before more is kept of it. ChannelData
 * numbers that are reserved (first byte 80 to 127) are frames like others: the engine discards them, and the stream stays in step.
 */
final class FrameCutter {
    /** The longest STUN message; ChannelData is shorter. */
    static final int LONGEST = 20 + 65_532;

    /** Not enough of it has come to tell. */
    static final int NEED_MORE = 0;

    /** Neither STUN nor ChannelData. */
    static final int FOREIGN = -1;

    /** Longer than the limit. */
    static final int TOO_LONG = -2;

    /** ChannelData from a client that has no allocation. */
    static final int CHANNEL_WITHOUT_ALLOCATION = -3;

    private static final int STUN_HEADER = 20;
    private static final int CHANNEL_HEADER = 4;
    private static final int MAGIC_COOKIE = 0x2112_A442;

    private FrameCutter() {}

    /**
     * Looks at the readable bytes, and leaves them as they are.
     *
     * @param channels whether the client has an allocation
     * @param limit of a frame, in bytes
     * @return length of the first frame with its padding, which may be more than is readable; or one of the constants
     */
    static int frameLength(ByteBuf bytes, boolean channels, int limit) {
        int start = bytes.readerIndex();
        int readable = bytes.readableBytes();
        if (readable == 0) {
            return NEED_MORE;
        }
        int first = bytes.getUnsignedByte(start);
        boolean stun = first <= 3;
        if (!stun && (first < 0x40 || first > 0x7f)) {
            return FOREIGN;
        }
        if (!stun && !channels) {
            return CHANNEL_WITHOUT_ALLOCATION;
        }
        if (readable < CHANNEL_HEADER) {
            return NEED_MORE;
        }
        int length = bytes.getUnsignedShort(start + 2);
        if (!stun) {
            int frame = (CHANNEL_HEADER + length + 3) & ~3;
            return frame > limit ? TOO_LONG : frame;
        }
        // RFC 8489 §5: the length of a message is a multiple of four.
        if ((length & 3) != 0) {
            return FOREIGN;
        }
        if (STUN_HEADER + length > limit) {
            return TOO_LONG;
        }
        if (readable < 2 * Integer.BYTES) {
            return NEED_MORE;
        }
        return bytes.getInt(start + Integer.BYTES) == MAGIC_COOKIE ? STUN_HEADER + length : FOREIGN;
    }

    /**
     * Length of the message in a frame, without padding.
     *
     * @param head its first four bytes
     */
    static int messageLength(int head) {
        return (head >>> 24 <= 3 ? STUN_HEADER : CHANNEL_HEADER) + (head & 0xffff);
    }
}
