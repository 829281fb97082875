package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/** The way to the client of one association, for as long as that lasts. A record for each message. */
final class DtlsClientPath implements ClientPath {
    private final DtlsAssociation association;
    private final ServerEnd end;
    private final InetSocketAddress client;
    private final long clientHi;
    private final long clientLo;

    DtlsClientPath(DtlsAssociation association, ServerEnd end, InetSocketAddress client, long hi, long lo) {
        this.association = association;
        this.end = end;
        this.client = client;
        clientHi = hi;
        clientLo = lo;
    }

    @Override
    public ClientTransport transport() {
        return ClientTransport.DTLS;
    }

    @Override
    public int localEnd() {
        return end.dtlsNumber();
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
        return end.address();
    }

    @Override
    public ClientPath lasting() {
        return this;
    }

    @Override
    public boolean send(ByteBuffer message) {
        byte[] record = association.roomFor(message.remaining());
        if (record == null) {
            // A request that waited for its credential may be answered when its client has gone.
            association.endIfGone();
            return false;
        }
        message.get(message.position(), record, 0, message.remaining());
        return association.send(message.remaining());
    }

    @Override
    public boolean send(ByteBuffer header, Packet packet, int offset, int length, int padding) {
        int headerLength = header.remaining();
        byte[] record = association.roomFor(headerLength + length + padding);
        if (record == null) {
            return false;
        }
        header.get(header.position(), record, 0, headerLength);
        packet.memory().get(packet.start() + offset, record, headerLength, length);
        for (int i = headerLength + length; i < headerLength + length + padding; i++) {
            record[i] = 0;
        }
        return association.send(headerLength + length + padding);
    }

    @Override
    public void allocationEnded() {
        association.allocationEnded();
    }
}
