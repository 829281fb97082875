package dev.turntable.state;

import java.net.InetSocketAddress;

/** A relayed socket that relays nothing. */
final class FakeSocket implements RelayedSocket {
    private final InetSocketAddress localAddress;
    private final Allocation allocation;
    int timesClosed;
    boolean failsToClose;

    FakeSocket(InetSocketAddress localAddress, Allocation allocation) {
        this.localAddress = localAddress;
        this.allocation = allocation;
    }

    @Override
    public InetSocketAddress localAddress() {
        return timesClosed == 0 ? localAddress : null;
    }

    @Override
    public Allocation allocation() {
        return allocation;
    }

    @Override
    public boolean send(long hi, long lo, int port, Packet packet, int offset, int length) {
        return true;
    }

    @Override
    public void close() {
        timesClosed++;
        if (failsToClose) {
            throw new IllegalStateException("the descriptor is gone");
        }
    }
}
