package dev.turntable.benchmarks.load;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/** Reads one STUN message in place; what it returns is valid while the buffer is. */
final class MessageReader {
    private final ByteBuffer message;

    /** @param message from position to limit: one datagram */
    MessageReader(ByteBuffer message) {
        this.message = message.slice();
    }

    static boolean isStun(ByteBuffer datagram) {
        int start = datagram.position();
        return datagram.remaining() >= MessageWriter.HEADER_BYTES
                && (datagram.get(start) & 0xC0) == 0
                && datagram.getInt(start + 4) == MessageWriter.MAGIC_COOKIE
                && datagram.getShort(start + 2) == datagram.remaining() - MessageWriter.HEADER_BYTES;
    }

    int type() {
        return message.getShort(0);
    }

    boolean belongsTo(ByteBuffer transactionId) {
        return message.slice(8, transactionId.remaining()).equals(transactionId);
    }

    /** The value of the first such attribute, or null. */
    ByteBuffer find(int attribute) {
        int at = offsetOf(attribute);
        return at < 0 ? null : message.slice(at + 4, Short.toUnsignedInt(message.getShort(at + 2)));
    }

    byte[] bytes(int attribute) {
        ByteBuffer value = find(attribute);
        if (value == null) {
            return null;
        }
        byte[] copy = new byte[value.remaining()];
        value.get(copy);
        return copy;
    }

    /** The number of ERROR-CODE (RFC 8489 §14.8), or 0 where the message has none. */
    int errorCode() {
        ByteBuffer value = find(Attribute.ERROR_CODE);
        return value == null ? 0 : (value.get(2) & 7) * 100 + value.get(3);
    }

    /** The address of an XOR-…-ADDRESS attribute, or null where the message has none. */
    InetSocketAddress xorAddress(int attribute) {
        ByteBuffer value = find(attribute);
        if (value == null) {
            return null;
        }
        int port = Short.toUnsignedInt(value.getShort(2)) ^ (MessageWriter.MAGIC_COOKIE >>> 16);
        byte[] raw = new byte[value.remaining() - 4];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = (byte) (value.get(4 + i) ^ message.get(4 + i));
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(raw), port);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("address of " + raw.length + " bytes", e);
        }
    }

    boolean isSignedWith(byte[] key) {
        int at = offsetOf(Attribute.MESSAGE_INTEGRITY);
        if (at < 0) {
            return false;
        }
        byte[] before = new byte[at];
        message.get(0, before);
        int length = at + 24 - MessageWriter.HEADER_BYTES;
        before[2] = (byte) (length >>> 8);
        before[3] = (byte) length;
        byte[] expected = MessageWriter.hmacSha1(key, before, before.length);
        return MessageDigest.isEqual(expected, bytes(Attribute.MESSAGE_INTEGRITY));
    }

    @Override
    public String toString() {
        byte[] header = new byte[MessageWriter.HEADER_BYTES];
        message.get(0, header);
        return "STUN message " + Integer.toHexString(type()) + " error " + errorCode() + " " + Arrays.toString(header);
    }

    private int offsetOf(int attribute) {
        int at = MessageWriter.HEADER_BYTES;
        while (at + 4 <= message.limit()) {
            int length = Short.toUnsignedInt(message.getShort(at + 2));
            if (at + 4 + length > message.limit()) {
                throw new IllegalArgumentException("attribute at " + at + " runs over the end of the message");
            }
            if (Short.toUnsignedInt(message.getShort(at)) == attribute) {
                return at;
            }
            at += 4 + ((length + 3) & ~3);
        }
        return -1;
    }
}
