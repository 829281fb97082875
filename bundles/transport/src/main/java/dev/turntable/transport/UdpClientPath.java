package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Hot path. The way to a client over UDP. Each socket has one that leads to the sender of the current datagram. */
final class UdpClientPath implements ClientPath {
    private final ServerEnd end;
    private final boolean lasting;
    private InetSocketAddress client;
    private InetSocketAddress route;
    private long clientHi;
    private long clientLo;
    private int clientPort;

    UdpClientPath(ServerEnd end) {
        this.end = end;
        this.lasting = false;
    }

    private UdpClientPath(UdpClientPath current) {
        this.end = current.end;
        this.lasting = true;
        lead(current.client, current.clientHi, current.clientLo, current.clientPort, current.route);
    }

    /** @param route where to send: the client's address, or that of the proxy that speaks for it */
    void lead(InetSocketAddress address, long hi, long lo, int port, InetSocketAddress route) {
        client = address;
        clientHi = hi;
        clientLo = lo;
        clientPort = port;
        this.route = route;
    }

    /** The proxy speaks for the client from another port now. */
    void reroute(InetSocketAddress proxy) {
        route = proxy;
    }

    @Override
    public ClientTransport transport() {
        return ClientTransport.UDP;
    }

    @Override
    public int localEnd() {
        return end.number();
    }

    @Override
    public long clientHi() {
        return clientHi;
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
        return client;
    }

    @Override
    public InetSocketAddress serverAddress() {
        return end.address();
    }

    @Override
    public ClientPath lasting() {
        return lasting ? this : new UdpClientPath(this);
    }

    @Override
    public boolean send(ByteBuffer message) {
        ClientSocket socket = socket();
        return socket != null
                && socket.send(Datagrams.copy(end.loop(), message, message.position(), message.remaining()), route);
    }

    @Override
    public boolean send(ByteBuffer header, Packet packet, int offset, int length, int padding) {
        ClientSocket socket = socket();
        return socket != null && socket.send(header, packet, offset, length, padding, route);
    }

    /** Null where it has been closed, which is counted. */
    private ClientSocket socket() {
        ClientSocket socket = end.socket();
        if (socket == null) {
            end.loop().drop(end.loop().reasons().socketClosed());
        }
        return socket;
    }

    @Override
    public void allocationEnded() {
        // Nothing is held for a client over UDP.
    }
}
