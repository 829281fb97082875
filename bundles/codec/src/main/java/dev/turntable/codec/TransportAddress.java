package dev.turntable.codec;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Objects;

/**
 * A transport address (IP address and port, RFC 8656 §2) as three primitives: the 16-byte address in {@link #hi()} and
 * {@link #lo()}, and the port. An IPv4 address a.b.c.d is held as {@code ::ffff:a.b.c.d}, that is {@code hi == 0} and
 * {@code lo == 0x0000_FFFF_aabb_ccdd}.
 *
 * <p>Mutable and meant to be reused: one per worker is filled again for each packet. Not thread-safe. Equality is that
 * of address and port; a mutable key does not belong in a map. Scope ids of IPv6 addresses are not kept.
 */
public final class TransportAddress {
    /** Address family of IPv4 on the wire (RFC 8489 §14.1). */
    public static final int FAMILY_IPV4 = 0x01;

    /** Address family of IPv6 on the wire (RFC 8489 §14.1). */
    public static final int FAMILY_IPV6 = 0x02;

    private static final long MAPPED_PREFIX = 0xFFFFL;

    private long hi;
    private long lo;
    private int port;
    private boolean mappedOnWire;

    /** The unspecified IPv6 address and port 0. */
    public TransportAddress() {}

    /** An address from its three primitives; see {@link #set(long, long, int)}. */
    public TransportAddress(long hi, long lo, int port) {
        set(hi, lo, port);
    }

    /** The low half of an IPv4 address; its high half is 0. */
    public static long ipv4(int address) {
        return MAPPED_PREFIX << 32 | (address & 0xFFFF_FFFFL);
    }

    /** Whether the two halves are an IPv4 address ({@code ::ffff:0:0/96}). */
    public static boolean isIPv4(long hi, long lo) {
        return hi == 0 && lo >>> 32 == MAPPED_PREFIX;
    }

    /** The high half of an address of 4 or 16 bytes. */
    public static long hi(byte[] address) {
        return checked(address).length == 4 ? 0 : int64(address, 0);
    }

    /** The low half of an address of 4 or 16 bytes. */
    public static long lo(byte[] address) {
        return checked(address).length == 4 ? ipv4((int) int32(address, 0)) : int64(address, 8);
    }

    /** The high half of an address. */
    public static long hi(InetAddress address) {
        return hi(address.getAddress());
    }

    /** The low half of an address. */
    public static long lo(InetAddress address) {
        return lo(address.getAddress());
    }

    /** The address in network order: 4 bytes for IPv4, 16 for IPv6. */
    public static byte[] toBytes(long hi, long lo) {
        boolean ipv4 = isIPv4(hi, lo);
        byte[] bytes = new byte[ipv4 ? 4 : 16];
        for (int i = 0; i < bytes.length; i++) {
            int fromEnd = bytes.length - 1 - i;
            bytes[i] = (byte) (fromEnd < 8 ? lo >>> (8 * fromEnd) : hi >>> (8 * (fromEnd - 8)));
        }
        return bytes;
    }

    /** The address as the JDK has it: {@code ::ffff:a.b.c.d} becomes an {@code Inet4Address}. */
    public static InetAddress toInetAddress(long hi, long lo) {
        try {
            return InetAddress.getByAddress(toBytes(hi, lo));
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 bytes are addresses", e);
        }
    }

    /** Sets address and port (0..65535); {@link #mappedOnWire()} becomes false. */
    public void set(long newHi, long newLo, int newPort) {
        hi = newHi;
        lo = newLo;
        port = newPort;
        mappedOnWire = false;
    }

    /**
     * Sets address and port from the JDK's.
     *
     * @throws IllegalArgumentException if the address is unresolved
     */
    public void set(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        if (ip == null) {
            throw new IllegalArgumentException("unresolved: " + address);
        }
        byte[] bytes = ip.getAddress();
        set(hi(bytes), lo(bytes), address.getPort());
    }

    /** Copies another address, {@link #mappedOnWire()} included. */
    public void set(TransportAddress other) {
        set(other.hi, other.lo, other.port);
        mappedOnWire = other.mappedOnWire;
    }

    /** As read from an attribute of the IPv6 family, where an IPv4-mapped address has to stay recognisable. */
    void setFromIPv6(long newHi, long newLo, int newPort) {
        set(newHi, newLo, newPort);
        mappedOnWire = isIPv4(newHi, newLo);
    }

    /** The high 8 bytes of the 16-byte address. */
    public long hi() {
        return hi;
    }

    /** The low 8 bytes of the 16-byte address. */
    public long lo() {
        return lo;
    }

    /** The port, 0..65535. */
    public int port() {
        return port;
    }

    /** Whether this is an IPv4 address (also one that was {@link #mappedOnWire()}). */
    public boolean isIPv4() {
        return isIPv4(hi, lo);
    }

    /** {@link #FAMILY_IPV4} or {@link #FAMILY_IPV6}. */
    public int family() {
        return isIPv4() ? FAMILY_IPV4 : FAMILY_IPV6;
    }

    /**
     * Whether this was read from an attribute that said IPv6 and held {@code ::ffff:a.b.c.d}. Such an address has to be
     * refused: it would let a client of one family reach the other, past rules that are written for IPv4 (RFC 8656 §5).
     */
    public boolean mappedOnWire() {
        return mappedOnWire;
    }

    /** The JDK's form, a new object. */
    public InetSocketAddress toInetSocketAddress() {
        return new InetSocketAddress(toInetAddress(hi, lo), port);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TransportAddress that && hi == that.hi && lo == that.lo && port == that.port;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Long.hashCode(hi) + Long.hashCode(lo)) + port;
    }

    /** {@code 192.0.2.1:3478} or {@code [2001:db8::1]:3478}, for logs. */
    @Override
    public String toString() {
        String ip = toInetAddress(hi, lo).getHostAddress();
        return isIPv4() ? ip + ":" + port : "[" + ip + "]:" + port;
    }

    private static byte[] checked(byte[] address) {
        Objects.requireNonNull(address, "address");
        if (address.length != 4 && address.length != 16) {
            throw new IllegalArgumentException("an address has 4 or 16 bytes: " + Arrays.toString(address));
        }
        return address;
    }

    private static long int64(byte[] bytes, int at) {
        return int32(bytes, at) << 32 | int32(bytes, at + 4);
    }

    private static long int32(byte[] bytes, int at) {
        return (bytes[at] & 0xFFL) << 24
                | (bytes[at + 1] & 0xFFL) << 16
                | (bytes[at + 2] & 0xFFL) << 8
                | (bytes[at + 3] & 0xFFL);
    }
}
