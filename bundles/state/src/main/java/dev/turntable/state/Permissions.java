package dev.turntable.state;

import java.util.Arrays;

/**
 * The permissions of a worker (RFC 8656 §9): by allocation and peer IP address. A permission is a handle (an int that stays the same
 * while it lives); deadlines stand dense for the sweep. An entry stays, passing nothing, after its deadline until it is removed. The
 * worker's thread alone. Called for each packet.
 */
public final class Permissions {
    public static final int NONE = -1;

    /** Live on ports of this server's own relayed sockets alone (see {@link #flags}). */
    public static final int OWN_RELAYED_PORTS_ONLY = 1;

    private static final int FLAG_BITS = 8;

    private final SharedPeers sharedPeers;
    private final DeadlineRows rows;
    private final HandleIndex index;
    private Allocation[] allocation;
    private long[] hi;
    private long[] lo;
    /** Flags in the low 8 bits, above them the number of channel bindings. */
    private int[] flagsAndBindings;

    private int[] next;
    private int[] previous;

    Permissions(int capacity, SharedPeers sharedPeers) {
        this.sharedPeers = sharedPeers;
        rows = new DeadlineRows(capacity);
        index = new HandleIndex(capacity, this::hash);
        allocation = new Allocation[capacity];
        hi = new long[capacity];
        lo = new long[capacity];
        flagsAndBindings = new int[capacity];
        next = new int[capacity];
        previous = new int[capacity];
    }

    public int size() {
        return rows.size();
    }

    /** Handle, expired or not; {@link #NONE} where there is none. One hash probe. */
    public int find(Allocation allocation, long hi, long lo) {
        int slot = index.home(KeyHash.of(hi, lo, allocation.number()));
        int handle = index.at(slot);
        while (handle != NONE
                && !(this.lo[handle] == lo && this.hi[handle] == hi && this.allocation[handle] == allocation)) {
            slot = index.after(slot);
            handle = index.at(slot);
        }
        return handle;
    }

    /**
     * Adds one; the caller has made sure that it is not there.
     *
     * @param flags 0 to 255
     */
    public int add(Allocation allocation, long hi, long lo, int flags, long deadlineNanos) {
        if (rows.isFull()) {
            grow();
        }
        int handle = rows.add(deadlineNanos);
        this.allocation[handle] = allocation;
        this.hi[handle] = hi;
        this.lo[handle] = lo;
        flagsAndBindings[handle] = flags & (1 << FLAG_BITS) - 1;
        index.put(handle);
        int second = allocation.firstPermission;
        next[handle] = second;
        previous[handle] = NONE;
        if (second != NONE) {
            previous[second] = handle;
        }
        allocation.firstPermission = handle;
        allocation.permissionCount++;
        return handle;
    }

    public long deadlineNanos(int permission) {
        return rows.deadlineNanos(permission);
    }

    /** A refresh: one store. */
    public void setDeadlineNanos(int permission, long deadlineNanos) {
        rows.setDeadlineNanos(permission, deadlineNanos);
    }

    public Allocation allocation(int permission) {
        return allocation[permission];
    }

    public long peerHi(int permission) {
        return hi[permission];
    }

    public long peerLo(int permission) {
        return lo[permission];
    }

    public int flags(int permission) {
        return flagsAndBindings[permission] & (1 << FLAG_BITS) - 1;
    }

    /** Channel bindings to this peer; while there is one the entry must not be removed. */
    public int bindingCount(int permission) {
        return flagsAndBindings[permission] >>> FLAG_BITS;
    }

    void addToBindingCount(int permission, int amount) {
        flagsAndBindings[permission] += amount << FLAG_BITS;
    }

    /** First permission of an allocation, {@link #NONE} at the end. */
    public int first(Allocation allocation) {
        return allocation.firstPermission;
    }

    public int next(int permission) {
        return next[permission];
    }

    /**
     * Removes it, and what its peer registered on a shared socket. Constant time, but for those.
     *
     * @throws IllegalStateException where a channel is bound to its peer
     */
    public void remove(int permission) {
        if (bindingCount(permission) != 0) {
            throw new IllegalStateException("a channel is bound to the peer of this permission");
        }
        Allocation owner = allocation[permission];
        if (owner.sharedPeerCount != 0) {
            sharedPeers.removeOf(owner, hi[permission], lo[permission]);
        }
        index.remove(permission);
        rows.remove(permission);
        int before = previous[permission];
        int behind = next[permission];
        if (before == NONE) {
            owner.firstPermission = behind;
        } else {
            next[before] = behind;
        }
        if (behind != NONE) {
            previous[behind] = before;
        }
        owner.permissionCount--;
        allocation[permission] = null;
    }

    /** The dense array; rows 0 to {@code size() - 1} count. Removing fills the row with the last one: walk downwards. */
    public long[] deadlines() {
        return rows.deadlines();
    }

    public int handleAt(int row) {
        return rows.handleAt(row);
    }

    private int hash(int handle) {
        return KeyHash.of(hi[handle], lo[handle], allocation[handle].number());
    }

    private void grow() {
        int capacity = DeadlineRows.grown(allocation.length);
        rows.grow(capacity);
        allocation = Arrays.copyOf(allocation, capacity);
        hi = Arrays.copyOf(hi, capacity);
        lo = Arrays.copyOf(lo, capacity);
        flagsAndBindings = Arrays.copyOf(flagsAndBindings, capacity);
        next = Arrays.copyOf(next, capacity);
        previous = Arrays.copyOf(previous, capacity);
        index.reset(capacity);
        for (int row = 0; row < rows.size(); row++) {
            index.put(rows.handleAt(row));
        }
    }
}
