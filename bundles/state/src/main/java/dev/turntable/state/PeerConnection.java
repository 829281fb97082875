package dev.turntable.state;

/** A connection of a TCP allocation to one of its peers (RFC 6062), from its Connect or its accept to its end. The worker's thread alone. */
public final class PeerConnection {
    /** How far it is. */
    public enum Phase {
        /** A Connect is under way. */
        CONNECTING,
        /** The peer has taken it; the client has not been told yet. */
        CONNECTED,
        /** The peer did not take it; the client has not been told yet. */
        FAILED,
        /** The client knows of it, and has not bound it. */
        UNBOUND,
        /** It is joined with a connection of the client. */
        BOUND,
        /** It is gone. */
        ENDED
    }

    private final PeerConnections table;
    private final Allocation allocation;
    private final int id;
    private final long peerHi;
    private final long peerLo;
    private final int peerPort;
    private Packet request;
    private Phase phase;
    private RelayedConnection socket;
    private boolean reported;

    /** Row in {@link PeerConnections}. */
    int row;

    /** Neighbours in the list of its allocation. */
    PeerConnection previous;

    PeerConnection next;

    PeerConnection(
            PeerConnections table,
            Allocation allocation,
            int id,
            long peerHi,
            long peerLo,
            int peerPort,
            Packet request,
            RelayedConnection socket) {
        this.table = table;
        this.allocation = allocation;
        this.id = id;
        this.peerHi = peerHi;
        this.peerLo = peerLo;
        this.peerPort = peerPort;
        this.request = request;
        this.socket = socket;
        phase = socket == null ? Phase.CONNECTING : Phase.UNBOUND;
    }

    /** CONNECTION-ID (RFC 6062 §6.2.1). */
    public int id() {
        return id;
    }

    public Allocation allocation() {
        return allocation;
    }

    /** The peer as the client knows it: first 8 bytes. */
    public long peerHi() {
        return peerHi;
    }

    /** Last 8 bytes. */
    public long peerLo() {
        return peerLo;
    }

    public int peerPort() {
        return peerPort;
    }

    public Phase phase() {
        return phase;
    }

    /** The Connect that is still to be answered; null for none. */
    public Packet request() {
        return request;
    }

    public long deadlineNanos() {
        return table.deadlineNanos(this);
    }

    /** Nothing once it has ended. */
    public void setDeadlineNanos(long deadlineNanos) {
        if (phase != Phase.ENDED) {
            table.setDeadlineNanos(this, deadlineNanos);
        }
    }

    /** The client has been told that it is there: it has until the deadline to bind it. */
    public void told(long deadlineNanos) {
        request = null;
        phase = Phase.UNBOUND;
        setDeadlineNanos(deadlineNanos);
    }

    /** Joins it with a client's connection; there is no deadline any more. */
    public void bind(ClientPath client) {
        phase = Phase.BOUND;
        setDeadlineNanos(Long.MAX_VALUE);
        socket.join(this, client);
    }

    /** The connect that {@link WorkerLoop#connect} began. */
    public void connecting(RelayedConnection begun) {
        socket = begun;
    }

    /** Whether an engine has still to hear what came of the connect. */
    boolean isUnreported() {
        return !reported && (phase == Phase.CONNECTED || phase == Phase.FAILED);
    }

    void reported() {
        reported = true;
    }

    void connectEnded(boolean connected) {
        phase = connected ? Phase.CONNECTED : Phase.FAILED;
    }

    void end() {
        phase = Phase.ENDED;
        request = null;
    }

    RelayedConnection socket() {
        return socket;
    }
}
