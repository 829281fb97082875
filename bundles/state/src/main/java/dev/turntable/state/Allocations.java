package dev.turntable.state;

/**
 * The allocations of a worker, by five-tuple, and the deadlines of their relayed addresses in a dense array: one row for each relayed
 * address that exists. The worker's thread alone.
 */
public final class Allocations {
    public int size() {
        throw new UnsupportedOperationException();
    }

    /** One hash probe; null where there is none. */
    public Allocation byFiveTuple(int localEnd, long clientHi, long clientLo, int clientPort) {
        throw new UnsupportedOperationException();
    }

    /**
     * Makes an allocation without a relayed address. It counts for its user (see {@link UserCounts}) from now on, and not again.
     *
     * @param path a lasting one
     * @return the new allocation
     */
    public Allocation add(
            ClientPath path,
            String username,
            String realm,
            byte[] key,
            int passwordAlgorithm,
            long credentialExpiresAtEpochSecond,
            long transactionHi,
            int transactionLo) {
        throw new UnsupportedOperationException();
    }

    /** Gives it a relayed address, with the port it took from the pool (freed by the teardown; not taken back in shared mode). */
    public void addRelayed(Allocation allocation, RelayedSocket socket, boolean ipv6, long deadlineNanos) {
        throw new UnsupportedOperationException();
    }

    /** Rows in use. */
    public int rows() {
        throw new UnsupportedOperationException();
    }

    /** The dense array; rows 0 to {@code rows() - 1} count. Read it anew after each change of the table. */
    public long[] deadlines() {
        throw new UnsupportedOperationException();
    }

    public Allocation allocationAt(int row) {
        throw new UnsupportedOperationException();
    }

    public boolean isIPv6At(int row) {
        throw new UnsupportedOperationException();
    }
}
