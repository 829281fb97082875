package dev.turntable.transport;

import dev.turntable.state.Allocation;
import dev.turntable.state.ReapReason;
import dev.turntable.state.RelayEngine;
import dev.turntable.state.Worker;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.tls.AlertDescription;
import org.bouncycastle.tls.DTLSRequest;
import org.bouncycastle.tls.DTLSServerProtocol;
import org.bouncycastle.tls.DTLSTransport;
import org.bouncycastle.tls.DatagramTransport;
import org.bouncycastle.tls.TlsException;
import org.bouncycastle.tls.TlsFatalAlert;

/**
 * A client over DTLS. First a thread of {@link DtlsHandshakes} goes through the handshake, which reads from the inbox; from then on it is the
 * worker's alone. Each record is a STUN message or ChannelData (RFC 7350 §4.6).
 *
 * <p>The worker's thread, unless a method says otherwise.
 */
final class DtlsAssociation implements DatagramTransport {
    static final long HANDSHAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(DtlsServer.HANDSHAKE_MILLIS);

    /** Of a handshake; its messages are cut so that each part gets through everywhere (RFC 6347 §4.1.1.1). */
    static final int HANDSHAKE_DATAGRAM_BYTES = 1_200;

    /** Of a handshake message: as much as a chain of certificates of a client takes. */
    private static final int LONGEST_MESSAGE_BYTES = 16_384;

    /** Says that there is no further datagram. The library passes it on and goes on living. */
    private static final class NothingMore extends InterruptedIOException {
        private static final NothingMore INSTANCE = new NothingMore();

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    private final DtlsAssociations all;
    private final NettyLoop loop;
    private final UdpListener listener;
    private final ServerEnd end;
    private final InetSocketAddress client;
    private final byte[] random;
    private final DtlsTuple tuple;
    private final DtlsClientPath path;
    private final DtlsInbox inbox = new DtlsInbox();
    /** Where to send: the client's address, or that of the proxy that speaks for it. */
    private InetSocketAddress route;

    private DTLSTransport transport;
    private int sendLimit;
    private byte[] fed;
    private int fedLength;
    private DtlsAssociation successor;
    private Allocation allocation;
    private int row;
    private volatile boolean closed;
    private volatile boolean ended;

    /** @param random of the hello that begins it */
    DtlsAssociation(
            DtlsAssociations all,
            UdpListener listener,
            ServerEnd end,
            InetSocketAddress client,
            DtlsTuple tuple,
            byte[] random) {
        this.all = all;
        this.loop = all.loop();
        this.listener = listener;
        this.end = end;
        this.client = client;
        this.random = random;
        this.tuple = tuple;
        path = new DtlsClientPath(this, end, client, tuple.hi(), tuple.lo());
    }

    // The handshake

    /** The thread of the handshake, from its beginning to its end. */
    void shakeHands(DTLSRequest request) {
        DTLSTransport made = null;
        try {
            TlsServerSide tls = listener.tls();
            if (tls != null) {
                DtlsServer server = tls.dtls(all.shared().crypto()).newServer();
                made = new DTLSServerProtocol().accept(server, this, request);
            }
        } catch (IOException | RuntimeException | LinkageError e) {
            if (isOurs(e)) {
                all.shared().handshakes().failed("A DTLS handshake of listener " + listener.name() + " failed", e);
            }
        }
        DTLSTransport done = made;
        loop.execute(() -> shookHands(done));
    }

    /** Else the client brought it about, and was told by an alert, or went. */
    private static boolean isOurs(Throwable failure) {
        return failure instanceof TlsFatalAlert alert
                ? alert.getAlertDescription() == AlertDescription.internal_error
                : !(failure instanceof InterruptedIOException || failure instanceof TlsException);
    }

