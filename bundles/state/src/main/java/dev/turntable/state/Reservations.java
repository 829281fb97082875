package dev.turntable.state;

import java.util.Arrays;

/** Ports that wait for the allocation that names their token (RFC 8656 §7.2, RESERVATION-TOKEN), server-wide. Any thread. */
public final class Reservations {
    /** What a token stands for. */
    public record Reservation(boolean ipv6, int port) {}

    private static final int NONE = -1;
    private static final int IPV6_FLAG = 1 << 16;

    private final PortPool ports;
    private final SecureNumbers random = new SecureNumbers();
    private final DeadlineRows rows = new DeadlineRows(64);
    private final HandleIndex index = new HandleIndex(64, this::hash);
    private long[] token = new long[64];
    private int[] portAndFamily = new int[64];

    Reservations(PortPool ports) {
        this.ports = ports;
    }

    /**
     * Keeps a port that was taken from the pool.
     *
     * @return the token: 8 bytes from a secure generator
     */
    public synchronized long add(boolean ipv6, int port, long deadlineNanos) {
        if (rows.isFull()) {
            grow();
        }
        long made = random.next();
        while (handleOf(made) != NONE) {
            made = random.next();
        }
        int handle = rows.add(deadlineNanos);
        token[handle] = made;
        portAndFamily[handle] = ipv6 ? port | IPV6_FLAG : port;
        index.put(handle);
        return made;
    }

    /** Redeems a token, once; null where it is unknown or {@code nowNanos} is past its deadline. The port is the caller's. */
    public synchronized Reservation take(long token, long nowNanos) {
        int handle = handleOf(token);
        if (handle == NONE || rows.deadlineNanos(handle) <= nowNanos) {
            return null;
        }
        return remove(handle);
    }

    /** Gives the ports of expired ones back to the pool; returns how many. */
    public synchronized int sweep(long nowNanos) {
        int reaped = 0;
        long[] deadlines = rows.deadlines();
        for (int row = rows.size() - 1; row >= 0; row--) {
            if (deadlines[row] <= nowNanos) {
                Reservation expired = remove(rows.handleAt(row));
                ports.free(expired.ipv6(), expired.port());
                reaped++;
            }
        }
        return reaped;
    }

    public synchronized int size() {
        return rows.size();
    }

    private int handleOf(long token) {
        int slot = index.home(hashOf(token));
        int handle = index.at(slot);
        while (handle != NONE && this.token[handle] != token) {
            slot = index.after(slot);
            handle = index.at(slot);
        }
        return handle;
    }

    private Reservation remove(int handle) {
        index.remove(handle);
        rows.remove(handle);
        return new Reservation((portAndFamily[handle] & IPV6_FLAG) != 0, portAndFamily[handle] & 0xFFFF);
    }

    private static int hashOf(long token) {
        return KeyHash.of(token, 0, 0);
    }

    private int hash(int handle) {
        return hashOf(token[handle]);
    }

    private void grow() {
        int capacity = DeadlineRows.grown(token.length);
        rows.grow(capacity);
        token = Arrays.copyOf(token, capacity);
        portAndFamily = Arrays.copyOf(portAndFamily, capacity);
        index.reset(capacity);
        for (int row = 0; row < rows.size(); row++) {
            index.put(rows.handleAt(row));
        }
    }
}
