package dev.turntable.transport;

import dev.turntable.state.Allocation;
import dev.turntable.state.SocketOpening;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What relaying TCP (RFC 6062) needs on a loop: its listeners for peers, and the connections that close as soon as what waits has been sent,
 * or when their time for it is over. The loop's thread alone.
 */
final class RelayedTcp {
    private static final long LONGEST_CLOSING_NANOS = TimeUnit.SECONDS.toNanos(5);

    private record Closing(Channel channel, long deadlineNanos) {}

    private final NettyLoop loop;
    private final Set<PeerListener> listeners = new HashSet<>();
    /** All have the same time: the first is the next. */
    private final ArrayDeque<Closing> closing = new ArrayDeque<>();

    RelayedTcp(NettyLoop loop) {
        this.loop = loop;
    }

    SocketOpening listen(InetSocketAddress local, Allocation allocation) {
        try {
            PeerListener listener = new PeerListener(loop, local, allocation);
            listener.open();
            return new SocketOpening.Opened(listener);
        } catch (BindException e) {
            return new SocketOpening.PortInUse();
        } catch (IOException | RuntimeException e) {
            return new SocketOpening.Failed(e.getMessage());
        }
    }

    void add(PeerListener listener) {
        listeners.add(listener);
    }

    void remove(PeerListener listener) {
        listeners.remove(listener);
    }

    /** After a pause or at its beginning. */
    void updateReading() {
        listeners.forEach(PeerListener::updateReading);
    }

    /** @param context from where what waits is flushed */
    void closeFlushed(Channel channel, ChannelHandlerContext context) {
        context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        if (channel.isOpen()) {
            closing.add(new Closing(channel, loop.worker().server().nanos() + LONGEST_CLOSING_NANOS));
        }
    }

    /** Closes those whose time is over. */
    void sweep(long nowNanos) {
        while (!closing.isEmpty() && (closing.peek().deadlineNanos() <= nowNanos || !firstIsOpen())) {
            closing.poll().channel().close();
        }
    }

    private boolean firstIsOpen() {
        return closing.peek().channel().isOpen();
    }

    void closeAll() {
        closing.forEach(one -> one.channel().unsafe().closeForcibly());
        closing.clear();
    }
}
