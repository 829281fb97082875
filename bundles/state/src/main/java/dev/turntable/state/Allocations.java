package dev.turntable.state;

import java.util.Arrays;

/**
 * The allocations of a worker, by five-tuple, and the deadlines of their relayed addresses in a dense array: one row for each relayed
 * address that exists. The worker's thread alone. Called for each packet.
 */
public final class Allocations {
    private final Worker worker;
    /** Open addressing by five-tuple, at most half full, removed by shifting back. */
    private Allocation[] slots;

    private int size;
    private long made;

    private long[] deadlines;
    private Allocation[] allocationAt;
    private int rows;

    Allocations(int capacity, Worker worker) {
        this.worker = worker;
        slots = new Allocation[2 * capacity];
        deadlines = new long[capacity];
        allocationAt = new Allocation[capacity];
    }

    public int size() {
        return size;
    }

    /** One hash probe; null where there is none. */
    public Allocation byFiveTuple(int localEnd, long clientHi, long clientLo, int clientPort) {
        int slot = home(localEnd, clientHi, clientLo, clientPort);
        Allocation found = slots[slot];
        while (found != null
                && !(found.clientPort == clientPort
                        && found.clientLo == clientLo
                        && found.clientHi == clientHi
                        && found.localEnd == localEnd)) {
            slot = after(slot);
            found = slots[slot];
        }
        return found;
    }

    /**
     * Makes an allocation without a relayed address. The caller has counted it for its user by {@link UserCounts#take}; here it is not
     * counted again, and {@link Worker#delete} gives the count back.
     *
     * @param path a lasting one; its five-tuple has no allocation
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
        Allocation allocation = new Allocation(
                worker,
                made++,
                path,
                username,
                realm,
                key,
                passwordAlgorithm,
                credentialExpiresAtEpochSecond,
                transactionHi,
                transactionLo);
        if (2 * (size + 1) > slots.length) {
            growSlots();
        }
        put(allocation);
        size++;
        worker.totals().countMade();
        return allocation;
    }

    /**
     * Gives it a relayed address, with the port it took from the pool (freed by the teardown; not taken back in shared mode).
     *
     * @param socket the one that {@link WorkerLoop#openRelayedSocket} or {@link WorkerLoop#openRelayedListener} opened for this
     *     allocation, or a shared one of this worker
     */
    public void addRelayed(Allocation allocation, RelayedSocket socket, boolean ipv6, long deadlineNanos) {
        if (rows == deadlines.length) {
            int capacity = DeadlineRows.grown(rows);
            deadlines = Arrays.copyOf(deadlines, capacity);
            allocationAt = Arrays.copyOf(allocationAt, capacity);
        }
        deadlines[rows] = deadlineNanos;
        allocationAt[rows] = allocation;
        allocation.onSharedSockets = socket.allocation() == null;
        allocation.relaysTcp = socket.isListener();
        allocation.setRelayed(ipv6, socket, rows++);
        if (allocation.onSharedSockets) {
            worker.sharedPeers().addToLoad(socket, 1);
        }
        int port = socket.localAddress().getPort();
        allocation.setRelayedPort(ipv6, port);
        worker.server().ports().setLive(ipv6, port, allocation.relaysTcp, true);
    }

    /** Takes the relayed address away; sockets and ports are the teardown's. */
    void removeRelayed(Allocation allocation, boolean ipv6) {
        int row = allocation.row(ipv6);
        int last = --rows;
        if (row != last) {
            Allocation moved = allocationAt[last];
            boolean movedIPv6 = moved.rowIPv6 == last;
            deadlines[row] = deadlines[last];
            allocationAt[row] = moved;
            moved.setRelayed(movedIPv6, moved.relayed(movedIPv6), row);
        }
        allocationAt[last] = null;
        allocation.setRelayed(ipv6, null, -1);
    }

    /** Takes it out of the five-tuples. */
    void remove(Allocation allocation) {
        int hole = home(allocation);
        while (slots[hole] != allocation) {
            hole = after(hole);
        }
        for (int slot = after(hole); slots[slot] != null; slot = after(slot)) {
            int home = home(slots[slot]);
            boolean staysReachable = hole < slot ? hole < home && home <= slot : hole < home || home <= slot;
            if (!staysReachable) {
                slots[hole] = slots[slot];
                hole = slot;
            }
        }
        slots[hole] = null;
        size--;
    }

    /** All of them as they are now, in no order. For management. */
    Allocation[] toArray() {
        Allocation[] all = new Allocation[size];
        int count = 0;
        for (Allocation allocation : slots) {
            if (allocation != null) {
                all[count++] = allocation;
            }
        }
        return all;
    }

    /** By the number of its id, or null. Walks over all of them: for management. */
    Allocation byNumber(long number) {
        for (Allocation allocation : slots) {
            if (allocation != null && allocation.number() == number) {
                return allocation;
            }
        }
        return null;
    }

    /** Rows in use. */
    public int rows() {
        return rows;
    }

    /**
     * The dense array; rows 0 to {@code rows() - 1} count. Read it anew after each change of the table. Removing fills the row with the
     * last one: walk downwards.
     */
    public long[] deadlines() {
        return deadlines;
    }

    public Allocation allocationAt(int row) {
        return allocationAt[row];
    }

    public boolean isIPv6At(int row) {
        return allocationAt[row].rowIPv6 == row;
    }

    private int home(int localEnd, long clientHi, long clientLo, int clientPort) {
        int hash = KeyHash.of(clientHi, clientLo, ((long) localEnd << 16) | clientPort);
        return (int) (((hash & 0xFFFF_FFFFL) * slots.length) >>> 32);
    }

    private int home(Allocation allocation) {
        return home(allocation.localEnd, allocation.clientHi, allocation.clientLo, allocation.clientPort);
    }

    private int after(int slot) {
        return slot + 1 == slots.length ? 0 : slot + 1;
    }

    private void put(Allocation allocation) {
        int slot = home(allocation);
        while (slots[slot] != null) {
            slot = after(slot);
        }
        slots[slot] = allocation;
    }

    private void growSlots() {
        Allocation[] before = slots;
        slots = new Allocation[DeadlineRows.grown(before.length)];
        for (Allocation allocation : before) {
            if (allocation != null) {
                put(allocation);
            }
        }
    }
}
