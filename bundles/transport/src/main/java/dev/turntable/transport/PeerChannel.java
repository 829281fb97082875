package dev.turntable.transport;

import dev.turntable.state.ClientPath;
import dev.turntable.state.PeerConnection;
import dev.turntable.state.RelayedConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.spi.SelectorProvider;

/**
 * A connection with a peer until it is joined with a client's. Meanwhile it is registered with no selector, as a selector hands over all that
 * a peer has sent once the peer has ended, asked or not: so it waits in the kernel. The worker's thread alone.
 */
final class PeerChannel extends ChannelInboundHandlerAdapter implements RelayedConnection {
    /** Netty's own option is none of an outgoing socket's. */
    private static final IntegerUnixChannelOption LINUX_SO_REUSEPORT =
            new IntegerUnixChannelOption("SO_REUSEPORT", 1, 15);

    private static final int MOST_READ_BYTES = 16_384;
    private static final int MOST_READS = 4;

    private final NettyLoop loop;
    private final Channel channel;
    private PeerConnection connecting;
    private Future<?> left;
    private ByteBuf early;
    private boolean inputEnded;
    private Splice splice;
    private boolean closed;

    private PeerChannel(NettyLoop loop, Channel channel) {
        this.loop = loop;
        this.channel = channel;
    }

    static PeerChannel accepted(NettyLoop loop, Channel channel) {
        PeerChannel accepted = new PeerChannel(loop, channel);
        try {
            accepted.configure();
        } catch (RuntimeException e) {
            // It was reset meanwhile, which is found out when it is joined.
            loop.drop(loop.reasons().receiveFailed());
        }
        channel.pipeline().addLast(accepted);
        return accepted;
    }

    /** Begins to connect from the port of a listener. The worker is told later, whatever comes of it. */
    static PeerChannel connect(NettyLoop loop, PeerConnection row, InetSocketAddress local, InetSocketAddress peer) {
        SocketProtocolFamily family = IpNumbers.isIPv6(local) ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET;
        Channel channel;
        try {
            channel = loop.io() == IoTransport.EPOLL
                    ? new EpollSocketChannel(family)
                    : new NioSocketChannel(SelectorProvider.provider(), family);
        } catch (RuntimeException e) {
            // No descriptor.
            PeerChannel none = new PeerChannel(loop, null);
            none.connecting = row;
            loop.execute(() -> none.connectEnded(false));
            return none;
        }
        PeerChannel made = new PeerChannel(loop, channel);
        made.connecting = row;
        try {
            made.configure();
            sharePort(channel, loop.io());
            // The row's deadline ends it.
            channel.config().setConnectTimeoutMillis(0);
            channel.pipeline().addLast(made);
            UdpSocket.require(loop.eventLoop().register(channel));
            UdpSocket.require(channel.bind(local));
            channel.connect(peer).addListener(done -> loop.execute(() -> made.connectEnded(done.isSuccess())));
        } catch (IOException | RuntimeException e) {
            loop.execute(() -> made.connectEnded(false));
        }
        return made;
    }

    /** Without this option nothing can be bound beside a listener, and with it only what has it too. */
    static void sharePort(Channel channel, IoTransport io) {
        channel.config().setOption(ChannelOption.SO_REUSEADDR, true);
        if (io == IoTransport.EPOLL) {
            channel.config().setOption(LINUX_SO_REUSEPORT, 1);
        } else {
            channel.config().setOption(NioChannelOption.of(StandardSocketOptions.SO_REUSEPORT), true);
        }
    }

    private void configure() {
        ChannelConfig config = channel.config();
        config.setAutoRead(false);
        config.setAllocator(loop.allocator());
        config.setRecvByteBufAllocator(
                new AdaptiveRecvByteBufAllocator(256, 2_048, MOST_READ_BYTES).maxMessagesPerRead(MOST_READS));
        config.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        config.setOption(ChannelOption.TCP_NODELAY, true);
        config.setOption(ChannelOption.SO_KEEPALIVE, true);
    }

    private void connectEnded(boolean connected) {
        PeerConnection row = connecting;
        connecting = null;
        if (closed) {
            return;
        }
        loop.beginRead(0);
        if (connected) {
            left = channel.deregister();
        }
        loop.worker().peerConnections().connectEnded(row, connected);
    }

    @Override
    public void join(PeerConnection row, ClientPath client) {
        splice = new Splice(loop, row, ((StreamClientPath) client).connection());
        if (left == null || left.isDone()) {
            splice.begin(this);
        } else {
            left.addListener(done -> splice.begin(this));
        }
    }

    // Between the end of a connect and the selector's letting go

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (closed) {
            bytes.release();
        } else if (early == null) {
            early = bytes;
        } else {
            early.writeBytes(bytes);
            bytes.release();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE) {
            inputEnded = true;
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // Found out when it is joined.
        inputEnded = true;
    }

    // Parts that the splice uses

    Channel channel() {
        return channel;
    }

    /** What was read before it was joined; the caller releases it. */
    ByteBuf takeEarly() {
        ByteBuf taken = early;
        early = null;
        return taken;
    }

    boolean isInputEnded() {
        return inputEnded;
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (early != null) {
            early.release();
            early = null;
        }
        if (splice != null) {
            splice.close();
        }
        if (channel != null && (splice == null || !splice.hasBegun())) {
            closeAlone();
        }
    }

    private void closeAlone() {
        if (channel.isRegistered()) {
            channel.close();
        } else {
            channel.unsafe().closeForcibly();
        }
    }
}
