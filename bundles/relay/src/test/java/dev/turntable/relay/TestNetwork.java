package dev.turntable.relay;

import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.PeerConnection;
import dev.turntable.state.RelayedConnection;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.SocketOpening;
import dev.turntable.state.WorkerLoop;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The kernel and the wire of a {@link TestServer}: relayed sockets without sockets, the datagrams on their way, the peers that get them,
 * and the loops of the workers. Everything happens when the test says so, in one thread.
 */
final class TestNetwork {
    /** A datagram that a relayed socket sent, or a peer. */
    record Datagram(InetSocketAddress from, InetSocketAddress to, byte[] payload) {}

    private final Map<InetSocketAddress, Socket> bound = new LinkedHashMap<>();
    private final Map<InetSocketAddress, List<Datagram>> received = new HashMap<>();
    private final Queue<Datagram> onTheWay = new ArrayDeque<>();
    private final List<Datagram> sent = new ArrayList<>();

    /** Ports that other processes have. */
    final Set<Integer> portsInUseElsewhere = new HashSet<>();

    /** Ports that were tried, in order. */
    final List<Integer> portsTried = new ArrayList<>();

    /** Not null: opening a socket fails for this reason. */
    String openingFails;

    /** Whether what is sent is kept for the test to see; off where memory is measured. */
    boolean records = true;

    long datagramsSent;

    /** Connections to peers that are being made, or were. */
    final List<Connection> connects = new ArrayList<>();

    /** A TCP connection between a relayed address and a peer. */
    static final class Connection implements RelayedConnection {
        final PeerConnection connecting;
        final InetSocketAddress from;
        final InetSocketAddress to;
        ClientPath joined;
        boolean closed;

        Connection(PeerConnection connecting, InetSocketAddress from, InetSocketAddress to) {
            this.connecting = connecting;
            this.from = from;
            this.to = to;
        }

        @Override
        public void join(PeerConnection row, ClientPath client) {
            joined = client;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /** A relayed socket. */
    final class Socket implements RelayedSocket {
        private final InetSocketAddress local;
        private final Allocation allocation;
        private final boolean listener;
        private boolean closed;

        Socket(InetSocketAddress local, Allocation allocation, boolean listener) {
            this.listener = listener;
            this.local = local;
            this.allocation = allocation;
        }

        @Override
        public InetSocketAddress localAddress() {
            return local;
        }

        @Override
        public boolean isListener() {
            return listener;
        }

        @Override
        public Allocation allocation() {
            return allocation;
        }

        @Override
        public boolean send(long hi, long lo, int port, Packet packet, int offset, int length) {
            if (closed) {
                throw new IllegalStateException("closed: " + local);
            }
            datagramsSent++;
            if (records) {
                InetSocketAddress to = new TransportAddress(hi, lo, port).toInetSocketAddress();
                byte[] payload = new byte[length];
                packet.memory().get(packet.start() + offset, payload);
                Datagram datagram = new Datagram(local, to, payload);
                sent.add(datagram);
                onTheWay.add(datagram);
            }
            return true;
        }

        @Override
        public void close() {
            closed = true;
            bound.remove(local, this);
        }
    }

    /** The loop of a worker. What is put on it runs when the test lets it. */
    final class Loop implements WorkerLoop {
        private final Queue<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public boolean inLoop() {
            return true;
        }

        @Override
        public SocketOpening openRelayedSocket(InetSocketAddress local, Allocation allocation) {
            return opening(local, allocation, false);
        }

        @Override
        public SocketOpening openRelayedListener(InetSocketAddress local, Allocation allocation) {
            return opening(local, allocation, true);
        }

        @Override
        public RelayedConnection connect(PeerConnection row, InetSocketAddress local, long hi, long lo, int port) {
            Connection begun = new Connection(row, local, new TransportAddress(hi, lo, port).toInetSocketAddress());
            connects.add(begun);
            return begun;
        }

        private SocketOpening opening(InetSocketAddress local, Allocation allocation, boolean listener) {
            portsTried.add(local.getPort());
            if (openingFails != null) {
                return new SocketOpening.Failed(openingFails);
            }
            if (portsInUseElsewhere.contains(local.getPort()) || bound.containsKey(local)) {
                return new SocketOpening.PortInUse();
            }
            return new SocketOpening.Opened(open(local, allocation, listener));
        }

        @Override
        public void pauseReading() {}

        @Override
        public void resumeReading() {}

        void runTasks() {
            for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                task.run();
            }
        }
    }

    Socket open(InetSocketAddress local, Allocation allocation) {
        return open(local, allocation, false);
    }

    private Socket open(InetSocketAddress local, Allocation allocation, boolean listener) {
        Socket socket = new Socket(local, allocation, listener);
        bound.put(local, socket);
        return socket;
    }

    /** Sockets that are open now. */
    int openSockets() {
        return bound.size();
    }

    /** Where they are, in the order of their opening. */
    List<InetSocketAddress> openAddresses() {
        return List.copyOf(bound.keySet());
    }

    Socket socketAt(InetSocketAddress local) {
        return bound.get(local);
    }

    /** Something sends to an address; it arrives with the next {@link #deliver}. */
    void send(InetSocketAddress from, InetSocketAddress to, byte[] payload) {
        onTheWay.add(new Datagram(from, to, payload));
    }

    /** Brings everything on the way to where it goes: to a relayed socket by the consumer, or to a peer's mailbox. */
    void deliver(BiConsumer<Socket, Datagram> toRelayedSocket) {
        for (Datagram datagram = onTheWay.poll(); datagram != null; datagram = onTheWay.poll()) {
            Socket socket = bound.get(datagram.to());
            if (socket != null) {
                toRelayedSocket.accept(socket, datagram);
            } else {
                received.computeIfAbsent(datagram.to(), to -> new ArrayList<>()).add(datagram);
            }
        }
    }

    /** Takes what an address has received. */
    List<Datagram> take(InetSocketAddress address) {
        List<Datagram> taken = received.remove(address);
        return taken == null ? List.of() : taken;
    }

    /** All that relayed sockets have sent so far. */
    List<Datagram> sent() {
        return sent;
    }
}
