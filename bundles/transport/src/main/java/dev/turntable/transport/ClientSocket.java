package dev.turntable.transport;

import dev.turntable.state.Allocation;
import dev.turntable.state.RelayEngine;
import dev.turntable.state.Worker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/** Hot path. A socket of a UDP listener on one worker: datagrams of clients to the engine. */
final class ClientSocket extends UdpSocket {
    private final UdpListener listener;
    private final ServerEnd end;
    private final UdpClientPath path;
    private final AtomicLong clientPackets;
    private int unreported;

    /** @param end on the socket's worker */
    ClientSocket(UdpListener listener, ServerEnd end) {
        super(end.loop(), end.address());
        this.listener = listener;
        this.end = end;
        this.path = new UdpClientPath(end);
        this.clientPackets = listener.clientPackets(end.loop());
    }

    @Override
    void received(ByteBuf content, InetSocketAddress sender) {
        unreported++;
        if (!listener.proxies().contains(sender.getAddress())) {
            judge(content, sender, sender);
            return;
        }
        ProxyHeader header = ProxyHeader.ofDatagram(content);
        if (header == ProxyHeader.BAD) {
            loop().drop(loop().reasons().proxyHeaderBad());
            return;
        }
        content.skipBytes(header.length());
        judge(content, header.client() == null ? sender : header.client(), sender);
    }

    /** @param route where answers go: the client, or the proxy that speaks for it */
    private void judge(ByteBuf content, InetSocketAddress client, InetSocketAddress route) {
        NettyLoop loop = loop();
        ReceivedPacket packet = loop.packet();
        loop.memory().locate(content, packet);
        if (packet.length() == 0) {
            loop.drop(loop.reasons().empty());
            return;
        }
        // RFC 7983 §7 (RFC 9443 §3 leaves it so for a server without QUIC): 0 to 3 STUN, 20 to 63 DTLS, 64 to 79
        // ChannelData, which RFC 5766 §11 has up to 127: the engine
        // decides.
        int first = packet.firstByte();
        if (first >= 20 && first <= 63) {
            loop.dtls().received(listener, end, content, client, route);
            return;
        }
        if (first > 3 && (first & 0xc0) != 0x40 || !listener.offersPlain()) {
            loop.drop(loop.reasons().foreign());
            return;
        }
        RelayEngine engine = loop.engines().current();
        if (engine == null) {
            loop.drop(loop.reasons().noEngine());
            return;
        }
        Worker worker = loop.worker();
        IpNumbers from = loop.senderNumbers();
        from.read(client.getAddress());
        int port = client.getPort();
        path.lead(client, from.hi(), from.lo(), port, route);
        Allocation allocation = worker.allocations().byFiveTuple(end.number(), from.hi(), from.lo(), port);
        if (route != client && allocation != null && allocation.path() instanceof UdpClientPath lasting) {
            lasting.reroute(route);
        }
        engine.fromClient(worker, path, allocation, packet);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        clientPackets.lazySet(clientPackets.getPlain() + unreported);
        unreported = 0;
    }

    ServerEnd end() {
        return end;
    }

    @Override
    public void close() {
        super.close();
        end.closed(this);
    }
}
