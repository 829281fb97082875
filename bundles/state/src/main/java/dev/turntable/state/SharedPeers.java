package dev.turntable.state;

import java.util.Arrays;

/**
 * Who hears a peer on a shared socket: peer endpoints by socket, address and port, each of one allocation (multiplex-peer mode). The
 * worker's thread alone. Called for each packet.
 */
public final class SharedPeers {
    /** What came of a claim. */
    public enum Claim {
        /** It is this allocation's, now or already. */
        OWN,
        /** Another allocation of the same socket has it. */
        TAKEN,
        /** The allocation has as many as it may have. */
        FULL
    }

    private static final int NONE = -1;

    private final HandleIndex index;
    private Allocation[] allocation;
    private long[] hi;
    private long[] lo;
    private char[] port;
    /** Next endpoint of the allocation, or next free handle. */
    private int[] next;

    private int[] previous;
    private int size;
    private int handlesMade;
    private int firstFree = NONE;

    private RelayedSocket[] sockets = {};
    /** Relayed addresses on the socket of the same place. */
    private int[] loads = {};

    SharedPeers(int capacity) {
        index = new HandleIndex(capacity, this::hash);
        allocation = new Allocation[capacity];
        hi = new long[capacity];
        lo = new long[capacity];
        port = new char[capacity];
        next = new int[capacity];
        previous = new int[capacity];
    }

    /** The shared socket with the fewest allocations, or null before transport has bound them. */
    public RelayedSocket leastLoaded(boolean ipv6) {
        int least = NONE;
        for (int i = 0; i < sockets.length; i++) {
            if (AddressBits.isIPv6(sockets[i].localAddress().getAddress()) == ipv6
                    && (least == NONE || loads[i] < loads[least])) {
                least = i;
            }
        }
        return least == NONE ? null : sockets[least];
    }

    /** Transport adds a socket that it bound. */
    public void addSocket(RelayedSocket socket) {
        sockets = Arrays.copyOf(sockets, sockets.length + 1);
        loads = Arrays.copyOf(loads, sockets.length);
        sockets[sockets.length - 1] = socket;
    }

    /** Transport takes one away; no allocation uses it any more. */
    public void removeSocket(RelayedSocket socket) {
        int place = placeOf(socket);
        if (place == NONE) {
            return;
        }
        int last = sockets.length - 1;
        sockets[place] = sockets[last];
        loads[place] = loads[last];
        sockets = Arrays.copyOf(sockets, last);
        loads = Arrays.copyOf(loads, last);
    }

    /** Counts a relayed address on the socket, or one less; returns how many there are now. */
    int addToLoad(RelayedSocket socket, int amount) {
        int place = placeOf(socket);
        return place == NONE ? 0 : (loads[place] += amount);
    }

    private int placeOf(RelayedSocket socket) {
        for (int i = 0; i < sockets.length; i++) {
            if (sockets[i] == socket) {
                return i;
            }
        }
        return NONE;
    }

    /** The allocation that a peer endpoint belongs to, or null. One hash probe. */
    public Allocation find(RelayedSocket socket, long hi, long lo, int port) {
        int handle = handleOf(socket, hi, lo, port);
        return handle == NONE ? null : allocation[handle];
    }

    private int handleOf(RelayedSocket socket, long hi, long lo, int port) {
        boolean ipv6 = AddressBits.isIPv6(hi, lo);
        int slot = index.home(KeyHash.of(hi, lo, port));
        int handle = index.at(slot);
        while (handle != NONE
                && !(this.lo[handle] == lo
                        && this.port[handle] == port
                        && this.hi[handle] == hi
                        && allocation[handle].relayed(ipv6) == socket)) {
            slot = index.after(slot);
            handle = index.at(slot);
        }
        return handle;
    }

    /**
     * Registers a peer endpoint for the allocation on its shared socket of that family. On a socket of its own there is nothing to
     * register.
     *
     * @param most endpoints that it may have
     */
    public Claim claim(Allocation allocation, long hi, long lo, int port, int most) {
        if (!allocation.onSharedSockets) {
            return Claim.OWN;
        }
        int present = handleOf(allocation.relayed(AddressBits.isIPv6(hi, lo)), hi, lo, port);
        if (present != NONE) {
            return this.allocation[present] == allocation ? Claim.OWN : Claim.TAKEN;
        }
        if (allocation.sharedPeerCount >= most) {
            return Claim.FULL;
        }
        add(allocation, hi, lo, port);
        return Claim.OWN;
    }

    public int size() {
        return size;
    }

    /** Forgets the endpoints of an allocation. */
    void removeOf(Allocation allocation) {
        while (allocation.firstSharedPeer != NONE) {
            remove(allocation.firstSharedPeer);
        }
    }

    /** Forgets the endpoints of an allocation at one IP address; costs the allocation's own endpoints. */
    void removeOf(Allocation allocation, long hi, long lo) {
        for (int handle = allocation.firstSharedPeer; handle != NONE; ) {
            int following = next[handle];
            if (this.lo[handle] == lo && this.hi[handle] == hi) {
                remove(handle);
            }
            handle = following;
        }
    }

    /** Forgets the endpoints of an allocation of one family; costs the allocation's own endpoints. */
    void removeOf(Allocation allocation, boolean ipv6) {
        for (int handle = allocation.firstSharedPeer; handle != NONE; ) {
            int following = next[handle];
            if (AddressBits.isIPv6(hi[handle], lo[handle]) == ipv6) {
                remove(handle);
            }
            handle = following;
        }
    }

    private void add(Allocation owner, long hi, long lo, int port) {
        if (size == allocation.length) {
            grow();
        }
        int handle = firstFree;
        if (handle == NONE) {
            handle = handlesMade++;
        } else {
            firstFree = next[handle];
        }
        size++;
        allocation[handle] = owner;
        this.hi[handle] = hi;
        this.lo[handle] = lo;
        this.port[handle] = (char) port;
        index.put(handle);
        int second = owner.firstSharedPeer;
        next[handle] = second;
        previous[handle] = NONE;
        if (second != NONE) {
            previous[second] = handle;
        }
        owner.firstSharedPeer = handle;
        owner.sharedPeerCount++;
    }

    private void remove(int handle) {
        Allocation owner = allocation[handle];
        index.remove(handle);
        int before = previous[handle];
        int behind = next[handle];
        if (before == NONE) {
            owner.firstSharedPeer = behind;
        } else {
            next[before] = behind;
        }
        if (behind != NONE) {
            previous[behind] = before;
        }
        owner.sharedPeerCount--;
        allocation[handle] = null;
        next[handle] = firstFree;
        firstFree = handle;
        size--;
    }

    /** The socket is no part of it: a peer endpoint is on as many sockets as a worker has, which are few. */
    private int hash(int handle) {
        return KeyHash.of(hi[handle], lo[handle], port[handle]);
    }

    private void grow() {
        int capacity = DeadlineRows.grown(allocation.length);
        allocation = Arrays.copyOf(allocation, capacity);
        hi = Arrays.copyOf(hi, capacity);
        lo = Arrays.copyOf(lo, capacity);
        port = Arrays.copyOf(port, capacity);
        next = Arrays.copyOf(next, capacity);
        previous = Arrays.copyOf(previous, capacity);
        index.reset(capacity);
        for (int handle = 0; handle < handlesMade; handle++) {
            if (allocation[handle] != null) {
                index.put(handle);
            }
        }
    }
}
