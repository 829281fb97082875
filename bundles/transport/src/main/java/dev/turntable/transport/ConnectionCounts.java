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
    synchronized boolean take(InetAddress client, StreamLimits limits) {
        if (all >= limits.maxConnections() || (client != null && !takeSource(client, limits))) {
            return false;
        }
        all++;
        return true;
    }

    /** Counts one that was taken without its source, unless that is above the limit. */
    synchronized boolean takeSource(InetAddress client, StreamLimits limits) {
        Source source = sourceOf(client);
        int ofSource = bySource.getOrDefault(source, 0);
        if (ofSource >= limits.maxConnectionsPerSource()) {
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
