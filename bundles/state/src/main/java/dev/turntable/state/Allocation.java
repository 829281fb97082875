package dev.turntable.state;

import dev.turntable.api.AllocationId;

/**
 * An allocation (RFC 8656 §5): who made it, on which five-tuple, and its relayed transport addresses. Deadlines are in the dense
 * arrays of {@link Allocations}. The worker's thread alone, except for the id.
 */
public final class Allocation {
    public AllocationId id() {
        throw new UnsupportedOperationException();
    }

    public Worker worker() {
        throw new UnsupportedOperationException();
    }

    public ClientPath path() {
        throw new UnsupportedOperationException();
    }

    public String username() {
        throw new UnsupportedOperationException();
    }

    public String realm() {
        throw new UnsupportedOperationException();
    }

    /** Key of MESSAGE-INTEGRITY, shared, not to be changed. */
    public byte[] key() {
        throw new UnsupportedOperationException();
    }

    /** PASSWORD-ALGORITHM that the key was made with: 1 MD5, 2 SHA-256 (RFC 8489 §18.5). */
    public int passwordAlgorithm() {
        throw new UnsupportedOperationException();
    }

    /** Wall-clock second at which its credential expires; 0 for never. */
    public long credentialExpiresAtEpochSecond() {
        throw new UnsupportedOperationException();
    }

    /** The socket of that family, or null. */
    public RelayedSocket relayed(boolean ipv6) {
        throw new UnsupportedOperationException();
    }

    /** Deadline of the relayed address of that family; 0 where there is none. */
    public long deadlineNanos(boolean ipv6) {
        throw new UnsupportedOperationException();
    }

    /** A refresh: one store. */
    public void setDeadlineNanos(boolean ipv6, long deadlineNanos) {
        throw new UnsupportedOperationException();
    }

    /** Whether the teardown has run. */
    public boolean isEnded() {
        throw new UnsupportedOperationException();
    }

    /** Whether the transaction that made it was this one, for retransmitted Allocate requests (RFC 8656 §7.2). */
    public boolean madeBy(long transactionHi, int transactionLo) {
        throw new UnsupportedOperationException();
    }

    /** The Allocate success response as it was sent. */
    public byte[] response() {
        throw new UnsupportedOperationException();
    }

    public void setResponse(byte[] response) {
        throw new UnsupportedOperationException();
    }

    public int permissionCount() {
        throw new UnsupportedOperationException();
    }

    public int channelBindingCount() {
        throw new UnsupportedOperationException();
    }

    /** Counts a datagram relayed to a peer. */
    public void countToPeer(int payloadBytes) {
        throw new UnsupportedOperationException();
    }

    /** Counts a datagram relayed to the client. */
    public void countToClient(int payloadBytes) {
        throw new UnsupportedOperationException();
    }

    /** Facts of an engine that {@code state} does not interpret, first the version of their layout; null for none. At most 64 bytes. */
    public byte[] engineBytes() {
        throw new UnsupportedOperationException();
    }

    public void setEngineBytes(byte[] bytes) {
        throw new UnsupportedOperationException();
    }
}
