package dev.turntable.api;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Addresses as people and scripts see them, always in the same spelling (RFC 5952). Asks no name server. Any thread. */
public final class AddressText {
    private static final int GROUPS = 8;

    private AddressText() {}

    /** {@code 192.0.2.1} or {@code 2001:db8::1}; with the zone behind a {@code %} where the address has one. */
    public static String of(InetAddress address) {
        if (!(address instanceof Inet6Address)) {
            return address.getHostAddress();
        }
        byte[] bytes = address.getAddress();
        int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = (bytes[2 * i] & 0xFF) << 8 | bytes[2 * i + 1] & 0xFF;
        }
        String spelled = address.getHostAddress();
        int zone = spelled.indexOf('%');
        return spell(groups) + (zone < 0 ? "" : spelled.substring(zone));
    }

    /** {@code 192.0.2.1:3478} or {@code [2001:db8::1]:3478} (RFC 5952 §6); the name where it has not been resolved. */
    public static String of(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        String host = ip == null ? address.getHostString() : of(ip);
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    private static String spell(int[] groups) {
        int start = 0;
        int length = 0;
        for (int i = 0; i < GROUPS; i++) {
            int run = zerosFrom(groups, i);
            if (run > length) {
                start = i;
                length = run;
            }
        }
        // RFC 5952 §4.2.2: one group of zeros alone is not shortened; §4.2.3: of equal runs the first is.
        if (length < 2) {
            return join(groups, 0, GROUPS);
        }
        return join(groups, 0, start) + "::" + join(groups, start + length, GROUPS);
    }

    private static int zerosFrom(int[] groups, int start) {
        int end = start;
        while (end < GROUPS && groups[end] == 0) {
            end++;
        }
        return end - start;
    }

    private static String join(int[] groups, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(i == from ? "" : ":").append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
