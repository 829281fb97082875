package dev.turntable.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes one STUN message after another into buffers of the caller (RFC 8489 §5, §14). The buffer may be heap or direct,
 * of any byte order; its position and limit are not changed, its limit bounds what is written. A message that does not
 * fit is a value: from the attribute on that did not fit nothing more is written, {@link #fits()} is false and {@link
 * #finish()} gives -1.
 *
 * <p>Every byte of padding is written as zero, whatever the buffer held. The length of an attribute is that of its value
 * before padding.
 *
 * <p>Not thread-safe, one per worker. Apart from text that is not ASCII and from {@link #fingerprint()} it allocates
 * nothing.
 */
public final class StunWriter {
    private static final int MAX_BODY_LENGTH = 0xFFFC;

    private ByteBuffer target;
    private int start;
    private int at;
    private int transactionIdHigh;
    private long transactionIdLow;
    private boolean fits;

    /** A writer that has to {@link #begin}. */
    public StunWriter() {}

    /**
     * Begins a message.
     *
     * @param target where to write, up to its limit
     * @param offset where the message begins, absolute
     * @param type from {@link MessageType#type}
     * @param idHigh the first 4 bytes of the transaction ID
     * @param idLow the last 8 bytes of the transaction ID
     */
    public StunWriter begin(ByteBuffer target, int offset, int type, int idHigh, long idLow) {
        this.target = target;
        start = offset;
        at = offset + StunMessage.HEADER_LENGTH;
        transactionIdHigh = idHigh;
        transactionIdLow = idLow;
        fits = offset >= 0 && offset <= target.limit() - StunMessage.HEADER_LENGTH;
        if (fits) {
            writeHeader(target, offset, type, 0, idHigh, idLow);
        }
        return this;
    }

    /** Begins the answer to a request, with its method and its transaction ID (RFC 8489 §6.3.1.1). */
    public StunWriter answer(ByteBuffer target, int offset, StunMessage request, int messageClass) {
        int type = MessageType.type(request.method(), messageClass);
        return begin(target, offset, type, request.transactionIdHigh(), request.transactionIdLow());
    }

    static void writeHeader(ByteBuffer target, int offset, int type, int bodyLength, int idHigh, long idLow) {
        Wire.put16(target, offset, type);
        Wire.put16(target, offset + 2, bodyLength);
        Wire.put32(target, offset + 4, StunMessage.MAGIC_COOKIE);
        Wire.put32(target, offset + 8, idHigh);
        Wire.put64(target, offset + 12, idLow);
    }

    /** Whether everything has fitted so far. */
    public boolean fits() {
        return fits;
    }

    /** Length of the message so far, header included. */
    public int length() {
        return at - start;
    }

    /** Ends the message and lets go of the buffer. Returns its total length in bytes, or -1 if it did not fit. */
    public int finish() {
        if (fits) {
            writeBodyLength();
        }
        target = null;
        return fits ? at - start : -1;
    }

    /** An attribute without a value, such as DONT-FRAGMENT. */
    public StunWriter empty(int type) {
        reserve(type, 0);
        return this;
    }

    /** An attribute of one byte, such as EVEN-PORT. */
    public StunWriter uint8(int type, int value) {
        int place = reserve(type, 1);
        if (place >= 0) {
            target.put(place, (byte) value);
        }
        return this;
    }

    /** An attribute of two bytes. */
    public StunWriter uint16(int type, int value) {
        int place = reserve(type, 2);
        if (place >= 0) {
            Wire.put16(target, place, value);
        }
        return this;
    }

    /** An attribute of four bytes, such as LIFETIME (in seconds). */
    public StunWriter uint32(int type, long value) {
        int place = reserve(type, 4);
        if (place >= 0) {
            Wire.put32(target, place, (int) value);
        }
        return this;
    }

    /** An attribute of eight bytes, such as RESERVATION-TOKEN. */
    public StunWriter int64(int type, long value) {
        int place = reserve(type, 8);
        if (place >= 0) {
            Wire.put64(target, place, value);
        }
        return this;
    }

    /** An attribute of any bytes. */
    public StunWriter bytes(int type, byte[] value) {
        int place = reserve(type, value.length);
        if (place >= 0) {
            target.put(place, value);
        }
        return this;
    }

    /** An attribute of bytes from another buffer, absolute; that buffer is not changed. */
    public StunWriter bytes(int type, ByteBuffer source, int offset, int length) {
        int place = reserve(type, length);
        if (place >= 0) {
            target.put(place, source, offset, length);
        }
        return this;
    }

    /** An attribute of text in UTF-8, such as REALM. */
    public StunWriter string(int type, String value) {
        text(type, 0, value);
        return this;
    }

    /** An XOR-ed address such as XOR-MAPPED-ADDRESS (RFC 8489 §14.2); the family follows from the address. */
    public StunWriter xorAddress(int type, long hi, long lo, int port) {
        int place = reserve(type, AddressValue.length(hi, lo));
        if (place >= 0) {
            AddressValue.write(
                    target, place, StunMessage.MAGIC_COOKIE, transactionIdHigh, transactionIdLow, hi, lo, port);
        }
        return this;
    }

    /** An XOR-ed address. */
    public StunWriter xorAddress(int type, TransportAddress address) {
        return xorAddress(type, address.hi(), address.lo(), address.port());
    }

    /** A plain address such as MAPPED-ADDRESS or ALTERNATE-SERVER (RFC 8489 §14.1). */
    public StunWriter address(int type, long hi, long lo, int port) {
        int place = reserve(type, AddressValue.length(hi, lo));
        if (place >= 0) {
            AddressValue.write(target, place, 0, 0, 0, hi, lo, port);
        }
        return this;
    }

    /** ERROR-CODE with the registered reason phrase. */
    public StunWriter errorCode(int code) {
        return errorCode(code, ErrorCode.reason(code));
    }

    /** ERROR-CODE (RFC 8489 §14.8); {@code code} is 300..699. */
    public StunWriter errorCode(int code, String reason) {
        return error(AttributeType.ERROR_CODE, 0, code, reason);
    }

    /** ADDRESS-ERROR-CODE (RFC 8656 §18.12), for the address family (1 or 2) that could not be allocated. */
    public StunWriter addressErrorCode(int family, int code) {
        return error(AttributeType.ADDRESS_ERROR_CODE, family, code, ErrorCode.reason(code));
    }

    private StunWriter error(int type, int family, int code, String reason) {
        int place = text(type, 4, reason);
        if (place >= 0) {
            Wire.put32(target, place, family << 24 | code / 100 << 8 | code % 100);
        }
        return this;
    }

    /** UNKNOWN-ATTRIBUTES (RFC 8489 §14.9): two bytes for each of the first {@code count} types. */
    public StunWriter unknownAttributes(int[] types, int count) {
        int place = reserve(AttributeType.UNKNOWN_ATTRIBUTES, 2 * count);
        for (int i = 0; place >= 0 && i < count; i++) {
            Wire.put16(target, place + 2 * i, types[i]);
        }
        return this;
    }

    /** ICMP (RFC 8656 §18.13); see {@link Icmp}. */
    public StunWriter icmp(int icmpType, int icmpCode, int errorData) {
        return int64(AttributeType.ICMP, Icmp.value(icmpType, icmpCode, errorData));
    }

    /** MESSAGE-INTEGRITY (RFC 8489 §14.5) over everything written so far. */
    public StunWriter messageIntegrity(Integrity integrity, byte[] key) {
        return integrity(AttributeType.MESSAGE_INTEGRITY, integrity, key, Integrity.SHA1_LENGTH);
    }

    /** MESSAGE-INTEGRITY-SHA256 (RFC 8489 §14.6) of 32 bytes over everything written so far. */
    public StunWriter messageIntegritySha256(Integrity integrity, byte[] key) {
        return messageIntegritySha256(integrity, key, Integrity.SHA256_LENGTH);
    }

    /** MESSAGE-INTEGRITY-SHA256 truncated to 16, 20, 24, 28 or 32 bytes (RFC 8489 §14.6). */
    public StunWriter messageIntegritySha256(Integrity integrity, byte[] key, int length) {
        if (!Integrity.isSha256Length(length)) {
            throw new IllegalArgumentException("not a length of MESSAGE-INTEGRITY-SHA256: " + length);
        }
        return integrity(AttributeType.MESSAGE_INTEGRITY_SHA256, integrity, key, length);
    }

    private StunWriter integrity(int type, Integrity integrity, byte[] key, int length) {
        int end = at;
        int place = reserve(type, length);
        if (place >= 0) {
            byte[] code = integrity.compute(type, target, start, end, place + length, key);
            target.put(place, code, 0, length);
        }
        return this;
    }

    /** FINGERPRINT (RFC 8489 §14.7) over everything written so far; has to be the last attribute. */
    public StunWriter fingerprint() {
        int end = at;
        int place = reserve(AttributeType.FINGERPRINT, 4);
        if (place >= 0) {
            writeBodyLength();
            Wire.put32(target, place, Fingerprint.of(target, start, end - start));
        }
        return this;
    }

    /** Writes attribute header and zero padding; returns where the value goes, or -1 if it does not fit. */
    private int reserve(int type, int length) {
        int place = at + 4;
        int end = place + Wire.padded(length);
        if (!fits || end > target.limit() || end - start - StunMessage.HEADER_LENGTH > MAX_BODY_LENGTH) {
            fits = false;
            return -1;
        }
        Wire.put16(target, at, type);
        Wire.put16(target, at + 2, length);
        for (int i = place + length; i < end; i++) {
            target.put(i, (byte) 0);
        }
        at = end;
        return place;
    }

    /** Reserves {@code prefix} bytes and the text after them. */
    private int text(int type, int prefix, String text) {
        int size = text.length();
        if (!isAscii(text)) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            int place = reserve(type, prefix + utf8.length);
            if (place >= 0) {
                target.put(place + prefix, utf8);
            }
            return place;
        }
        int place = reserve(type, prefix + size);
        for (int i = 0; place >= 0 && i < size; i++) {
            target.put(place + prefix + i, (byte) text.charAt(i));
        }
        return place;
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private void writeBodyLength() {
        Wire.put16(target, start + 2, at - start - StunMessage.HEADER_LENGTH);
    }
}
