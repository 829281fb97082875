package dev.turntable.relay;

import dev.turntable.api.AddressText;
import dev.turntable.codec.TransportAddress;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * A CIDR block of IPv4 or IPv6 addresses, as 16 bytes in two longs (IPv4 as {@code ::ffff:a.b.c.d}). Immutable.
 *
 * @param hi first 8 bytes, bits past the prefix zero
 * @param lo last 8 bytes, the same
 * @param prefix 0 to 128, counted on the 16 bytes
 */
record AddressRange(long hi, long lo, int prefix) {
    private static final int IPV4_OFFSET = 96;

    /**
     * Reads {@code 192.0.2.0/24}, {@code 2001:db8::/32}, or an address alone. Never asks a name service.
     *
     * @throws IllegalArgumentException where the text is neither, or has bits past its prefix
     */
    static AddressRange parse(String text) {
        int slash = text.indexOf('/');
        String host = slash < 0 ? text : text.substring(0, slash);
        byte[] bytes = bytesOf(host, text);
        int width = bytes.length * 8;
        int length = slash < 0 ? width : number(text, slash + 1, width);
        long hi = TransportAddress.hi(bytes);
        long lo = TransportAddress.lo(bytes);
        int prefix = length + (width == 32 ? IPV4_OFFSET : 0);
        if ((hi & ~maskHi(prefix)) != 0 || (lo & ~maskLo(prefix)) != 0) {
            throw new IllegalArgumentException("bits past the prefix: " + text);
        }
        return new AddressRange(hi, lo, prefix);
    }

    boolean contains(long otherHi, long otherLo) {
        return (otherHi & maskHi(prefix)) == hi && (otherLo & maskLo(prefix)) == lo;
    }

    /** As {@link #parse} takes it. */
    @Override
    public String toString() {
        try {
            byte[] bytes = ByteBuffer.allocate(16).putLong(hi).putLong(lo).array();
            InetAddress address = InetAddress.getByAddress(bytes);
            return AddressText.of(address) + "/" + (prefix - (address instanceof Inet4Address ? IPV4_OFFSET : 0));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] bytesOf(String host, String text) {
        InetAddress address = AddressText.parse(host);
        if (address == null) {
            throw new IllegalArgumentException("not an address or CIDR block: " + text);
        }
        if (address instanceof Inet4Address && host.indexOf(':') >= 0) {
            throw new IllegalArgumentException("write it as IPv4: " + text);
        }
        return address.getAddress();
    }

    private static int number(String text, int from, int most) {
        String digits = text.substring(from);
        if (!digits.matches("\\d{1,3}") || Integer.parseInt(digits) > most) {
            throw new IllegalArgumentException("not an address or CIDR block: " + text);
        }
        return Integer.parseInt(digits);
    }

    private static long maskHi(int prefix) {
        return prefix == 0 ? 0 : prefix >= 64 ? -1L : -1L << (64 - prefix);
    }

    private static long maskLo(int prefix) {
        return prefix <= 64 ? 0 : -1L << (128 - prefix);
    }
}
