package dev.turntable.transport;

import dev.turntable.state.Allocation;
import dev.turntable.state.Packet;
import dev.turntable.state.RelayEngine;
import dev.turntable.state.RelayedSocket;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;

/** Hot path. A relayed socket: datagrams of peers to the engine, and the engine's to peers. Never connected. */
final class PeerSocket extends UdpSocket implements RelayedSocket {
    private final Allocation allocation;

    /** @param allocation null where many share the socket */
    PeerSocket(NettyLoop loop, InetSocketAddress localAddress, Allocation allocation) {
        super(loop, localAddress);
        this.allocation = allocation;
    }

    @Override
    void received(ByteBuf content, InetSocketAddress sender) {
        NettyLoop loop = loop();
        RelayEngine engine = loop.engines().current();
        if (engine == null) {
            loop.drop(loop.reasons().noEngine());
            return;
        }
        ReceivedPacket packet = loop.packet();
        loop.memory().locate(content, packet);
        IpNumbers from = loop.senderNumbers();
        from.read(sender.getAddress());
        engine.fromPeer(loop.worker(), this, from.hi(), from.lo(), sender.getPort(), packet);
    }

    @Override
    public Allocation allocation() {
        return allocation;
    }

    @Override
    public boolean send(long hi, long lo, int port, Packet packet, int offset, int length) {
        InetSocketAddress peer = loop().peers().of(hi, lo, port);
        // RFC 8656 §11.2, §12.6: an empty datagram is relayed too.
        return length == 0 ? sendEmpty(peer) : send(null, packet, offset, length, 0, peer);
    }
}
