package dev.turntable.codec;

import java.nio.ByteBuffer;

/**
 * Where one message ends and the next begins on TCP and TLS (RFC 8489 §6.2.2, RFC 8656 §12.5). Sizes are computed in 32
 * bits, and ChannelData is taken with its padding. A frame that begins with a reserved number (0x5000 and above) has a
 * size as well, so that who discards it (RFC 8656 §12.6) stays in step. Hot path: allocates nothing and changes no buffer.
 */
public final class StreamFraming {
    /** It begins as STUN does and cannot be STUN; the stream cannot be read any further. */
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
        if (available < ChannelData.HEADER_LENGTH) {
            return 0;
        }
        boolean stun = Wire.uint8(bytes, offset) >>> 6 == 0;
        int length = Wire.uint16(bytes, offset + 2);
        if (stun && !canBeStun(bytes, offset, available, length)) {
            return NOT_A_FRAME;
        }
        int size = stun ? StunMessage.HEADER_LENGTH + length : ChannelData.paddedFrameLength(length);
        if (size > limit) {
            return TOO_LONG;
        }
        return size <= available ? size : 0;
    }

    private static boolean canBeStun(ByteBuffer bytes, int offset, int available, int length) {
        boolean cookie = available < COOKIE_END || Wire.int32(bytes, offset + 4) == StunMessage.MAGIC_COOKIE;
        return cookie && (length & 3) == 0;
    }
}
