package dev.turntable.benchmarks;

import dev.turntable.state.Allocation;
import dev.turntable.state.Packet;
import dev.turntable.state.RelayedSocket;
import java.net.InetSocketAddress;

/** A relayed socket that counts what it is given. */
final class BareSocket implements RelayedSocket {
    private final InetSocketAddress local;
    private final Allocation allocation;
    long packets;
    long bytes;

    /** @param allocation null where it is shared */
    BareSocket(InetSocketAddress local, Allocation allocation) {
        this.local = local;
        this.allocation = allocation;
    }

    @Override
    public InetSocketAddress localAddress() {
        return local;
    }

    @Override
    public Allocation allocation() {
        return allocation;
    }

    @Override
    public boolean send(long hi, long lo, int port, Packet packet, int offset, int length) {
        packets++;
        bytes += length + (port & 1) + (lo & 1);
        return true;
    }

    @Override
    public void close() {}
}
