package dev.turntable.benchmarks;

import dev.turntable.api.ClientTransport;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.ServerState;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The way to a client: counts what it is given, and keeps the last message where that is wanted. */
final class BarePath implements ClientPath {
    private static final InetSocketAddress LISTENER = new InetSocketAddress("127.0.0.1", 3478);

    private final int localEnd;
    private final long lo;
    private final int port;
    long messages;
    long bytes;
    /** Whether {@link #last} is wanted. */
    boolean keeps;

    byte[] last = {};

    /** @param number of the client: gives its address and port */
    BarePath(int localEnd, int number) {
        this.localEnd = localEnd;
        this.lo = TransportAddress.ipv4(0x0A00_0000 + number / 50_000);
        this.port = 10_000 + number % 50_000;
    }

    static int localEnd(ServerState server) {
        return server.localEnd(ClientTransport.UDP, LISTENER);
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
        return lo;
    }

    @Override
    public int clientPort() {
        return port;
    }

    @Override
    public InetSocketAddress clientAddress() {
        return new InetSocketAddress(TransportAddress.toInetAddress(0, lo), port);
    }

    @Override
    public InetSocketAddress serverAddress() {
        return LISTENER;
    }

    @Override
    public ClientPath lasting() {
        return this;
    }

    @Override
    public boolean send(ByteBuffer message) {
        messages++;
        bytes += message.remaining();
        if (keeps) {
            last = new byte[message.remaining()];
            message.get(message.position(), last);
        }
        return true;
    }

    @Override
    public boolean send(ByteBuffer header, Packet packet, int offset, int length, int padding) {
        messages++;
        bytes += header.remaining() + length + padding;
        return true;
    }

    @Override
    public void allocationEnded() {}
}
