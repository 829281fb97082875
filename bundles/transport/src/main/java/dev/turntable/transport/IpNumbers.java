package dev.turntable.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;

/** Hot path. An address as 16 bytes in two longs, IPv4 as {@code ::ffff:a.b.c.d}; re-used for one packet after the other. */
final class IpNumbers {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final long MAPPED = 0xffffL << 32;

    private long hi;
    private long lo;

    /** Takes the numbers of an address. */
    void read(InetAddress address) {
        // A copy of four bytes that never leaves this method: the compiler removes it. The sixteen of IPv6 are really
        // copied.
        byte[] bytes = address.getAddress();
        if (address instanceof Inet4Address) {
            hi = 0;
            lo = MAPPED | ((int) INT.get(bytes, 0) & 0xffffffffL);
        } else {
            hi = (long) LONG.get(bytes, 0);
            lo = (long) LONG.get(bytes, 8);
        }
    }

    long hi() {
        return hi;
    }

    long lo() {
        return lo;
    }

    static boolean isIPv6(InetSocketAddress address) {
        return address.getAddress() instanceof Inet6Address;
    }

    static boolean isIPv4(long hi, long lo) {
        return hi == 0 && lo >>> 32 == 0xffff;
    }

    /** The object for the numbers. Makes one. */
    static InetAddress address(long hi, long lo) {
        byte[] bytes;
        if (isIPv4(hi, lo)) {
            bytes = new byte[4];
            INT.set(bytes, 0, (int) lo);
        } else {
            bytes = new byte[16];
            LONG.set(bytes, 0, hi);
            LONG.set(bytes, 8, lo);
        }
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes", e);
        }
    }
}
