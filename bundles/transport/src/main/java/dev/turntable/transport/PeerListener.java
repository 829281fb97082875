package dev.turntable.transport;

import dev.turntable.api.AddressText;
import dev.turntable.state.Allocation;
import dev.turntable.state.Packet;
import dev.turntable.state.RelayEngine;
import dev.turntable.state.RelayedSocket;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;

/**
 * Listens for the peers of a TCP allocation (RFC 6062 §5.3) on its worker. Connections of peers, and those to peers, share its port. The
 * worker's thread alone.
 */
final class PeerListener extends ChannelInboundHandlerAdapter implements RelayedSocket {
    private final NettyLoop loop;
    private final InetSocketAddress localAddress;
    private final Allocation allocation;
    private Channel channel;
    private boolean open;

    PeerListener(NettyLoop loop, InetSocketAddress localAddress, Allocation allocation) {
        this.loop = loop;
        this.localAddress = localAddress;
        this.allocation = allocation;
    }

    /**
     * Binds and listens, before it returns.
     *
     * @throws BindException where the port is in use
     */
    void open() throws IOException {
        boolean ipv6 = IpNumbers.isIPv6(localAddress);
        channel = loop.io() == IoTransport.EPOLL
                ? new EpollServerSocketChannel(ipv6 ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET)
                : new NioServerSocketChannel(
                        SelectorProvider.provider(), ipv6 ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET);
        try {
            PortProbe.probeTcp(localAddress);
            channel.config().setAutoRead(false);
            PeerChannel.sharePort(channel, loop.io());
            channel.pipeline().addLast(this);
            UdpSocket.require(loop.eventLoop().register(channel));
            UdpSocket.require(channel.bind(localAddress));
        } catch (IOException | RuntimeException e) {
            channel.unsafe().closeForcibly();
            String where = AddressText.of(localAddress);
            throw UdpSocket.isPortInUse(e, localAddress)
                    ? new BindException(where + " is in use")
                    : new IOException(where + " cannot be bound: " + e.getMessage(), e);
        }
        open = true;
        loop.relayedTcp().add(this);
        updateReading();
    }

    void updateReading() {
        channel.config().setAutoRead(open && !loop.isPaused());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        Channel accepted = (Channel) message;
        InetSocketAddress peer = (InetSocketAddress) accepted.remoteAddress();
        RelayEngine engine = loop.engines().current();
        if (peer == null || engine == null) {
            accepted.unsafe().closeForcibly();
            if (engine == null) {
                loop.drop(loop.reasons().noEngine());
            }
            return;
        }
        loop.beginRead(0);
        PeerChannel connection = PeerChannel.accepted(loop, accepted);
        IpNumbers from = loop.senderNumbers();
        from.read(peer.getAddress());
        try {
            engine.peerConnected(loop.worker(), this, from.hi(), from.lo(), peer.getPort(), connection);
        } catch (Throwable failure) {
            connection.close();
            loop.engineFailed(failure);
        }
    }

    /** Mostly that there is no descriptor left: asking again at once would be all that the worker does. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        loop.drop(loop.reasons().receiveFailed());
        channel.config().setAutoRead(false);
        loop.eventLoop().schedule(this::updateReading, 1, TimeUnit.SECONDS);
    }

    @Override
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public boolean isListener() {
        return true;
    }

    @Override
    public Allocation allocation() {
        return allocation;
    }

    /** Nothing is a datagram here. */
    @Override
    public boolean send(long hi, long lo, int port, Packet packet, int offset, int length) {
        loop.drop(loop.reasons().sendFailed());
        return false;
    }

    @Override
    public void close() {
        if (!open) {
            return;
        }
        open = false;
        loop.relayedTcp().remove(this);
        channel.unsafe().close(channel.unsafe().voidPromise());
        loop.selectors().forgetClosed();
    }
}
