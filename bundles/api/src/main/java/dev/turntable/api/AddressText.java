package dev.turntable.api;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Addresses as people and scripts see them, always in the same spelling (RFC 5952). Asks no name server. Any thread. */
public final class AddressText {
    private static final int GROUPS = 8;

    // Tight, since what the JDK does not take for a literal it looks up (256.0.0.1), or completes (1.2 is 1.0.0.2).
    private static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(?:\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("(?=[0-9A-Fa-f:])[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    private AddressText() {}

    /**
     * The address that a literal spells: {@code 192.0.2.1} or {@code 2001:db8::1}, without brackets and without a zone. An IPv6 literal of an
     * IPv4-mapped address is that IPv4 address, as everywhere in Java.
     *
     * @return null where the text is no literal
     */
    public static InetAddress parse(String text) {
        if (!IPV4.matcher(text).matches() && !IPV6.matcher(text).matches()) {
            return null;
        }
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            return null;
        }
    }

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
        // Native transports give every address a zone; 0 is none (RFC 4007 §11.2).
        return spell(groups) + (zone < 0 || spelled.endsWith("%0") ? "" : spelled.substring(zone));
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
