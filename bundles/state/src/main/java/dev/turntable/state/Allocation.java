package dev.turntable.state;

import dev.turntable.api.AllocationId;

/**
 * An allocation (RFC 8656 §5): who made it, on which five-tuple, and its relayed transport addresses. Deadlines are in the dense
 * arrays of {@link Allocations}. The worker's thread alone, except for the id.
 */
public final class Allocation {
    private final Worker worker;
    private final ClientPath path;
    private final String username;
    private final String realm;
    private final byte[] key;
    private final byte passwordAlgorithm;
    private final long credentialExpiresAtEpochSecond;
    private final long transactionHi;
    private final int transactionLo;
    private final long number;
    private byte[] response;
    private byte[] engineBytes;
    private RelayedSocket relayedIPv4;
    private RelayedSocket relayedIPv6;
    /** Kept here because a closed socket need not know its address any more. */
    private char portIPv4;

    private char portIPv6;
    private boolean ended;

    /** The five-tuple, copied from the path: what a lookup compares. */
    final int localEnd;

    final long clientHi;
    final long clientLo;
    final int clientPort;
    final long madeAtNanos;

    /** Rows in {@link Allocations}, or -1. */
    int rowIPv4 = -1;

    int rowIPv6 = -1;
    boolean onSharedSockets;
    boolean relaysTcp;

    /** Heads and lengths of the lists in {@link Permissions}, {@link ChannelBindings} and {@link SharedPeers}. */
    int firstPermission = Permissions.NONE;

    int firstBinding = ChannelBindings.NONE;
    int firstSharedPeer = -1;
    int permissionCount;
    int bindingCount;
    int sharedPeerCount;

    /** Head and length of its list in {@link PeerConnections}. */
    PeerConnection firstConnection;

    int connectionCount;

    long toPeerPackets;
    long toPeerBytes;
    long toClientPackets;
    long toClientBytes;

    Allocation(
            Worker worker,
            long number,
            ClientPath path,
            String username,
            String realm,
            byte[] key,
            int passwordAlgorithm,
            long credentialExpiresAtEpochSecond,
            long transactionHi,
            int transactionLo) {
        this.worker = worker;
        this.number = number;
        this.path = path;
        this.username = username;
        this.realm = realm;
        this.key = key;
        this.passwordAlgorithm = (byte) passwordAlgorithm;
        this.credentialExpiresAtEpochSecond = credentialExpiresAtEpochSecond;
        this.transactionHi = transactionHi;
        this.transactionLo = transactionLo;
        localEnd = path.localEnd();
        clientHi = path.clientHi();
        clientLo = path.clientLo();
        clientPort = path.clientPort();
        madeAtNanos = worker.now();
    }

    public AllocationId id() {
        return new AllocationId(worker.index(), number);
    }

    /** The number of its id. */
    long number() {
        return number;
    }

    public Worker worker() {
        return worker;
    }

    public ClientPath path() {
        return path;
    }

    public String username() {
        return username;
    }

    public String realm() {
        return realm;
    }

    /** Key of MESSAGE-INTEGRITY, shared, not to be changed. */
    public byte[] key() {
        return key;
    }

    /** PASSWORD-ALGORITHM that the key was made with: 1 MD5, 2 SHA-256 (RFC 8489 §18.5). */
    public int passwordAlgorithm() {
        return passwordAlgorithm;
    }

    /** Wall-clock second at which its credential expires; 0 for never. */
    public long credentialExpiresAtEpochSecond() {
        return credentialExpiresAtEpochSecond;
    }

    /** The socket of that family, or null. */
    public RelayedSocket relayed(boolean ipv6) {
        return ipv6 ? relayedIPv6 : relayedIPv4;
    }

    void setRelayed(boolean ipv6, RelayedSocket socket, int row) {
        if (ipv6) {
            relayedIPv6 = socket;
            rowIPv6 = row;
        } else {
            relayedIPv4 = socket;
            rowIPv4 = row;
        }
    }

    void setRelayedPort(boolean ipv6, int port) {
        if (ipv6) {
            portIPv6 = (char) port;
        } else {
            portIPv4 = (char) port;
        }
    }

    int relayedPort(boolean ipv6) {
        return ipv6 ? portIPv6 : portIPv4;
    }

    int row(boolean ipv6) {
        return ipv6 ? rowIPv6 : rowIPv4;
    }

    /** Deadline of the relayed address of that family; 0 where there is none. */
    public long deadlineNanos(boolean ipv6) {
        int row = row(ipv6);
        return row < 0 ? 0 : worker.allocations().deadlines()[row];
    }

    /** A refresh: one store. Nothing where there is no relayed address of that family. */
    public void setDeadlineNanos(boolean ipv6, long deadlineNanos) {
        int row = row(ipv6);
        if (row >= 0) {
            worker.allocations().deadlines()[row] = deadlineNanos;
        }
    }

    /** Whether the teardown has run. */
    public boolean isEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    /** Whether the transaction that made it was this one, for retransmitted Allocate requests (RFC 8656 §7.2). */
    public boolean madeBy(long transactionHi, int transactionLo) {
        return this.transactionHi == transactionHi && this.transactionLo == transactionLo;
    }

    /** The Allocate success response as it was sent; null before. */
    public byte[] response() {
        return response;
    }

    public void setResponse(byte[] response) {
        this.response = response;
    }

    public int permissionCount() {
        return permissionCount;
    }

    /** Whether it relays TCP connections (RFC 6062), not datagrams. */
    public boolean relaysTcp() {
        return relaysTcp;
    }

    /** Connections to peers, those that are being made included. */
    public int connectionCount() {
        return connectionCount;
    }

    /** Peer endpoints that it has registered on shared sockets (see {@link SharedPeers#claim}). */
    public int sharedPeerCount() {
        return sharedPeerCount;
    }

    public int channelBindingCount() {
        return bindingCount;
    }

    /** Counts a datagram, or a piece of a stream, relayed to a peer. */
    public void countToPeer(int payloadBytes) {
        toPeerPackets++;
        toPeerBytes += payloadBytes;
        worker.totals().countToPeer(payloadBytes);
    }

    /** Counts a datagram, or a piece of a stream, relayed to the client. */
    public void countToClient(int payloadBytes) {
        toClientPackets++;
        toClientBytes += payloadBytes;
        worker.totals().countToClient(payloadBytes);
    }

    /** Facts of an engine that {@code state} does not interpret, first the version of their layout; null for none. At most 64 bytes. */
    public byte[] engineBytes() {
        return engineBytes;
    }

    /**
     * Keeps the array itself.
     *
     * @throws IllegalArgumentException where there are more than 64
     */
    public void setEngineBytes(byte[] bytes) {
        if (bytes != null && bytes.length > 64) {
            throw new IllegalArgumentException("at most 64 bytes: " + bytes.length);
        }
        engineBytes = bytes;
    }
}
