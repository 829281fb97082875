package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import dev.turntable.state.Allocation;
import dev.turntable.state.ReapReason;
import dev.turntable.state.RelayEngine;
import dev.turntable.state.Worker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hot path. A client's connection on its worker: its frames to the engine, and its end to the allocation. The worker's thread alone.
 *
 * <p>While the loop is paused, or the client leaves its answers unread, nothing is judged: what was read already is kept and is the first to
 * be judged afterwards.
 */
final class StreamConnection extends ChannelInboundHandlerAdapter implements FrameReader.Taker {
    private final NettyLoop loop;
    private final Channel channel;
    private final StreamListener listener;
    private final StreamLimits limits;
    private final AtomicLong clientPackets;
    private final FrameReader frames;
    private final StreamQueue queue;
    private final StreamClientPath path;
    private int row;
    private boolean open;
    private boolean inputEnded;
    private int unreported;
    private Allocation allocation;
    private boolean held;
    private boolean taking;
    private boolean moved;
    private NettyLoop destination;

    /** @param loop of the worker that it is on */
    StreamConnection(
            NettyLoop loop,
            Channel channel,
            ClientTransport transport,
            InetSocketAddress server,
            InetSocketAddress client,
            StreamListener listener) {
        this.loop = loop;
        this.channel = channel;
        this.listener = listener;
        limits = listener.limits();
        clientPackets = listener.clientPackets(loop);
        frames = new FrameReader(this, loop.allocator());
        queue = new StreamQueue(loop, channel, limits.streamQueueBytes());
        int localEnd = loop.worker().server().localEnd(transport, server);
        path = new StreamClientPath(this, queue, transport, localEnd, server, client);
    }

