package dev.turntable.transport;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** Connections of a listener, in all and by source. Any thread; once for each connection and once for its end. */
final class ConnectionCounts {
    /** A source: an IPv4 address, or the network of 64 bits that one IPv6 client has to itself. */
    private record Source(long hi, long lo) {}

    private final Map<Source, Integer> bySource = new HashMap<>();
    private int all;

    /**
     * Counts one, unless it is above the limits.
     *
     * @param client null where it is not known yet: {@link #takeSource} follows
     */
    boolean take(InetAddress client, StreamLimits limits) {
        return take(client, limits.maxConnections(), limits.maxConnectionsPerSource());
    }

    /** The same with limits in all and for one source. */
    synchronized boolean take(InetAddress client, int most, int mostOfSource) {
        if (all >= most || (client != null && !takeSource(client, mostOfSource))) {
            return false;
        }
        all++;
        return true;
    }

    /** Counts one that was taken without its source, unless that is above the limit. */
    boolean takeSource(InetAddress client, StreamLimits limits) {
        return takeSource(client, limits.maxConnectionsPerSource());
    }

    private synchronized boolean takeSource(InetAddress client, int most) {
        Source source = sourceOf(client);
        int ofSource = bySource.getOrDefault(source, 0);
        if (ofSource >= most) {
            return false;
        }
        bySource.put(source, ofSource + 1);
        return true;
    }

    /**
     * One that was counted has ended.
     *
     * @param client null where its source was never counted
     */
    synchronized void free(InetAddress client) {
        all--;
        if (client != null) {
            bySource.computeIfPresent(sourceOf(client), (source, count) -> count == 1 ? null : count - 1);
        }
    }

    synchronized int all() {
        return all;
    }

    /** How many sources have one. */
    synchronized int sources() {
        return bySource.size();
    }

    private static Source sourceOf(InetAddress client) {
        IpNumbers numbers = new IpNumbers();
        numbers.read(client);
        return new Source(numbers.hi(), IpNumbers.isIPv4(numbers.hi(), numbers.lo()) ? numbers.lo() : 0);
    }
}
