package dev.turntable.transport;

import dev.turntable.state.PeerConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.concurrent.TimeUnit;

/**
 * A client's connection and a peer's that have been joined (RFC 6062 §5.4): what comes out of one goes into the other. TCP's own
 * back-pressure is passed on, and so is the end of one direction. No engine is asked, and a swap changes nothing. The worker's thread
 * alone.
 */
final class Splice {
    /** Nothing has come for so long on a connection of which one direction has ended. */
    private static final long HALF_CLOSED_IDLE_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final NettyLoop loop;
    private final PeerConnection row;
    private final StreamConnection client;
    private SplicedEnd clientEnd;
    private SplicedEnd peerEnd;
    private boolean halfClosed;
    private boolean closed;

    Splice(NettyLoop loop, PeerConnection row, StreamConnection client) {
        this.loop = loop;
        this.row = row;
        this.client = client;
        client.hold();
    }

    /** The peer's channel is free to be registered. The client's handler may be in the middle of a frame: it is replaced later. */
    void begin(PeerChannel peer) {
        loop.execute(() -> join(peer));
    }

    private void join(PeerChannel peer) {
        if (closed) {
            return;
        }
        if (!client.isOpen()) {
            end();
            return;
        }
        Channel peerChannel = peer.channel();
        int queueBytes = loop.worker().server().configuration().peerQueueBytes();
        boolean clientEnded = client.hasInputEnded();
        ByteBuf first = client.leaveTo(loop);
        loop.streams().add(this);
        clientEnd = new SplicedEnd(this, client.channel(), true, queueBytes);
        peerEnd = new SplicedEnd(this, peerChannel, false, queueBytes);
        clientEnd.setOther(peerEnd);
        peerEnd.setOther(clientEnd);
        client.channel().pipeline().replace(client, null, clientEnd);
        peerChannel.pipeline().replace(peer, null, peerEnd);
        if (!loop.eventLoop().register(peerChannel).isSuccess()) {
            release(first);
            release(peer.takeEarly());
            peerChannel.unsafe().closeForcibly();
            end();
            return;
        }
        pass(clientEnd, first, clientEnded);
        pass(peerEnd, peer.takeEarly(), peer.isInputEnded());
        clientEnd.updateReading();
        peerEnd.updateReading();
    }

    private static void release(ByteBuf bytes) {
        if (bytes != null) {
            bytes.release();
        }
    }

    /** What was read of an end before it was one. */
    private static void pass(SplicedEnd from, ByteBuf bytes, boolean ended) {
        if (bytes != null) {
            from.channelRead(null, bytes);
            from.channelReadComplete(null);
        }
        if (ended) {
            from.endInput();
        }
    }

    boolean hasBegun() {
        return clientEnd != null;
    }

    boolean isClosed() {
        return closed;
    }

    /** What the client's connection was before. */
    StreamConnection client() {
        return client;
    }

    void count(boolean fromClient, int bytes) {
        if (fromClient) {
            row.allocation().countToPeer(bytes);
        } else {
            row.allocation().countToClient(bytes);
        }
        if (halfClosed) {
            row.setDeadlineNanos(loop.worker().server().nanos() + HALF_CLOSED_IDLE_NANOS);
        }
    }

    /** All that one end sent has gone out of the other one. */
    void halfEnded() {
        if (clientEnd.isOutputEnded() && peerEnd.isOutputEnded()) {
            end();
        } else {
            halfClosed = true;
            row.setDeadlineNanos(loop.worker().server().nanos() + HALF_CLOSED_IDLE_NANOS);
        }
    }

    /** Either side is gone. */
    void end() {
        loop.worker().peerConnections().remove(row);
    }

    /** By the teardown of the row. */
    void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (clientEnd == null) {
            client.release();
        } else {
            loop.streams().remove(this);
            clientEnd.close(loop);
            peerEnd.close(loop);
        }
    }
}
