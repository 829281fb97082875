package dev.turntable.codec;

import java.nio.ByteBuffer;

/**
 * ChannelData (RFC 8656 §12.4): two bytes of channel number, two bytes of length, the payload. Sizes are computed in 32
 * bits. Hot path: allocates nothing, changes no buffer but by {@link #writeHeader}.
 */
public final class ChannelData {
    /** Length of the header in bytes. */
    public static final int HEADER_LENGTH = 4;

    /** The lowest channel number (RFC 8656 §12). */
    public static final int MIN_CHANNEL = 0x4000;

    /** The highest channel number (RFC 8656 §12). */
    public static final int MAX_CHANNEL = 0x4FFF;

    /** The highest channel number of RFC 5766 §11, for clients that still choose from its wider range. */
    public static final int MAX_CHANNEL_RFC5766 = 0x7FFE;

    /** The longest payload in bytes that the length field can say. */
    public static final int MAX_PAYLOAD = 0xFFFF;

    private ChannelData() {}

    /** Whether a first byte is that of ChannelData: 64..79 (RFC 7983 §7, RFC 8656 §12). */
    public static boolean isFirstByte(int firstByte) {
        return (firstByte & 0xF0) == 0x40;
    }

    /** Whether a number is one that a channel can have: 0x4000..0x4FFF. */
    public static boolean isChannel(int number) {
        return number >= MIN_CHANNEL && number <= MAX_CHANNEL;
    }

    /** The channel number of a header, as it is on the wire. */
    public static int channel(ByteBuffer bytes, int offset) {
        return Wire.uint16(bytes, offset);
    }

    /** The length of the payload in bytes as the header has it, 0..65535. */
    public static int length(ByteBuffer bytes, int offset) {
        return Wire.uint16(bytes, offset + 2);
    }

    /**
     * Checks a datagram that should be ChannelData. Bytes after the payload are padding and not looked at (RFC 8656
     * §12.5).
     *
     * @return the length of the payload, which begins at {@code offset + 4}; -1 if the header is incomplete, the number not
     *     one of RFC 8656, or the payload longer than the datagram, all of which §12.6 has silently discarded
     */
    public static int payloadLength(ByteBuffer bytes, int offset, int available) {
        return payloadLength(bytes, offset, available, MAX_CHANNEL);
    }

    /** As above, for channel numbers up to {@code maxChannel}. */
    public static int payloadLength(ByteBuffer bytes, int offset, int available, int maxChannel) {
        if (available < HEADER_LENGTH) {
            return -1;
        }
        int channel = channel(bytes, offset);
        int length = length(bytes, offset);
        boolean good = channel >= MIN_CHANNEL && channel <= maxChannel && length <= available - HEADER_LENGTH;
        return good ? length : -1;
    }

    /** Size in bytes of a frame with so long a payload over a stream, padded to a multiple of four (RFC 8656 §12.5). */
    public static int paddedFrameLength(int payloadLength) {
        return Wire.padded(HEADER_LENGTH + payloadLength);
    }

    /** Writes the four bytes in front of a payload of 0..65535 bytes. */
    public static void writeHeader(ByteBuffer bytes, int offset, int channel, int payloadLength) {
        Wire.put32(bytes, offset, channel << 16 | payloadLength);
    }
}
