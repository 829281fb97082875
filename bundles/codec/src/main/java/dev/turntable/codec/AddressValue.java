package dev.turntable.codec;

import java.nio.ByteBuffer;

/**
 * The value of an address attribute, plain (RFC 8489 §14.1) or XOR-ed (§14.2). The plain form is the XOR-ed one with a
 * mask of zero: the mask is the magic cookie followed by the transaction ID. Hot path: allocates nothing.
 */
final class AddressValue {
    static final int LENGTH_IPV4 = 8;
    static final int LENGTH_IPV6 = 20;

    private AddressValue() {}

    static int length(long hi, long lo) {
        return TransportAddress.isIPv4(hi, lo) ? LENGTH_IPV4 : LENGTH_IPV6;
    }

    static boolean read(
            ByteBuffer bytes, int at, int length, int cookie, int idHigh, long idLow, TransportAddress into) {
        if (length < 4) {
            return false;
        }
        int family = Wire.uint8(bytes, at + 1);
        int port = Wire.uint16(bytes, at + 2) ^ cookie >>> 16;
        if (family == TransportAddress.FAMILY_IPV4 && length == LENGTH_IPV4) {
            into.set(0, TransportAddress.ipv4(Wire.int32(bytes, at + 4) ^ cookie), port);
            return true;
        }
        if (family == TransportAddress.FAMILY_IPV6 && length == LENGTH_IPV6) {
            into.setFromIPv6(
                    Wire.int64(bytes, at + 4) ^ mask(cookie, idHigh), Wire.int64(bytes, at + 12) ^ idLow, port);
            return true;
        }
        return false;
    }

    /** Writes {@link #length} bytes. */
    static void write(ByteBuffer bytes, int at, int cookie, int idHigh, long idLow, long hi, long lo, int port) {
        boolean ipv4 = TransportAddress.isIPv4(hi, lo);
        Wire.put16(bytes, at, ipv4 ? TransportAddress.FAMILY_IPV4 : TransportAddress.FAMILY_IPV6);
        Wire.put16(bytes, at + 2, port ^ cookie >>> 16);
        if (ipv4) {
            Wire.put32(bytes, at + 4, (int) lo ^ cookie);
        } else {
            Wire.put64(bytes, at + 4, hi ^ mask(cookie, idHigh));
            Wire.put64(bytes, at + 12, lo ^ idLow);
        }
    }

    private static long mask(int cookie, int idHigh) {
        return (long) cookie << 32 | (idHigh & 0xFFFF_FFFFL);
    }
}
