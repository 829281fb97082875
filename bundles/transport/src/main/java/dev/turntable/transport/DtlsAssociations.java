package dev.turntable.transport;

import dev.turntable.state.ReapReason;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bouncycastle.tls.DTLSRequest;
import org.bouncycastle.tls.DatagramSender;

/**
 * The DTLS associations of a loop: found by five-tuple, with their deadlines side by side in rows. An association stays with the worker
 * whose socket the kernel gives its five-tuple to. The loop's thread alone.
 */
final class DtlsAssociations {
    /** Associations that are ended before packets come to their turn again. */
    private static final int ENDED_AT_ONCE = 64;

    private final NettyLoop loop;
    private final DtlsShared shared;
    private final Map<DtlsTuple, DtlsAssociation> byTuple = new HashMap<>();
    private final List<DtlsAssociation> held = new ArrayList<>();
    private final DtlsTuple asked = new DtlsTuple(new SecureRandom().nextLong());
    private final byte[] received = new byte[ReceiveMemory.LARGEST_DATAGRAM];
    private final byte[] opened = new byte[DtlsRecords.LONGEST_PLAINTEXT];
    private final byte[] sent = new byte[DtlsRecords.LONGEST_PLAINTEXT];
    private long[] deadlines = new long[16];
    private DtlsAssociation[] associations = new DtlsAssociation[16];
    private int size;

    DtlsAssociations(NettyLoop loop, DtlsShared shared) {
        this.loop = loop;
        this.shared = shared;
    }

    // Receiving

    /** A datagram that begins as DTLS does came. */
    void received(
            UdpListener listener, ServerEnd end, ByteBuf content, InetSocketAddress client, InetSocketAddress route) {
        if (!listener.offersSecured() || listener.tls() == null && byTuple.isEmpty()) {
            loop.drop(loop.reasons().dtls());
            return;
        }
        int length = content.readableBytes();
        content.getBytes(content.readerIndex(), received, 0, length);
        IpNumbers from = loop.senderNumbers();
        from.read(client.getAddress());
        asked.set(end.dtlsNumber(), from.hi(), from.lo(), client.getPort());
        DtlsAssociation found = byTuple.get(asked);
        if (found != null) {
            found.reroute(route);
        }
        if (DtlsRecords.isHello(received, length)) {
            greet(listener, end, client, route, found, length);
        } else if (found == null || !DtlsRecords.isWhole(length)) {
            loop.drop(
                    found == null ? shared.reasons().stray() : shared.reasons().unusable());
        } else {
            deliver(found, length);
        }
    }

    /** While a client that has restarted goes through its new handshake only a key tells whose a record is. */
    private void deliver(DtlsAssociation found, int length) {
        DtlsAssociation successor = found.successor();
        if (successor == null) {
            found.received(received, length);
        } else {
            if (DtlsRecords.epoch(received) != 0) {
                found.received(received, length);
            }
            successor.received(received, length);
        }
    }

    private void greet(
            UdpListener listener,
            ServerEnd end,
            InetSocketAddress client,
            InetSocketAddress route,
            DtlsAssociation found,
            int length) {
        DtlsAssociation inHandshake = found == null || !found.isEstablished() ? found : found.successor();
        if (inHandshake != null && DtlsRecords.hasRandom(received, inHandshake.random())) {
            inHandshake.received(received, length);
            return;
        }
        if (found != null && DtlsRecords.hasRandom(received, found.random())) {
            // Late, and repeated.
            loop.drop(shared.reasons().unusable());
            return;
        }
        if (listener.tls() == null) {
            loop.drop(loop.reasons().dtls());
            return;
        }
        boolean[] answered = new boolean[1];
        DatagramSender answers = new DatagramSender() {
            @Override
            public int getSendLimit() {
                return DtlsAssociation.HANDSHAKE_DATAGRAM_BYTES;
            }

            @Override
            public void send(byte[] bytes, int offset, int count) {
                answered[0] = true;
                DtlsAssociations.this.send(end, route, bytes, offset, count);
            }
        };
        byte[] identity = asked.toBytes();
        DTLSRequest request = shared.cookies()
                .verify(identity, received, length, answers, loop.worker().now());
        if (request == null) {
            loop.drop(
                    answered[0]
                            ? shared.reasons().cookieAsked()
                            : shared.reasons().stray());
        } else {
            begin(listener, end, client, route, found, request);
        }
    }

