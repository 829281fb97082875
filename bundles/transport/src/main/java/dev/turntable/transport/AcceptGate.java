package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Lets connections in that one address of a listener accepts: within the limits, each to the worker that has the fewest. The door's
 * thread alone.
 */
final class AcceptGate extends ChannelInboundHandlerAdapter {
    /** A silent client is found out after a minute and four questions (RFC 1122 §4.2.3.6 leaves it at two hours). */
    private static final int KEEP_ALIVE_IDLE_SECONDS = 60;

    private static final int KEEP_ALIVE_INTERVAL_SECONDS = 15;
    private static final int KEEP_ALIVE_QUESTIONS = 4;

    /** A connection reads so much before it is the next one's turn. */
    private static final int MOST_READ_BYTES = 16_384;

    private static final int MOST_READS = 4;

    private final StreamListener listener;
    private final EventLoops loops;
    private final InetSocketAddress server;
    private final FailureLog failures = new FailureLog();

    AcceptGate(StreamListener listener, EventLoops loops, InetSocketAddress server) {
        this.listener = listener;
        this.loops = loops;
        this.server = server;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel channel = (Channel) message;
        InetSocketAddress client = (InetSocketAddress) channel.remoteAddress();
        if (client == null) {
            channel.unsafe().closeForcibly();
            return;
        }
        NettyLoop loop = loops.leastConnected();
        boolean isProxy = listener.isProxy(client.getAddress());
        if (!listener.connections().take(isProxy ? null : client.getAddress(), listener.limits())) {
            channel.unsafe().closeForcibly();
            loop.execute(() -> loop.drop(loop.reasons().streamCapped()));
            return;
        }
        loop.streams().assigned().incrementAndGet();
        try {
            configure(channel.config(), loop);
        } catch (RuntimeException e) {
            // It was reset meanwhile.
            channel.unsafe().closeForcibly();
            forget(loop, isProxy ? null : client.getAddress());
            return;
        }
        if (!listener.offersSecured() && !isProxy) {
            goToWorker(channel, loop, client);
        } else {
            goToDoor(channel, loop, client, isProxy);
        }
    }

    /** There is nothing to be told first. */
    private void goToWorker(Channel channel, NettyLoop loop, InetSocketAddress client) {
        channel.pipeline().addLast(new StreamConnection(loop, channel, ClientTransport.TCP, server, client, listener));
        register(channel, loop.eventLoop(), () -> forget(loop, client.getAddress()));
    }

    private void goToDoor(Channel channel, NettyLoop loop, InetSocketAddress client, boolean isProxy) {
        Door door = loops.nextDoor();
        Admission admission = new Admission(listener, door, loop, server, client, isProxy);
        channel.config().setAllocator(door.allocator());
        channel.pipeline().addLast(admission);
        register(channel, door.eventLoop(), () -> forget(loop, admission.countedSource()));
    }

    private static void register(Channel channel, EventLoop eventLoop, Runnable forget) {
        eventLoop.register(channel).addListener(registered -> {
            if (registered.isSuccess()) {
                channel.closeFuture().addListener(closed -> forget.run());
            } else {
                channel.unsafe().closeForcibly();
                forget.run();
            }
        });
    }

    /** @param source null where it was not counted */
    private void forget(NettyLoop loop, InetAddress source) {
        loop.streams().assigned().decrementAndGet();
        listener.connections().free(source);
    }

    private static void configure(ChannelConfig config, NettyLoop loop) {
        config.setAutoRead(false);
        config.setAllocator(loop.allocator());
        config.setRecvByteBufAllocator(
                new AdaptiveRecvByteBufAllocator(256, 2_048, MOST_READ_BYTES).maxMessagesPerRead(MOST_READS));
        config.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        config.setOption(ChannelOption.TCP_NODELAY, true);
        config.setOption(ChannelOption.SO_KEEPALIVE, true);
        if (loop.io() == IoTransport.EPOLL) {
            config.setOption(EpollChannelOption.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS);
            config.setOption(EpollChannelOption.TCP_KEEPINTVL, KEEP_ALIVE_INTERVAL_SECONDS);
            config.setOption(EpollChannelOption.TCP_KEEPCNT, KEEP_ALIVE_QUESTIONS);
        }
    }

    /** Mostly that there is no descriptor left: waits a second, as asking again at once would be all that the door does. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        failures.failed("Listener " + listener.name() + " could not accept a connection", cause);
        ChannelConfig config = context.channel().config();
        if (config.isAutoRead()) {
            config.setAutoRead(false);
            context.channel().eventLoop().schedule(() -> config.setAutoRead(true), 1, TimeUnit.SECONDS);
        }
    }
}
