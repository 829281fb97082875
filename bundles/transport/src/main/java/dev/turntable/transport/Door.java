package dev.turntable.transport;

import dev.turntable.api.AddressText;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;

/**
 * Where connections are accepted and handshakes gone through: an event loop beside the workers, so that a flood of them takes no time of
 * theirs. Its thread starts with the first listener or connection that needs it.
 */
final class Door {
    private static final long STOP_SECONDS = 10;

    private final IoTransport io;
    private final int index;
    private final LoopSelectors selectors = new LoopSelectors();
    private final SingleThreadIoEventLoop eventLoop;
    private final ByteBufAllocator allocator = new PooledByteBufAllocator(true, 0, 1, 8192, 9, 64, 32, false);
    private volatile Thread thread;

    Door(IoTransport io, int index) {
        this.io = io;
        this.index = index;
        eventLoop = new SingleThreadIoEventLoop(null, this::newThread, io.handlers(selectors));
    }

    private Thread newThread(Runnable run) {
        Thread made = new FastThreadLocalThread(run, "turntable-door-" + index);
        made.setContextClassLoader(Door.class.getClassLoader());
        made.setDaemon(true);
        thread = made;
        return made;
    }

    /**
     * Listens at an address, before it returns. Not on the door's thread.
     *
     * @throws IOException where it cannot be bound
     */
    Channel listen(InetSocketAddress address, AcceptGate gate) throws IOException {
        Channel channel = io == IoTransport.EPOLL
                ? new EpollServerSocketChannel(
                        IpNumbers.isIPv6(address) ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET)
                : new NioServerSocketChannel(SelectorProvider.provider());
        channel.pipeline().addLast(gate);
        try {
            await(eventLoop.register(channel), address);
            await(channel.bind(address), address);
            return channel;
        } catch (IOException e) {
            if (channel.isRegistered()) {
                close(channel);
            } else {
                channel.unsafe().closeForcibly();
            }
            throw e;
        }
    }

    private static void await(ChannelFuture future, InetSocketAddress address) throws IOException {
        try {
            if (!future.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(AddressText.of(address) + " cannot be bound: the door does not answer");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (!future.isSuccess()) {
            Throwable cause = future.cause();
            throw new IOException(AddressText.of(address) + " cannot be bound: " + cause.getMessage(), cause);
        }
    }

    /** Its port is free at the return. Not on the door's thread. */
    void close(Channel channel) throws IOException {
        await(channel.close());
        if (io == IoTransport.NIO) {
            await(eventLoop.submit(() -> {
                selectors.releaseClosed();
                return null;
            }));
        }
    }

    /** Where connections are registered for their admission. */
    SingleThreadIoEventLoop eventLoop() {
        return eventLoop;
    }

    ByteBufAllocator allocator() {
        return allocator;
    }

    /** A connection has left for its worker: its port must not hang on a selector here. On the door's thread. */
    void forgetLeft() {
        if (io == IoTransport.NIO) {
            try {
                selectors.releaseClosed();
            } catch (IOException e) {
                // The next select does it.
            }
        }
    }

    private static void await(Future<?> done) throws IOException {
        if (!done.awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("the door does not answer");
        }
    }

    /** At the return its thread is gone. */
    void stop() {
        eventLoop.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
        Thread last = thread;
        try {
            if (last != null) {
                last.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
