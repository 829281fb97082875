package dev.turntable.codec;

/**
 * The value of the ICMP attribute (RFC 8656 §18.13) as the 64-bit number that {@link StunMessage#int64} reads and {@link
 * StunWriter#icmp} writes: 16 reserved bits, 7 bits of ICMP type, 9 bits of ICMP code, 32 bits of error data. Type and
 * code are those of ICMPv4 or ICMPv6, whichever came from the peer.
 */
public final class Icmp {
    private Icmp() {}

    /** The value of a type (0..127), a code (0..511) and the error data, which is the next hop's MTU or 0. */
    public static long value(int type, int code, int errorData) {
        return (type & 0x7FL) << 41 | (code & 0x1FFL) << 32 | (errorData & 0xFFFF_FFFFL);
    }

    /** The ICMP type, 0..127. */
    public static int type(long value) {
        return (int) (value >>> 41) & 0x7F;
    }

    /** The ICMP code, 0..511. */
    public static int code(long value) {
        return (int) (value >>> 32) & 0x1FF;
    }

    /** The error data: the MTU for ICMPv4 type 3 code 4 and for ICMPv6 type 2, otherwise 0. */
    public static int errorData(long value) {
        return (int) value;
    }
}
