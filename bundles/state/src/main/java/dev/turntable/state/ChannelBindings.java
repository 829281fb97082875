package dev.turntable.state;

import java.util.Arrays;

/**
 * The channel bindings of a worker (RFC 8656 §12): by allocation and number, and by allocation and peer transport address. A binding
 * is a handle and refers to the permission of its peer, whose allocation and IP address it shares. The worker's thread alone. Called
 * for each packet.
 */
public final class ChannelBindings {
    public static final int NONE = -1;

    private final Permissions permissions;
    private final DeadlineRows rows;
    private final HandleIndex byNumber;
    private final HandleIndex byPeer;
    private int[] permission;
    private char[] port;
    private char[] number;
    private int[] next;
    private int[] previous;

    ChannelBindings(int capacity, Permissions permissions) {
        this.permissions = permissions;
        rows = new DeadlineRows(capacity);
        byNumber = new HandleIndex(capacity, this::hashOfNumber);
        byPeer = new HandleIndex(capacity, this::hashOfPeer);
        permission = new int[capacity];
        port = new char[capacity];
        number = new char[capacity];
        next = new int[capacity];
        previous = new int[capacity];
    }

    public int size() {
        return rows.size();
    }

    /** Handle, expired or not; {@link #NONE} where there is none. One hash probe. */
    public int byNumber(Allocation allocation, int channelNumber) {
        int slot = byNumber.home(hashOfNumber(allocation, channelNumber));
        int handle = byNumber.at(slot);
        while (handle != NONE
                && !(number[handle] == channelNumber && permissions.allocation(permission[handle]) == allocation)) {
            slot = byNumber.after(slot);
            handle = byNumber.at(slot);
        }
        return handle;
    }

    /** The same by peer transport address. One hash probe. */
    public int byPeer(Allocation allocation, long hi, long lo, int port) {
        int slot = byPeer.home(hashOfPeer(allocation, hi, lo, port));
        int handle = byPeer.at(slot);
        while (handle != NONE && !(this.port[handle] == port && isOf(permission[handle], allocation, hi, lo))) {
            slot = byPeer.after(slot);
            handle = byPeer.at(slot);
        }
        return handle;
    }

    private boolean isOf(int permission, Allocation allocation, long hi, long lo) {
        return permissions.peerLo(permission) == lo
                && permissions.peerHi(permission) == hi
                && permissions.allocation(permission) == allocation;
    }

    /**
     * Adds one; the caller has made sure that neither the number nor the peer is bound.
     *
     * @param permission of the same allocation
     */
    public int add(Allocation allocation, int permission, int port, int channelNumber, long deadlineNanos) {
        if (permissions.allocation(permission) != allocation) {
            throw new IllegalArgumentException("a permission of another allocation");
        }
        if (rows.isFull()) {
            grow();
        }
        int handle = rows.add(deadlineNanos);
        this.permission[handle] = permission;
        this.port[handle] = (char) port;
        number[handle] = (char) channelNumber;
        permissions.addToBindingCount(permission, 1);
        byNumber.put(handle);
        byPeer.put(handle);
        int second = allocation.firstBinding;
        next[handle] = second;
        previous[handle] = NONE;
        if (second != NONE) {
            previous[second] = handle;
        }
        allocation.firstBinding = handle;
        allocation.bindingCount++;
        return handle;
    }

    public long deadlineNanos(int binding) {
        return rows.deadlineNanos(binding);
    }

    /** A refresh: one store. */
    public void setDeadlineNanos(int binding, long deadlineNanos) {
        rows.setDeadlineNanos(binding, deadlineNanos);
    }

    public Allocation allocation(int binding) {
        return permissions.allocation(permission[binding]);
    }

    public int permission(int binding) {
        return permission[binding];
    }

    public int peerPort(int binding) {
        return port[binding];
    }

    public int channelNumber(int binding) {
        return number[binding];
    }

    /** First binding of an allocation, {@link #NONE} at the end. */
    public int first(Allocation allocation) {
        return allocation.firstBinding;
    }

    public int next(int binding) {
        return next[binding];
    }

    /** Constant time. */
    public void remove(int binding) {
        Allocation owner = allocation(binding);
        byNumber.remove(binding);
        byPeer.remove(binding);
        rows.remove(binding);
        permissions.addToBindingCount(permission[binding], -1);
        int before = previous[binding];
        int behind = next[binding];
        if (before == NONE) {
            owner.firstBinding = behind;
        } else {
            next[before] = behind;
        }
        if (behind != NONE) {
            previous[behind] = before;
        }
        owner.bindingCount--;
    }

    /** The dense array; rows 0 to {@code size() - 1} count. Removing fills the row with the last one: walk downwards. */
    public long[] deadlines() {
        return rows.deadlines();
    }

    public int handleAt(int row) {
        return rows.handleAt(row);
    }

    private static int hashOfNumber(Allocation allocation, int channelNumber) {
        return KeyHash.of(allocation.number(), channelNumber, 0);
    }

    private int hashOfNumber(int handle) {
        return hashOfNumber(allocation(handle), number[handle]);
    }

    private static int hashOfPeer(Allocation allocation, long hi, long lo, int port) {
        return KeyHash.of(hi, lo, allocation.number() << 16 | port);
    }

    private int hashOfPeer(int handle) {
        int peer = permission[handle];
        return hashOfPeer(
                permissions.allocation(peer), permissions.peerHi(peer), permissions.peerLo(peer), port[handle]);
    }

    private void grow() {
        int capacity = DeadlineRows.grown(permission.length);
        rows.grow(capacity);
        permission = Arrays.copyOf(permission, capacity);
        port = Arrays.copyOf(port, capacity);
        number = Arrays.copyOf(number, capacity);
        next = Arrays.copyOf(next, capacity);
        previous = Arrays.copyOf(previous, capacity);
        byNumber.reset(capacity);
        byPeer.reset(capacity);
        for (int row = 0; row < rows.size(); row++) {
            byNumber.put(rows.handleAt(row));
            byPeer.put(rows.handleAt(row));
        }
    }
}
