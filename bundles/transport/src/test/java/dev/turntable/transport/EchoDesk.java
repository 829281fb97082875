package dev.turntable.transport;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.ReapReason;
import dev.turntable.state.RelayEngine;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.SocketOpening;
import dev.turntable.state.Worker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The smallest relay there is, for tests: a message {@code 00 00 pp pp} of a client opens a relayed socket for the peer with that port
 * on the loopback of its family and is answered {@code 01 00 rr rr}; ChannelData goes to the peer, and what the peer sends comes back
 * as ChannelData. On a stream the message is {@code 00 00 00 04}, the magic cookie, twelve bytes, and the port in four.
 */
final class EchoDesk implements RelayEngine {
    static final int CHANNEL = 0x4000;

    final AtomicLong fromClients = new AtomicLong();
    final AtomicLong fromPeers = new AtomicLong();
    private final ByteBuffer header = ByteBuffer.allocateDirect(4);
    private final ByteBuffer answer = ByteBuffer.allocate(4_000);
    /** Length of answers; the bytes behind the port are zero. */
    volatile int answersBytes = 4;

    volatile RuntimeException thrown;
    volatile Thread thread;
    volatile ClientPath lastPath;
    volatile Runnable afterSend = () -> {};

    @Override
    public String version() {
        return "test";
    }

    @Override
    public void fromClient(Worker worker, ClientPath path, Allocation allocation, Packet packet) {
        fromClients.lazySet(fromClients.getPlain() + 1);
        if (thrown != null) {
            throw thrown;
        }
        int first = packet.getInt(0);
        if (first >>> 16 == 0) {
            thread = Thread.currentThread();
            lastPath = path.lasting();
            // On a stream the message has to be one of STUN, and the port is behind the header.
            allocate(worker, path, path.transport().isStream() ? packet.getInt(20) : first & 0xffff);
        } else if (allocation != null && first >>> 16 == CHANNEL) {
            boolean ipv6 = allocation.relayed(true) != null;
            long lo = ipv6 ? 1 : 0xffff_7f00_0001L;
            allocation.relayed(ipv6).send(0, lo, peerPort(allocation), packet, 4, first & 0xffff);
            afterSend.run();
        }
    }

    private int peerPort(Allocation allocation) {
        return (allocation.engineBytes()[0] & 0xff) << 8 | allocation.engineBytes()[1] & 0xff;
    }

    void allocate(Worker worker, ClientPath path, int peerPort) {
        boolean ipv6 = path.clientAddress().getAddress().getAddress().length == 16;
        Allocation before =
                worker.allocations().byFiveTuple(path.localEnd(), path.clientHi(), path.clientLo(), path.clientPort());
        if (before != null) {
            worker.delete(before, ReapReason.REFRESH_ZERO);
        }
        Allocation allocation =
                worker.allocations().add(path.lasting(), "user", "realm", new byte[16], 1, 0, 1, peerPort);
        int port = worker.server().ports().take(ipv6);
        InetAddress local = ipv6
                ? worker.server().configuration().relayedIPv6()
                : worker.server().configuration().relayedIPv4();
        SocketOpening opening = worker.loop().openRelayedSocket(new InetSocketAddress(local, port), allocation);
        if (!(opening instanceof SocketOpening.Opened opened)) {
            throw new IllegalStateException(opening.toString());
        }
        worker.allocations().addRelayed(allocation, opened.socket(), ipv6, Long.MAX_VALUE);
        allocation.setEngineBytes(new byte[] {(byte) (peerPort >> 8), (byte) peerPort});
        answer.clear().putInt(0x0100_0000 | port);
        path.send(answer.rewind().limit(answersBytes));
    }

    @Override
    public void fromPeer(Worker worker, RelayedSocket socket, long hi, long lo, int port, Packet packet) {
        fromPeers.lazySet(fromPeers.getPlain() + 1);
        if (thrown != null) {
            throw thrown;
        }
        header.clear().putInt(CHANNEL << 16 | packet.length());
        ClientPath path = socket.allocation().path();
        path.send(header.flip(), packet, 0, packet.length(), path.transport().isStream() ? -packet.length() & 3 : 0);
    }

    @Override
    public void fromIcmp(
            Worker worker, RelayedSocket socket, long hi, long lo, int port, int type, int code, int data) {}

    @Override
    public void answered(
            Worker worker, ClientPath path, Allocation allocation, Packet request, CredentialAnswer answered) {}

    @Override
    public boolean sweep(Worker worker) {
        return false;
    }
}