    /** @param done null where it came to nothing */
    private void shookHands(DTLSTransport done) {
        if (ended) {
            return;
        }
        if (done == null) {
            loop.drop(all.shared().reasons().handshakeFailed());
            end(ReapReason.CONNECTION_LOST);
            return;
        }
        transport = done;
        try {
            sendLimit = done.getSendLimit();
        } catch (IOException e) {
            end(ReapReason.CONNECTION_LOST);
            return;
        }
        all.established(this, idleDeadlineNanos());
    }

    /** Judges what came before the worker knew of the end of the handshake, or while it was paused. */
    void takeHeld() {
        for (byte[] next = inbox.poll(); next != null && !ended; next = inbox.poll()) {
            take(next, next.length);
        }
    }

    // What Bouncy Castle asks for

    @Override
    public int getReceiveLimit() {
        return transport == null ? DtlsRecords.LONGEST : fed == null ? 0 : fedLength;
    }

    @Override
    public int getSendLimit() {
        return transport == null ? HANDSHAKE_DATAGRAM_BYTES : DtlsRecords.LONGEST;
    }

    /** The thread of the handshake, later the worker's. */
    @Override
    public int receive(byte[] room, int offset, int length, int millis) throws IOException {
        if (loop.inLoop()) {
            if (fed == null) {
                throw NothingMore.INSTANCE;
            }
            System.arraycopy(fed, 0, room, offset, fedLength);
            fed = null;
            return fedLength;
        }
        byte[] next;
        all.shared().handshakes().endComputing();
        try {
            next = inbox.take(millis);
        } finally {
            all.shared().handshakes().beginComputing();
        }
        if (next == null) {
            return -1;
        }
        System.arraycopy(next, 0, room, offset, next.length);
        return next.length;
    }

    /** The thread of the handshake, later the worker's. */
    @Override
    public void send(byte[] bytes, int offset, int length) {
        if (ended) {
            return;
        }
        if (loop.inLoop()) {
            all.send(end, route, bytes, offset, length);
        } else {
            byte[] copy = Arrays.copyOfRange(bytes, offset, offset + length);
            loop.execute(() -> all.send(end, route, copy, 0, copy.length));
        }
    }

    /** The library has no more to say or to hear: a close_notify, a fatal alert, a fault. Any thread. */
    @Override
    public void close() {
        closed = true;
    }

    // Receiving

    /** A datagram came. The array is the caller's again at the return. */
    void received(byte[] datagram, int length) {
        if (transport != null) {
            take(datagram, length);
            return;
        }
        if (length > DtlsRecords.LONGEST
                || !DtlsRecords.isBounded(datagram, length, LONGEST_MESSAGE_BYTES)
                || !inbox.offer(datagram, length)) {
            loop.drop(all.shared().reasons().unusable());
        }
    }

    private void take(byte[] datagram, int length) {
        fed = datagram;
        fedLength = length;
        boolean some = false;
        try {
            byte[] room = all.opened();
            int count = transport.receive(room, 0, room.length, 1);
            if (count < 0) {
                count = transport.receivePending(room, 0, room.length);
            }
            while (count >= 0) {
                some = true;
                judge(room, count);
                count = ended ? -1 : transport.receivePending(room, 0, room.length);
            }
        } catch (NothingMore e) {
            // Its records were dropped by the library, or were for the library.
        } catch (IOException e) {
            closed = true;
        }
        fed = null;
        if (closed) {
            end(ReapReason.CONNECTION_LOST);
        } else if (!some) {
            loop.drop(all.shared().reasons().unusable());
        }
    }

    private void judge(byte[] message, int length) {
        if (length == 0) {
            loop.drop(loop.reasons().empty());
            return;
        }
        int first = message[0] & 0xff;
        if (first > 3 && (first & 0xc0) != 0x40) {
            loop.drop(loop.reasons().foreign());
            return;
        }
        RelayEngine engine = loop.engines().current();
        if (engine == null) {
            loop.drop(loop.reasons().noEngine());
            return;
        }
        ByteBuf bytes = loop.allocator().directBuffer(length).writeBytes(message, 0, length);
        try {
            ReceivedPacket packet = loop.packet();
            packet.set(bytes, bytes.nioBuffer(0, length), 0, length, false);
            engine.fromClient(loop.worker(), path, allocation(), packet);
        } catch (Throwable failure) {
            loop.engineFailed(failure);
        } finally {
            bytes.release();
        }
    }

