package dev.turntable.state;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The free relayed ports, for each address family, server-wide; UDP and TCP allocations take from the same. Ports come in random order from a secure generator (RFC 6056). Any
 * thread.
 */
public final class PortPool {
    /** No port is free that would do. */
    public static final int NONE = -1;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

    private final FreePorts ipv4;
    private final FreePorts ipv6;
    /** A bit for each port there is. */
    private final long[] liveIPv4 = new long[65536 / Long.SIZE];

    private final long[] liveIPv6 = new long[65536 / Long.SIZE];
    private final long[] listeningIPv4 = new long[65536 / Long.SIZE];
    private final long[] listeningIPv6 = new long[65536 / Long.SIZE];

    PortPool(ServerConfiguration configuration) {
        ipv4 = freePorts(configuration, configuration.relayedIPv4() != null);
        ipv6 = freePorts(configuration, configuration.relayedIPv6() != null);
    }

    private static FreePorts freePorts(ServerConfiguration configuration, boolean served) {
        int first = configuration.relayedPortMin();
        return new FreePorts(first, served ? configuration.relayedPortMax() - first + 1 : 0);
    }

    /** Takes a free port. */
    public int take(boolean ipv6) {
        return of(ipv6).take();
    }

    /** Takes a free even port (RFC 8656 §18.7, R bit 0). */
    public int takeEven(boolean ipv6) {
        return of(ipv6).takeEven();
    }

    /** Takes a free even port and the one above it; returns the even one. */
    public int takePair(boolean ipv6) {
        return of(ipv6).takePair();
    }

    /** Gives a port back. Nothing where it is free, or not of the range. */
    public void free(boolean ipv6, int port) {
        of(ipv6).free(port);
    }

    /** The UDP socket of a live allocation is bound to it; as opposed to taken or reserved only. One bit is read. */
    public boolean isLive(boolean ipv6, int port) {
        return isSet(ipv6 ? liveIPv6 : liveIPv4, port);
    }

    /** The same for the listener of a TCP allocation: another process may have the port of the other protocol. */
    public boolean isListening(boolean ipv6, int port) {
        return isSet(ipv6 ? listeningIPv6 : listeningIPv4, port);
    }

    private static boolean isSet(long[] words, int port) {
        return ((long) WORD.getVolatile(words, port >>> 6) & 1L << port) != 0;
    }

    /** Called by {@link Allocations#addRelayed} and the teardown. */
    void setLive(boolean ipv6, int port, boolean tcp, boolean live) {
        long[] udp = ipv6 ? liveIPv6 : liveIPv4;
        long[] words = tcp ? (ipv6 ? listeningIPv6 : listeningIPv4) : udp;
        if (live) {
            WORD.getAndBitwiseOr(words, port >>> 6, 1L << port);
        } else {
            WORD.getAndBitwiseAnd(words, port >>> 6, ~(1L << port));
        }
    }

    /** Taken, of both families. */
    public int inUse() {
        return ipv4.inUse() + ipv6.inUse();
    }

    /** Size of the range of one family; 0 where it is not served. */
    public int capacity(boolean ipv6) {
        return of(ipv6).capacity();
    }

    private FreePorts of(boolean ipv6) {
        return ipv6 ? this.ipv6 : ipv4;
    }
}
