package dev.turntable.transport;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.PeerConnection;
import dev.turntable.state.PeerConnections;
import dev.turntable.state.ReapReason;
import dev.turntable.state.RelayEngine;
import dev.turntable.state.RelayedConnection;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.SocketOpening;
import dev.turntable.state.Worker;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * The smallest relay of TCP there is, for tests: on the loopback, and without asking who it is. A message is a STUN header whose transaction
 * begins with a letter, and a number behind it; so are answers, a letter and a number in eight bytes.
 */
final class TcpDesk implements RelayEngine {
    static final char ALLOCATE = 'A';
    static final char CONNECT = 'C';
    static final char BIND = 'B';
    static final char DELETE = 'D';
    static final char FAILED = 'F';
    static final char ATTEMPT = 'P';
    static final char UNKNOWN = 'U';

    private static final long LOOPBACK = 0xffff_7f00_0001L;

    volatile long limitMillis = 30_000;
    /** Of the last thing that was bound. */
    volatile Thread boundOn;

    static byte[] message(char letter, int value) {
        return ByteBuffer.allocate(24)
                .putInt(4)
                .putInt(0x2112_a442)
                .putInt(letter << 24)
                .position(20)
                .putInt(value)
                .array();
    }

    @Override
    public String version() {
        return "tcp";
    }

    @Override
    public void fromClient(Worker worker, ClientPath path, Allocation allocation, Packet packet) {
        int value = packet.getInt(20);
        switch ((char) (packet.getInt(8) >>> 24)) {
            case ALLOCATE -> answer(path, ALLOCATE, allocate(worker, path));
            case CONNECT -> {
                PeerConnection row =
                        worker.peerConnections().add(allocation, 0, LOOPBACK, value, packet, deadline(worker));
                InetSocketAddress local = allocation.relayed(false).localAddress();
                row.connecting(worker.loop().connect(row, local, 0, LOOPBACK, value));
            }
            case BIND -> bind(worker, path, value);
            default -> worker.delete(allocation, ReapReason.REFRESH_ZERO);
        }
    }

    private static int allocate(Worker worker, ClientPath path) {
        Allocation made = worker.allocations().add(path.lasting(), "user", "realm", new byte[16], 1, 0, 1, 1);
        int port = worker.server().ports().take(false);
        SocketOpening opening = worker.loop().openRelayedListener(Rig.at(Rig.IPV4, port), made);
        if (!(opening instanceof SocketOpening.Opened opened)) {
            throw new IllegalStateException(opening.toString());
        }
        worker.allocations().addRelayed(made, opened.socket(), false, Long.MAX_VALUE);
        return port;
    }

    private void bind(Worker worker, ClientPath path, int id) {
        int index = PeerConnections.workerOf(id);
        if (index != worker.index() && path.moveTo(worker.server().worker(index))) {
            return;
        }
        PeerConnection row = worker.peerConnections().byId(id);
        answer(path, row == null ? UNKNOWN : BIND, id);
        if (row != null) {
            boundOn = Thread.currentThread();
            row.bind(path);
        }
    }

    @Override
    public void peerConnected(
            Worker worker, RelayedSocket listener, long hi, long lo, int port, RelayedConnection connection) {
        Allocation allocation = listener.allocation();
        PeerConnection row = worker.peerConnections().add(allocation, hi, lo, port, connection, deadline(worker));
        answer(allocation.path(), ATTEMPT, row.id());
    }

    @Override
    public void connectEnded(Worker worker, PeerConnection row) {
        if (row.phase() == PeerConnection.Phase.CONNECTED) {
            answer(row.allocation().path(), CONNECT, row.id());
            row.told(deadline(worker));
        } else {
            answer(row.allocation().path(), FAILED, row.peerPort());
            worker.peerConnections().remove(row);
        }
    }

    private long deadline(Worker worker) {
        return worker.now() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }

    private static void answer(ClientPath path, char letter, int value) {
        path.send(ByteBuffer.allocate(8).putInt(letter << 24).putInt(value).flip());
    }

    @Override
    public void fromPeer(Worker worker, RelayedSocket socket, long hi, long lo, int port, Packet packet) {}

    @Override
    public void fromIcmp(
            Worker worker, RelayedSocket socket, long hi, long lo, int port, int type, int code, int data) {}

    @Override
    public void answered(
            Worker worker, ClientPath path, Allocation allocation, Packet request, CredentialAnswer answered) {}

    @Override
    public boolean sweep(Worker worker) {
        PeerConnections connections = worker.peerConnections();
        for (int row = connections.size() - 1; row >= 0; row--) {
            if (connections.deadlines()[row] <= worker.now()) {
                connections.remove(connections.connectionAt(row));
            }
        }
        return false;
    }
}
