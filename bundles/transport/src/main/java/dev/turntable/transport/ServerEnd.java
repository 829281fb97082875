package dev.turntable.transport;

import java.net.InetSocketAddress;

/**
 * The server's end of five-tuples on one worker: a number and an address for ever, and the socket there now. An allocation's path goes
 * through it, so that it finds the new socket when its listener was bound anew. The worker's thread alone.
 */
final class ServerEnd {
    private final NettyLoop loop;
    private final int number;
    private final int dtlsNumber;
    private final InetSocketAddress address;
    private ClientSocket socket;

    ServerEnd(NettyLoop loop, int number, int dtlsNumber, InetSocketAddress address) {
        this.loop = loop;
        this.number = number;
        this.dtlsNumber = dtlsNumber;
        this.address = address;
    }

    NettyLoop loop() {
        return loop;
    }

    int number() {
        return number;
    }

    /** That of five-tuples over DTLS. */
    int dtlsNumber() {
        return dtlsNumber;
    }

    InetSocketAddress address() {
        return address;
    }

    /** Null while nobody listens. */
    ClientSocket socket() {
        return socket;
    }

    boolean isOpen() {
        return socket != null;
    }

    void opened(ClientSocket opened) {
        socket = opened;
    }

    void closed(ClientSocket closed) {
        if (socket == closed) {
            socket = null;
        }
    }
}
