package dev.turntable.state;

import dev.turntable.api.ClientTransport;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The way to a client that is not there. */
final class FakePath implements ClientPath {
    private final int localEnd;
    private final long clientLo;
    private final int clientPort;
    int timesEnded;
    boolean failsAtItsEnd;

    FakePath(int localEnd, long clientLo, int clientPort) {
        this.localEnd = localEnd;
        this.clientLo = clientLo;
        this.clientPort = clientPort;
    }

    @Override
    public ClientTransport transport() {
        return ClientTransport.UDP;
    }

    @Override
    public int localEnd() {
        return localEnd;
    }

    @Override
    public long clientHi() {
        return 0;
    }

    @Override
    public long clientLo() {
        return clientLo;
    }

    @Override
    public int clientPort() {
        return clientPort;
    }

    @Override
    public InetSocketAddress clientAddress() {
        return AddressBits.toAddress(0, clientLo, clientPort);
    }

    @Override
    public InetSocketAddress serverAddress() {
        return new InetSocketAddress(Platter.address("192.0.2.1"), 3478);
    }

    @Override
    public ClientPath lasting() {
        return this;
    }

    @Override
    public boolean send(ByteBuffer message) {
        return true;
    }

    @Override
    public boolean send(ByteBuffer header, Packet packet, int offset, int length, int padding) {
        return true;
    }

    @Override
    public void allocationEnded() {
        timesEnded++;
        if (failsAtItsEnd) {
            throw new IllegalStateException("the stream is broken");
        }
    }
}
