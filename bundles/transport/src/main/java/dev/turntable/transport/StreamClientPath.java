package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.Worker;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** Hot path. The way to the client of one connection, for as long as the connection lasts. */
final class StreamClientPath implements ClientPath {
    private final StreamConnection connection;
    private final StreamQueue queue;
    private final ClientTransport transport;
    private final int localEnd;
    private final InetSocketAddress server;
    private final InetSocketAddress client;
    private final long clientHi;
    private final long clientLo;

    StreamClientPath(
            StreamConnection connection,
            StreamQueue queue,
            ClientTransport transport,
            int localEnd,
            InetSocketAddress server,
            InetSocketAddress client) {
        this.connection = connection;
        this.queue = queue;
        this.transport = transport;
        this.localEnd = localEnd;
        this.server = server;
        this.client = client;
        IpNumbers numbers = new IpNumbers();
        numbers.read(client.getAddress());
        clientHi = numbers.hi();
        clientLo = numbers.lo();
    }

    @Override
    public ClientTransport transport() {
        return transport;
    }

    @Override
    public int localEnd() {
        return localEnd;
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
        return client.getPort();
    }

    @Override
    public InetSocketAddress clientAddress() {
        return client;
    }

    @Override
    public InetSocketAddress serverAddress() {
        return server;
    }

    @Override
    public ClientPath lasting() {
        return this;
    }

    @Override
    public boolean send(ByteBuffer message) {
        boolean sent = queue.add(message);
        if (!sent) {
            // A request that waited for its credential may be answered when its client has gone.
            connection.endIfGone();
        }
        return sent;
    }

    @Override
    public boolean send(ByteBuffer header, Packet packet, int offset, int length, int padding) {
        return queue.add(header, packet, offset, length, padding);
    }

    StreamConnection connection() {
        return connection;
    }

    @Override
    public boolean moveTo(Worker worker) {
        return connection.moveTo(worker);
    }

    @Override
    public void allocationEnded() {
        connection.allocationEnded();
    }
}