    // Sending

    /** Where a message of that length is laid down; null where it cannot be sent, which has been counted. */
    byte[] roomFor(int length) {
        if (ended || closed || transport == null) {
            loop.drop(loop.reasons().socketClosed());
            return null;
        }
        if (length > sendLimit) {
            loop.drop(all.shared().reasons().tooLong());
            return null;
        }
        return all.sent();
    }

    /** Sends so much of what was laid down. */
    boolean send(int length) {
        try {
            transport.send(all.sent(), 0, length);
            return true;
        } catch (IOException e) {
            closed = true;
            // Not within the engine's call.
            loop.execute(() -> end(ReapReason.CONNECTION_LOST));
            return false;
        }
    }

    // Life

    private long idleDeadlineNanos() {
        return loop.worker().server().nanos()
                + TimeUnit.SECONDS.toNanos(listener.limits().unauthenticatedIdleSeconds());
    }

    /** The live allocation of it, or null. */
    private Allocation allocation() {
        if (allocation == null) {
            Worker worker = loop.worker();
            Allocation found = worker.allocations()
                    .byFiveTuple(path.localEnd(), path.clientHi(), path.clientLo(), path.clientPort());
            if (found != null && found.path() == path) {
                allocation = found;
            }
        }
        return allocation;
    }

    /** The client may make another one. */
    void allocationEnded() {
        allocation = null;
        if (!ended) {
            all.setDeadlineNanos(this, idleDeadlineNanos());
        }
    }

    /** Its deadline has passed: with an allocation the allocation's counts, without one it ends here. */
    void expire() {
        if (transport == null) {
            loop.drop(all.shared().reasons().handshakeFailed());
            end(ReapReason.CONNECTION_LOST);
        } else if (allocation() == null) {
            loop.drop(all.shared().reasons().idle());
            end(ReapReason.CONNECTION_LOST);
        } else {
            all.setDeadlineNanos(this, Long.MAX_VALUE);
        }
    }

    /** Ends an allocation that was made when the association had gone already; not within the call that makes it. */
    void endIfGone() {
        if (ended) {
            loop.execute(() -> endAllocation(ReapReason.CONNECTION_LOST));
        }
    }

    private void endAllocation(ReapReason reason) {
        Allocation last = allocation();
        if (last != null) {
            loop.worker().delete(last, reason);
        }
    }

    /** Tells the client, ends the allocation and forgets it; nothing the second time. */
    void end(ReapReason reason) {
        if (ended) {
            return;
        }
        if (transport != null) {
            try {
                transport.close();
            } catch (IOException e) {
                // It could not be told.
            }
        }
        ended = true;
        inbox.close();
        all.remove(this);
        listener.associations().free(client.getAddress());
        endAllocation(reason);
    }

    // Parts that the loop uses

    boolean isEstablished() {
        return transport != null;
    }

    /** Of the hello that began it. */
    byte[] random() {
        return random;
    }

    /** The same client's, in its handshake after a restart; null where there is none. */
    DtlsAssociation successor() {
        return successor;
    }

    /** Whoever sends for the client now is answered, to the successor too. */
    void reroute(InetSocketAddress sender) {
        route = sender;
        if (successor != null) {
            successor.reroute(sender);
        }
    }

    void succeedBy(DtlsAssociation next) {
        successor = next;
    }

    ServerEnd end() {
        return end;
    }

    DtlsTuple tuple() {
        return tuple;
    }

    int row() {
        return row;
    }

    void setRow(int row) {
        this.row = row;
    }
}
