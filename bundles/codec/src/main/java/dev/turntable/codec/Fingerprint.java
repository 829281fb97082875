package dev.turntable.codec;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** FINGERPRINT (RFC 8489 §14.7): the CRC-32 of the message up to the attribute, XOR-ed with {@code 0x5354554e}. */
public final class Fingerprint {
    private static final int XOR = 0x5354554E;

    private Fingerprint() {}

    /**
     * The value for a message whose header already has the length that includes the attribute.
     *
     * @param length of the message in bytes, without the attribute
     */
    public static int of(ByteBuffer message, int offset, int length) {
        CRC32 crc = new CRC32();
        crc.update(message.slice(offset, length));
        return (int) crc.getValue() ^ XOR;
    }

    /** Whether the message ends with a FINGERPRINT, and the right one. */
    public static boolean verify(StunMessage message) {
        int index = message.indexOf(AttributeType.FINGERPRINT);
        if (index < 0 || message.valueLength(index) != 4) {
            return false;
        }
        int value = message.valueOffset(index);
        int covered = value - 4 - message.offset();
        return value + 4 == message.offset() + message.length()
                && Wire.int32(message.bytes(), value) == of(message.bytes(), message.offset(), covered);
    }
}
