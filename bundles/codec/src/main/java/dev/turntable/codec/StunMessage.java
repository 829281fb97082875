package dev.turntable.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * A STUN message read in place (RFC 8489 §5, §14). One instance is used again for every message: {@link #decode} keeps a
 * reference to the caller's buffer and the place of each attribute, and copies nothing. What the readers return is valid
 * until the buffer's bytes change or {@code decode} is called again; {@link #clear} lets go of the buffer.
 *
 * <p>The buffer may be heap or direct, of any byte order; its position, limit and content are never changed.
 *
 * <p>Attributes that follow MESSAGE-INTEGRITY, MESSAGE-INTEGRITY-SHA256 or FINGERPRINT and do not count there (RFC 8489
 * §14.5 to §14.7) are not in the index at all. Indices run from 0 to {@link #count()} - 1.
 *
 * <p>Not thread-safe, one per worker. Hot path: {@code decode} and the readers of numbers and addresses allocate nothing.
 */
public final class StunMessage {
    /** Length of the header in bytes (RFC 8489 §5). */
    public static final int HEADER_LENGTH = 20;

    /** The value of bytes 4 to 7 of every message (RFC 8489 §5). */
    public static final int MAGIC_COOKIE = 0x2112A442;

    /** How many attributes that count a message may have, unless said otherwise. */
    public static final int DEFAULT_MAX_ATTRIBUTES = 64;

    private final int[] types;
    private final int[] offsets;
    private final int[] lengths;
    private int count;

    private ByteBuffer bytes;
    private int offset;
    private int length;
    private int type;
    private int transactionIdHigh;
    private long transactionIdLow;

    /** A decoder for up to {@link #DEFAULT_MAX_ATTRIBUTES} attributes. */
    public StunMessage() {
        this(DEFAULT_MAX_ATTRIBUTES);
    }

    /** A decoder for up to so many attributes that count. */
    public StunMessage(int maxAttributes) {
        types = new int[maxAttributes];
        offsets = new int[maxAttributes];
        lengths = new int[maxAttributes];
    }

    /**
     * Reads the message in {@code length} bytes from {@code offset} on, which it has to fill exactly.
     *
     * @param offset absolute, the buffer's position does not matter
     * @return {@link Verdict#OK}, or why not. Unless it {@link Verdict#isAnswerable()}, nothing may be read afterwards; if
     *     it is answerable but not OK, type and transaction ID may be read, and no attribute is in the index
     * @throws IndexOutOfBoundsException if the range is not within the buffer's limit
     */
    public Verdict decode(ByteBuffer bytes, int offset, int length) {
        if (offset < 0 || length < 0 || length > bytes.limit() - offset) {
            throw new IndexOutOfBoundsException("not in the buffer: " + offset + " + " + length);
        }
        count = 0;
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
        if (length < HEADER_LENGTH) {
            return Verdict.TOO_SHORT;
        }
        type = Wire.uint16(bytes, offset);
        if (type >>> 14 != 0) {
            return Verdict.NOT_STUN;
        }
        if (Wire.int32(bytes, offset + 4) != MAGIC_COOKIE) {
            return Verdict.BAD_COOKIE;
        }
        transactionIdHigh = Wire.int32(bytes, offset + 8);
        transactionIdLow = Wire.int64(bytes, offset + 12);
        int bodyLength = Wire.uint16(bytes, offset + 2);
        if ((bodyLength & 3) != 0 || bodyLength != length - HEADER_LENGTH) {
            return Verdict.BAD_LENGTH;
        }
        Verdict verdict = index(offset + HEADER_LENGTH, offset + length);
        if (verdict != Verdict.OK) {
            count = 0;
        }
        return verdict;
    }

    private Verdict index(int from, int end) {
        boolean afterSha1 = false;
        boolean afterSha256 = false;
        boolean afterFingerprint = false;
        int at = from;
        // Start and end are four bytes apart or a multiple of it, so a value that fits has room for its padding too.
        while (at < end) {
            int attribute = Wire.uint16(bytes, at);
            int valueLength = Wire.uint16(bytes, at + 2);
            int value = at + 4;
            if (valueLength > end - value) {
                return Verdict.TRUNCATED_ATTRIBUTE;
            }
            at = value + Wire.padded(valueLength);
            boolean counts = !afterFingerprint;
            if (afterSha256) {
                counts &= attribute == AttributeType.FINGERPRINT;
            } else if (afterSha1) {
                counts &= attribute == AttributeType.FINGERPRINT || attribute == AttributeType.MESSAGE_INTEGRITY_SHA256;
            }
            if (!counts) {
                continue;
            }
            if (count == types.length) {
                return Verdict.TOO_MANY_ATTRIBUTES;
            }
            types[count] = attribute;
            offsets[count] = value;
            lengths[count] = valueLength;
            count++;
            afterSha1 |= attribute == AttributeType.MESSAGE_INTEGRITY;
            afterSha256 |= attribute == AttributeType.MESSAGE_INTEGRITY_SHA256;
            afterFingerprint |= attribute == AttributeType.FINGERPRINT;
        }
        return Verdict.OK;
    }

    /** Forgets the message and lets go of the buffer. */
    public void clear() {
        count = 0;
        bytes = null;
        length = 0;
    }

    /** The buffer that the message lies in. */
    public ByteBuffer bytes() {
        return bytes;
    }

    /** Where the message begins in {@link #bytes()}. */
    public int offset() {
        return offset;
    }

    /** Length of the message in bytes, header included. */
    public int length() {
        return length;
    }

    /** The 14-bit message type. */
    public int type() {
        return type;
    }

    /** The method, one of {@link Method} or an unknown one. */
    public int method() {
        return MessageType.method(type);
    }

    /** The class, one of {@link MessageClass}. */
    public int messageClass() {
        return MessageType.messageClass(type);
    }

    /** The first 4 of the 12 bytes of the transaction ID. */
    public int transactionIdHigh() {
        return transactionIdHigh;
    }

    /** The last 8 of the 12 bytes of the transaction ID. */
    public long transactionIdLow() {
        return transactionIdLow;
    }

    /** How many attributes count. */
    public int count() {
        return count;
    }

    /** The type of an attribute. */
    public int typeAt(int index) {
        return types[index];
    }

    /** Where the value of an attribute begins, absolute in {@link #bytes()}. */
    public int valueOffset(int index) {
        return offsets[index];
    }

    /** Length of the value of an attribute in bytes, without padding. */
    public int valueLength(int index) {
        return lengths[index];
    }

    /** The index of the first attribute of a type, the only one that counts where one is expected; -1 if there is none. */
    public int indexOf(int attributeType) {
        return indexOf(attributeType, 0);
    }

    /** The index of the first attribute of a type from an index on, -1 if there is none. */
    public int indexOf(int attributeType, int from) {
        for (int i = from; i < count; i++) {
            if (types[i] == attributeType) {
                return i;
            }
        }
        return -1;
    }

    /** Whether there is an attribute of a type. */
    public boolean has(int attributeType) {
        return indexOf(attributeType, 0) >= 0;
    }

    /**
     * Collects the types that have to be understood and are not known, each once and in the order of the message, for
     * UNKNOWN-ATTRIBUTES of a 420 (RFC 8489 §6.3.1, §14.9).
     *
     * @param into takes as many as it has room for
     * @return how many were put into it
     */
    public int unknownRequired(AttributeSet known, int[] into) {
        int found = 0;
        for (int i = 0; i < count && found < into.length; i++) {
            int attribute = types[i];
            if (AttributeType.isComprehensionRequired(attribute)
                    && !known.contains(attribute)
                    && !contains(into, found, attribute)) {
                into[found++] = attribute;
            }
        }
        return found;
    }

    private static boolean contains(int[] values, int count, int value) {
        for (int i = 0; i < count; i++) {
            if (values[i] == value) {
                return true;
            }
        }
        return false;
    }

    /** The value of an attribute of one byte, 0..255; -1 if its length is another one. */
    public int uint8(int index) {
        return lengths[index] == 1 ? Wire.uint8(bytes, offsets[index]) : -1;
    }

    /** The value of an attribute of two bytes, 0..65535; -1 if its length is another one. */
    public int uint16(int index) {
        return lengths[index] == 2 ? Wire.uint16(bytes, offsets[index]) : -1;
    }

    /** The value of an attribute of four bytes, 0..2^32-1; -1 if its length is another one. */
    public long uint32(int index) {
        return lengths[index] == 4 ? Wire.int32(bytes, offsets[index]) & 0xFFFF_FFFFL : -1;
    }

    /**
     * The value of an attribute of eight bytes, such as RESERVATION-TOKEN or ICMP; check {@link #valueLength} first, all
     * 64-bit values are possible.
     *
     * @throws IllegalArgumentException if its length is another one
     */
    public long int64(int index) {
        if (lengths[index] != 8) {
            throw new IllegalArgumentException("a value of " + lengths[index] + " bytes");
        }
        return Wire.int64(bytes, offsets[index]);
    }

    /**
     * Reads an XOR-ed address such as XOR-PEER-ADDRESS (RFC 8489 §14.2).
     *
     * @return false if the value is malformed; {@code into} is unchanged then. Look at
     *     {@link TransportAddress#mappedOnWire()} too
     */
    public boolean xorAddress(int index, TransportAddress into) {
        return AddressValue.read(
                bytes, offsets[index], lengths[index], MAGIC_COOKIE, transactionIdHigh, transactionIdLow, into);
    }

    /** Reads a plain address such as MAPPED-ADDRESS (RFC 8489 §14.1); as {@link #xorAddress}. */
    public boolean address(int index, TransportAddress into) {
        return AddressValue.read(bytes, offsets[index], lengths[index], 0, 0, 0, into);
    }

    /** The code of ERROR-CODE or ADDRESS-ERROR-CODE, 300..699; -1 if it is malformed (RFC 8489 §14.8, RFC 8656 §18.12). */
    public int errorCode(int index) {
        if (lengths[index] < 4) {
            return -1;
        }
        int hundreds = Wire.uint8(bytes, offsets[index] + 2) & 0x07;
        int number = Wire.uint8(bytes, offsets[index] + 3);
        return hundreds >= 3 && hundreds <= 6 && number <= 99 ? hundreds * 100 + number : -1;
    }

    /** The reason phrase of ERROR-CODE, for people; null if the attribute is malformed. Allocates. */
    public String reasonPhrase(int index) {
        return errorCode(index) < 0 ? null : utf8(offsets[index] + 4, lengths[index] - 4);
    }

    /** The value as text; null if it is not well-formed UTF-8. Allocates; limits of length are the caller's. */
    public String string(int index) {
        return utf8(offsets[index], lengths[index]);
    }

    private String utf8(int from, int size) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(bytes.slice(from, size))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** A copy of the value. Allocates. */
    public byte[] value(int index) {
        byte[] copy = new byte[lengths[index]];
        bytes.get(offsets[index], copy);
        return copy;
    }

    /** Whether the value is exactly these bytes. Takes as long as they are alike, so it is not for secrets. */
    public boolean valueEquals(int index, byte[] expected) {
        if (lengths[index] != expected.length) {
            return false;
        }
        for (int i = 0; i < expected.length; i++) {
            if (bytes.get(offsets[index] + i) != expected[i]) {
                return false;
            }
        }
        return true;
    }
}