    // Life

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        open = true;
        queue.open(context);
        loop.streams().add(this, idleDeadlineNanos());
        updateReading();
    }

    private long idleDeadlineNanos() {
        return loop.worker().server().nanos() + TimeUnit.SECONDS.toNanos(limits.unauthenticatedIdleSeconds());
    }

    /** The live allocation on this connection, or null. */
    private Allocation allocation() {
        if (allocation == null) {
            Worker worker = loop.worker();
            Allocation found = worker.allocations()
                    .byFiveTuple(path.localEnd(), path.clientHi(), path.clientLo(), path.clientPort());
            if (found != null && found.path() == path) {
                allocation = found;
            } else if (found != null && open) {
                // Of a connection from the same port, whose end has yet to be told.
                worker.delete(found, ReapReason.CONNECTION_LOST);
            }
        }
        return allocation;
    }

    /** The client may make another one; it stays connected, not least because the answer to its request may be on its way. */
    void allocationEnded() {
        allocation = null;
        if (open) {
            loop.streams().setDeadlineNanos(row, idleDeadlineNanos());
        }
    }

    /** Its deadline has passed: with an allocation the allocation's counts, without one it ends here. */
    void expire() {
        if (allocation() == null) {
            loop.drop(loop.reasons().streamIdle());
            close(ReapReason.CONNECTION_LOST);
        } else {
            loop.streams().setDeadlineNanos(row, Long.MAX_VALUE);
        }
    }

    /** Ends an allocation that was made when the connection had gone already; not within the call that makes it. */
    void endIfGone() {
        if (!open) {
            loop.execute(this::endAllocation);
        }
    }

    private void endAllocation() {
        endAllocation(ReapReason.CONNECTION_LOST);
    }

    private void endAllocation(ReapReason reason) {
        Allocation last = allocation();
        if (last != null) {
            loop.worker().delete(last, reason);
        }
    }

    /** Sends what waits, ends the allocation and closes; nothing the second time. */
    void close(ReapReason reason) {
        if (!open) {
            return;
        }
        open = false;
        queue.flush();
        queue.close();
        loop.streams().remove(this);
        frames.close();
        reportPackets();
        endAllocation(reason);
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        close(ReapReason.CONNECTION_LOST);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        close(ReapReason.CONNECTION_LOST);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE || event instanceof SslCloseCompletionEvent) {
            endInput();
        }
    }

    /** A client that has sent all it will has left (RFC 8656 §5); what it sent before is judged first. */
    private void endInput() {
        inputEnded = true;
        if (!loop.isPaused() && !held) {
            close(ReapReason.CONNECTION_LOST);
        }
    }

    /**
     * What was read, and whether the client ended its side, before the connection came to this loop. Once, after the handler is added.
     *
     * @param bytes are released here; null for none
     */
    void begin(ByteBuf bytes, boolean ended) {
        if (bytes != null) {
            channelRead(null, bytes);
            reportPackets();
        }
        if (ended && open) {
            endInput();
        }
    }

    // Leaving for another worker, or for a peer

    /** From now on nothing is judged here: what comes is kept. */
    void hold() {
        held = true;
    }

    /** What it was held for has come to nothing. */
    void release() {
        close(ReapReason.CONNECTION_LOST);
    }

    /** See {@link StreamClientPath#moveTo}: the frame that is being judged goes too. */
    boolean moveTo(Worker worker) {
        if (!taking || held || moved || !open || !(worker.loop() instanceof NettyLoop other)) {
            return false;
        }
        destination = other;
        hold();
        loop.execute(this::move);
        return true;
    }

    private void move() {
        if (open) {
            channel.config().setAutoRead(false);
            channel.deregister().addListener(this::left);
        }
    }

    private void left(Future<?> done) {
        if (!open || !done.isSuccess()) {
            close(ReapReason.CONNECTION_LOST);
            return;
        }
        ByteBuf rest = leaveTo(destination);
        loop.selectors().forgetClosed();
        destination.eventLoop().register(channel).addListener(registered -> arrived(registered, rest));
    }

    /** On the thread of the loop that it has come to; reading is off. */
    private void arrived(Future<?> registered, ByteBuf rest) {
        if (!registered.isSuccess() || !channel.isActive() || !listener.accepts(server())) {
            rest.release();
            channel.close();
            return;
        }
        channel.config().setAllocator(destination.allocator());
        StreamConnection there =
                new StreamConnection(destination, channel, transport(), server(), path.clientAddress(), listener);
        there.moved = true;
        channel.pipeline().replace(this, null, there);
        there.begin(rest, inputEnded);
    }

    /** Takes itself out of this loop; what has been sent goes first. Returns what it has kept, or null. */
    ByteBuf leaveTo(NettyLoop next) {
        open = false;
        queue.flush();
        queue.close();
        loop.streams().remove(this);
        reportPackets();
        if (next != loop) {
            // Whoever counted it here will count it off here.
            next.streams().assigned().incrementAndGet();
            loop.streams().assigned().decrementAndGet();
            channel.closeFuture().addListener(closed -> {
                next.streams().assigned().decrementAndGet();
                loop.streams().assigned().incrementAndGet();
            });
        }
        return frames.takeRest();
    }

    // Reading

    /** Judges what is kept, and reads on or stops, as the loop is paused or not. */
    void updateReading() {
        if (mayTake()) {
            loop.beginRead(0);
            frames.takeHeld();
        }
        if (inputEnded && !loop.isPaused() && !held) {
            close(ReapReason.CONNECTION_LOST);
        }
        channel.config().setAutoRead(open && mayTake());
    }

    @Override
    public boolean mayTake() {
        return !held && !loop.isPaused() && queue.hasRoomForAnswers();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        // Later: this comes out of the middle of a write.
        loop.execute(this::updateReadingIfOpen);
    }

    private void updateReadingIfOpen() {
        if (open) {
            updateReading();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            loop.beginRead(0);
            frames.read(bytes);
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reportPackets();
    }

    private void reportPackets() {
        clientPackets.lazySet(clientPackets.getPlain() + unreported);
        unreported = 0;
    }

    @Override
    public int frameLength(ByteBuf bytes) {
        return allocation() == null
                ? FrameCutter.frameLength(bytes, false, StreamLimits.UNAUTHENTICATED_FRAME_BYTES)
                : FrameCutter.frameLength(bytes, true, limits.frameLimitBytes());
    }

    @Override
    public boolean take(ByteBuf bytes, ByteBuffer memory) {
        unreported++;
        RelayEngine engine = loop.engines().current();
        if (engine == null) {
            loop.drop(loop.reasons().noEngine());
            return true;
        }
        int start = bytes.readerIndex();
        ReceivedPacket packet = loop.packet();
        packet.set(bytes, memory, start, FrameCutter.messageLength(bytes.getInt(start)), false);
        taking = true;
        try {
            engine.fromClient(loop.worker(), path, allocation(), packet);
        } catch (Throwable failure) {
            loop.engineFailed(failure);
        }
        taking = false;
        return destination == null;
    }

    /** Out of step, or never in: nothing that comes after can be trusted. */
    @Override
    public void refuse(int why) {
        loop.drop(
                switch (why) {
                    case FrameCutter.TOO_LONG -> loop.reasons().streamFrameTooLong();
                    case FrameCutter.CHANNEL_WITHOUT_ALLOCATION ->
                        loop.reasons().streamChannelUnallocated();
                    default -> loop.reasons().streamForeign();
                });
        close(ReapReason.CONNECTION_LOST);
    }

    // Parts that the loop uses

    Channel channel() {
        return channel;
    }

    boolean isOpen() {
        return open;
    }

    boolean hasInputEnded() {
        return inputEnded;
    }

    InetSocketAddress server() {
        return path.serverAddress();
    }

    ClientTransport transport() {
        return path.transport();
    }

    StreamQueue queue() {
        return queue;
    }

    int row() {
        return row;
    }

    void setRow(int row) {
        this.row = row;
    }
}
