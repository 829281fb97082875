package dev.turntable.state;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** IP addresses as two longs, IPv4 as {@code ::ffff:a.b.c.d}, and back. */
final class AddressBits {
    private static final long IPV4_PREFIX = 0xFFFFL;

    private AddressBits() {}

    static boolean isIPv6(long hi, long lo) {
        return hi != 0 || lo >>> 32 != IPV4_PREFIX;
    }

    static boolean isIPv6(InetAddress address) {
        return !(address instanceof Inet4Address);
    }

    static InetAddress toAddress(long hi, long lo) {
        byte[] bytes = isIPv6(hi, lo)
                ? ByteBuffer.allocate(16).putLong(hi).putLong(lo).array()
                : ByteBuffer.allocate(4).putInt((int) lo).array();
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 and 16 bytes are always an address", e);
        }
    }

    static InetSocketAddress toAddress(long hi, long lo, int port) {
        return new InetSocketAddress(toAddress(hi, lo), port);
    }
}
