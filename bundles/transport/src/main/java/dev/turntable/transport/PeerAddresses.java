package dev.turntable.transport;

import java.net.InetSocketAddress;

/**
 * Hot path. The socket address objects of a worker's peers, found by their numbers: a direct-mapped cache, where a peer that falls on
 * a taken place puts the other out. Bounded, the worker's thread alone.
 */
final class PeerAddresses {
    private static final int PLACES = 4096;

    private final long[] his = new long[PLACES];
    private final long[] los = new long[PLACES];
    private final InetSocketAddress[] addresses = new InetSocketAddress[PLACES];

    InetSocketAddress of(long hi, long lo, int port) {
        int place = place(hi, lo, port);
        InetSocketAddress address = addresses[place];
        if (address != null && his[place] == hi && los[place] == lo && address.getPort() == port) {
            return address;
        }
        address = new InetSocketAddress(IpNumbers.address(hi, lo), port);
        his[place] = hi;
        los[place] = lo;
        addresses[place] = address;
        return address;
    }

    private static int place(long hi, long lo, int port) {
        long mixed = (hi * 31 + lo) * 31 + port;
        mixed *= 0x9e3779b97f4a7c15L;
        return (int) (mixed >>> 52);
    }
}