    private void begin(
            UdpListener listener,
            ServerEnd end,
            InetSocketAddress client,
            InetSocketAddress route,
            DtlsAssociation found,
            DTLSRequest request) {
        DtlsTuple tuple = asked.copy();
        if (found != null) {
            // RFC 6347 §4.2.8: one that is established goes on until the new one is.
            DtlsAssociation abandoned = found.isEstablished() ? found.successor() : found;
            if (abandoned != null) {
                abandoned.end(ReapReason.CONNECTION_LOST);
            }
        }
        if (!listener.associations().take(client.getAddress(), listener.limits())) {
            loop.drop(shared.reasons().capped());
            return;
        }
        DtlsAssociation made = new DtlsAssociation(this, listener, end, client, tuple, DtlsRecords.random(received));
        made.reroute(route);
        if (!shared.handshakes().start(client.getAddress(), () -> made.shakeHands(request))) {
            listener.associations().free(client.getAddress());
            loop.drop(shared.reasons().handshakesFull());
            return;
        }
        DtlsAssociation before = byTuple.putIfAbsent(tuple, made);
        if (before != null) {
            before.succeedBy(made);
        }
        addRow(made, loop.worker().now() + DtlsAssociation.HANDSHAKE_NANOS);
    }

    void send(ServerEnd end, InetSocketAddress route, byte[] bytes, int offset, int length) {
        ClientSocket socket = end.socket();
        if (socket == null) {
            loop.drop(loop.reasons().socketClosed());
            return;
        }
        socket.send(loop.allocator().directBuffer(length).writeBytes(bytes, offset, length), route);
    }

    // Life of an association

    /** Its handshake is over: it takes the place of the one whose client has restarted. */
    void established(DtlsAssociation association, long deadlineNanos) {
        DtlsAssociation before = byTuple.get(association.tuple());
        if (before != association) {
            before.end(ReapReason.CONNECTION_LOST);
        }
        setDeadlineNanos(association, deadlineNanos);
        if (loop.isPaused()) {
            held.add(association);
        } else {
            association.takeHeld();
        }
    }

    void remove(DtlsAssociation association) {
        DtlsTuple tuple = association.tuple();
        DtlsAssociation first = byTuple.get(tuple);
        if (first != association) {
            first.succeedBy(null);
        } else if (association.successor() != null) {
            byTuple.put(tuple, association.successor());
        } else {
            byTuple.remove(tuple);
        }
        removeRow(association);
    }

    /** After a pause. */
    void takeHeld() {
        List<DtlsAssociation> all = List.copyOf(held);
        held.clear();
        all.forEach(DtlsAssociation::takeHeld);
    }

    /** Ends those whose deadline has passed; returns whether there may be more. */
    boolean sweep(long nowNanos) {
        int ended = 0;
        for (int row = size - 1; row >= 0 && ended < ENDED_AT_ONCE; row--) {
            if (deadlines[row] <= nowNanos) {
                associations[row].expire();
                ended++;
            }
        }
        return ended == ENDED_AT_ONCE;
    }

    /** Ends those of a listener that closes there, or speaks DTLS no more. */
    void closeAt(ServerEnd end) {
        for (int row = size - 1; row >= 0; row--) {
            if (row < size && associations[row].end() == end) {
                associations[row].end(ReapReason.SHUTDOWN);
            }
        }
    }

    void closeAll() {
        while (size > 0) {
            associations[size - 1].end(ReapReason.SHUTDOWN);
        }
    }

    // Rows

    private void addRow(DtlsAssociation association, long deadlineNanos) {
        if (size == associations.length) {
            deadlines = Arrays.copyOf(deadlines, size + (size >> 1));
            associations = Arrays.copyOf(associations, size + (size >> 1));
        }
        deadlines[size] = deadlineNanos;
        associations[size] = association;
        association.setRow(size++);
    }

    private void removeRow(DtlsAssociation association) {
        int row = association.row();
        int last = --size;
        deadlines[row] = deadlines[last];
        associations[row] = associations[last];
        associations[row].setRow(row);
        associations[last] = null;
    }

    void setDeadlineNanos(DtlsAssociation association, long deadlineNanos) {
        deadlines[association.row()] = deadlineNanos;
    }

    int size() {
        return size;
    }

    /** Rows that there is room for. */
    int capacity() {
        return associations.length;
    }

    // Parts that the associations use

    NettyLoop loop() {
        return loop;
    }

    DtlsShared shared() {
        return shared;
    }

    /** Where the plaintext of a record is put. */
    byte[] opened() {
        return opened;
    }

    /** Where the plaintext of a record to be sent is laid down. */
    byte[] sent() {
        return sent;
    }
}
