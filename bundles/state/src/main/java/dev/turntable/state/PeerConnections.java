package dev.turntable.state;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of a worker's TCP allocations to their peers (RFC 6062), with their deadlines in a dense array. The worker's thread
 * alone. Decides nothing: what came of a connect is told to the engine of that moment, or waits for one.
 */
public final class PeerConnections {
    private static final Logger LOGGER = LoggerFactory.getLogger(PeerConnections.class);
    private static final int WORKER_SHIFT = 24;
    private static final int RANDOM_BITS = (1 << WORKER_SHIFT) - 1;

    private final Worker worker;
    private final RareLog troubles = new RareLog(LOGGER);
    private final SecureNumbers random = new SecureNumbers();
    private final Map<Integer, PeerConnection> byId = new HashMap<>();
    private long[] deadlines = new long[16];
    private PeerConnection[] connections = new PeerConnection[16];
    private int size;
    private boolean unreported;

    PeerConnections(Worker worker) {
        this.worker = worker;
    }

    /** Index of the worker that a connection with this id is on; there may be none with that index. */
    public static int workerOf(int id) {
        return id >>> WORKER_SHIFT;
    }

    /**
     * Makes a row for a Connect; {@link PeerConnection#connecting} follows.
     *
     * @param request is copied
     */
    public PeerConnection add(
            Allocation allocation, long peerHi, long peerLo, int peerPort, Packet request, long deadlineNanos) {
        return add(allocation, peerHi, peerLo, peerPort, new CopiedPacket(request), null, deadlineNanos);
    }

    /** Makes a row for a connection that a peer has made, and that the client is about to be told of. */
    public PeerConnection add(
            Allocation allocation,
            long peerHi,
            long peerLo,
            int peerPort,
            RelayedConnection accepted,
            long deadlineNanos) {
        return add(allocation, peerHi, peerLo, peerPort, null, accepted, deadlineNanos);
    }

    private PeerConnection add(
            Allocation allocation,
            long peerHi,
            long peerLo,
            int peerPort,
            Packet request,
            RelayedConnection accepted,
            long deadlineNanos) {
        if (size == connections.length) {
            int capacity = DeadlineRows.grown(size);
            deadlines = Arrays.copyOf(deadlines, capacity);
            connections = Arrays.copyOf(connections, capacity);
        }
        PeerConnection added =
                new PeerConnection(this, allocation, newId(), peerHi, peerLo, peerPort, request, accepted);
        added.next = allocation.firstConnection;
        if (added.next != null) {
            added.next.previous = added;
        }
        allocation.firstConnection = added;
        allocation.connectionCount++;
        byId.put(added.id(), added);
        deadlines[size] = deadlineNanos;
        connections[size] = added;
        added.row = size++;
        return added;
    }

    /** Not to be guessed, and not in use. */
    private int newId() {
        int id;
        do {
            id = worker.index() << WORKER_SHIFT | (int) random.next() & RANDOM_BITS;
        } while (byId.containsKey(id));
        return id;
    }

    /** Or null. */
    public PeerConnection byId(int id) {
        return byId.get(id);
    }

    /** The allocation's connection to a peer, or null. Walks over those of the allocation. */
    public PeerConnection byPeer(Allocation allocation, long peerHi, long peerLo, int peerPort) {
        PeerConnection found = allocation.firstConnection;
        while (found != null
                && !(found.peerPort() == peerPort && found.peerLo() == peerLo && found.peerHi() == peerHi)) {
            found = found.next;
        }
        return found;
    }

    /** The one teardown: takes it out of the tables and closes it, flushed first. Does nothing the second time. */
    public void remove(PeerConnection connection) {
        if (connection.phase() == PeerConnection.Phase.ENDED) {
            return;
        }
        connection.end();
        byId.remove(connection.id());
        Allocation allocation = connection.allocation();
        if (connection.previous == null) {
            allocation.firstConnection = connection.next;
        } else {
            connection.previous.next = connection.next;
        }
        if (connection.next != null) {
            connection.next.previous = connection.previous;
        }
        allocation.connectionCount--;
        int last = --size;
        deadlines[connection.row] = deadlines[last];
        connections[connection.row] = connections[last];
        connections[connection.row].row = connection.row;
        connections[last] = null;
        if (connection.socket() != null) {
            try {
                connection.socket().close();
            } catch (RuntimeException e) {
                troubles.warn(worker.now(), "allocation {}: a peer's connection did not close", allocation.id(), e);
            }
        }
    }

    /** Ends those of an allocation to peers of one family. */
    void removeOf(Allocation allocation, boolean ipv6) {
        for (PeerConnection connection = allocation.firstConnection; connection != null; ) {
            PeerConnection following = connection.next;
            if (AddressBits.isIPv6(connection.peerHi(), connection.peerLo()) == ipv6) {
                remove(connection);
            }
            connection = following;
        }
    }

    /** Transport tells what came of a connect; not within the call that began it. */
    public void connectEnded(PeerConnection connection, boolean connected) {
        if (connection.phase() == PeerConnection.Phase.CONNECTING) {
            connection.connectEnded(connected);
            report(connection);
        }
    }

    /** An engine has come: tells it what has ended while there was none. */
    void deliver() {
        if (!unreported) {
            return;
        }
        unreported = false;
        for (PeerConnection connection : Arrays.copyOf(connections, size)) {
            if (connection.isUnreported()) {
                report(connection);
            }
        }
    }

    private void report(PeerConnection connection) {
        RelayEngine engine = worker.server().engineSlot().current();
        if (engine == null) {
            unreported = true;
            return;
        }
        connection.reported();
        try {
            engine.connectEnded(worker, connection);
        } catch (RuntimeException | LinkageError e) {
            troubles.warn(worker.now(), "worker {}: the engine failed over a connect", worker.index(), e);
        }
    }

    /** Rows in use. */
    public int size() {
        return size;
    }

    /** The dense array, as that of {@link Allocations#deadlines}. */
    public long[] deadlines() {
        return deadlines;
    }

    public PeerConnection connectionAt(int row) {
        return connections[row];
    }

    long deadlineNanos(PeerConnection connection) {
        return deadlines[connection.row];
    }

    void setDeadlineNanos(PeerConnection connection, long deadlineNanos) {
        deadlines[connection.row] = deadlineNanos;
    }
}
