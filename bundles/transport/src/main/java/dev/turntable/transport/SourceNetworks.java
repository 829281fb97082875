package dev.turntable.transport;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * Networks that connections and datagrams may come from.
 *
 * @param networks each an address and how many of its 128 bits count, IPv4 as {@code ::ffff:a.b.c.d}
 */
record SourceNetworks(List<Network> networks) {
    static final SourceNetworks NONE = new SourceNetworks(List.of());

    /** The bits that count, and which they are. */
    record Network(long hi, long lo, long maskHi, long maskLo) {
        private boolean contains(long otherHi, long otherLo) {
            return (otherHi & maskHi) == hi && (otherLo & maskLo) == lo;
        }
    }

    /**
     * @param texts such as {@code 10.0.0.0/8} or {@code ::1}
     * @throws IllegalArgumentException that names the key
     */
    static SourceNetworks of(String key, List<String> texts) {
        List<Network> networks = new ArrayList<>();
        for (String text : texts) {
            String[] parts = text.split("/", 2);
            InetAddress address = ListenerConfiguration.address(key, parts[0]);
            IpNumbers numbers = new IpNumbers();
            numbers.read(address);
            int longest = address.getAddress().length * Byte.SIZE;
            int bits = parts.length == 1 ? longest : bits(key, text, parts[1], longest);
            int all = 128 - longest + bits;
            long maskHi = all >= 64 ? -1 : all == 0 ? 0 : -1L << 64 - all;
            long maskLo = all >= 128 ? -1 : all <= 64 ? 0 : -1L << 128 - all;
            if ((numbers.hi() & ~maskHi) != 0 || (numbers.lo() & ~maskLo) != 0) {
                throw ListenerConfiguration.bad(key, text, "bits are set behind the length of the network");
            }
            networks.add(new Network(numbers.hi(), numbers.lo(), maskHi, maskLo));
        }
        return networks.isEmpty() ? NONE : new SourceNetworks(List.copyOf(networks));
    }

    private static int bits(String key, String text, String length, int longest) {
        if (length.matches("[0-9]{1,3}") && Integer.parseInt(length) <= longest) {
            return Integer.parseInt(length);
        }
        throw ListenerConfiguration.bad(key, text, "the length of a network, from 0 to " + longest + ", is needed");
    }

    boolean contains(InetAddress address) {
        if (networks.isEmpty()) {
            return false;
        }
        IpNumbers numbers = new IpNumbers();
        numbers.read(address);
        return networks.stream().anyMatch(network -> network.contains(numbers.hi(), numbers.lo()));
    }
}
