package dev.turntable.codec;

import java.nio.ByteBuffer;

/**
 * Where one message ends and the next begins on TCP and TLS (RFC 8489 §6.2.2, RFC 8656 §12.5). Sizes are computed in 32
 * bits, and ChannelData is taken with its padding. Hot path: allocates nothing and changes no buffer.
 */
public final class StreamFraming {
    /** These bytes are neither STUN nor ChannelData; the stream cannot be read any further. */
    public static final int NOT_A_FRAME = -1;

    /** The frame would be longer than the limit. */
    public static final int TOO_LONG = -2;

    private static final int COOKIE_END = 8;

    private StreamFraming() {}

    /**
     * Looks at the bytes that have come so far.
     *
     * @param available how many bytes there are from {@code offset} on
     * @param limit the longest frame in bytes that is accepted
     * @return the size in bytes of the first frame if all of it is there; 0 to wait for more; {@link #NOT_A_FRAME} or
     *     {@link #TOO_LONG}, after which the connection has to be closed
     */
    public static int frameLength(ByteBuffer bytes, int offset, int available, int limit) {
        if (available < 1) {
            return 0;
        }
        int firstByte = Wire.uint8(bytes, offset);
        boolean channelData = ChannelData.isFirstByte(firstByte);
        if (!channelData && firstByte >>> 6 != 0) {
            return NOT_A_FRAME;
        }
        if (available < ChannelData.HEADER_LENGTH) {
            return 0;
        }
        int length = Wire.uint16(bytes, offset + 2);
        int size;
        if (channelData) {
            size = ChannelData.paddedFrameLength(length);
        } else {
            if ((length & 3) != 0) {
                return NOT_A_FRAME;
            }
            if (available >= COOKIE_END && Wire.int32(bytes, offset + 4) != StunMessage.MAGIC_COOKIE) {
                return NOT_A_FRAME;
            }
            size = StunMessage.HEADER_LENGTH + length;
        }
        if (size > limit) {
            return TOO_LONG;
        }
        return size <= available ? size : 0;
    }
}
