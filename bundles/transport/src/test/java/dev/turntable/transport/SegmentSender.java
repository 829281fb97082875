package dev.turntable.transport;

import io.netty.buffer.Unpooled;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.SegmentedDatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Sends several datagrams as one message (UDP_SEGMENT), as clients and peers with much to send do. */
final class SegmentSender implements AutoCloseable {
    private final SingleThreadIoEventLoop loop =
            new SingleThreadIoEventLoop(null, new DefaultThreadFactory("sender"), EpollIoHandler.newFactory());
    private final EpollDatagramChannel channel;

    SegmentSender(InetAddress local) {
        channel = new EpollDatagramChannel(
                local.getAddress().length == 16 ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET);
        channel.pipeline().addLast(new io.netty.channel.ChannelInboundHandlerAdapter());
        loop.register(channel).syncUninterruptibly();
        channel.bind(new InetSocketAddress(local, 0)).syncUninterruptibly();
    }

    int port() {
        return channel.localAddress().getPort();
    }

    /** The bytes as datagrams of that size; the last may be shorter. */
    void send(InetSocketAddress to, byte[] bytes, int size) {
        channel.writeAndFlush(
                        new SegmentedDatagramPacket(Unpooled.directBuffer().writeBytes(bytes), size, to))
                .syncUninterruptibly();
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
