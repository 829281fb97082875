package dev.turntable.state;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One event loop's part of the platter: its clock, its tables, its counters. All methods on the loop's thread, unless one says
 * otherwise. Stores, counts, closes; decides nothing.
 */
public final class Worker {
    private static final Logger LOGGER = LoggerFactory.getLogger(Worker.class);
    /** Of a table that nobody has used yet, in entries. */
    private static final int FIRST_CAPACITY = 64;

    private final int index;
    private final ServerState server;
    private final Allocations allocations;
    private final SharedPeers sharedPeers;
    private final Permissions permissions;
    private final ChannelBindings channelBindings;
    private final PeerConnections peerConnections;
    private final WaitingRequests waitingRequests;
    private final Drops drops = new Drops();
    private final WorkerTotals totals = new WorkerTotals();
    private final DatagramBatches datagramBatches = new DatagramBatches();
    private final SweepStatistics sweepStatistics = new SweepStatistics();
    private final RareLog troubles;
    private volatile WorkerLoop loop;
    private long now;

    Worker(int index, ServerState server) {
        this.index = index;
        this.server = server;
        allocations = new Allocations(FIRST_CAPACITY, this);
        sharedPeers = new SharedPeers(FIRST_CAPACITY);
        permissions = new Permissions(FIRST_CAPACITY, sharedPeers);
        channelBindings = new ChannelBindings(FIRST_CAPACITY, permissions);
        peerConnections = new PeerConnections(this);
        waitingRequests = new WaitingRequests(this);
        troubles = new RareLog(LOGGER);
    }

    /** Index, 0 to {@code workerCount - 1}. Any thread. */
    public int index() {
        return index;
    }

    /** Any thread. */
    public ServerState server() {
        return server;
    }

    /** The loop that transport attached; null before. Any thread. */
    public WorkerLoop loop() {
        return loop;
    }

    /** Transport gives the worker its loop, once for each start of transport. While there is no engine it starts paused. Any thread. */
    public void attach(WorkerLoop loop) {
        server.engineSlot().attach(this, loop);
    }

    void setLoop(WorkerLoop loop) {
        this.loop = loop;
    }

    /** Ends all its allocations and forgets the loop; transport stops. On the loop. */
    public void detach() {
        for (Allocation allocation : allocations.toArray()) {
            delete(allocation, ReapReason.SHUTDOWN);
        }
        waitingRequests.clear();
        loop = null;
    }

    /** Cached time of the current read batch, in the time of {@link ServerState#nanos()}. */
    public long now() {
        return now;
    }

    /** Reads the clock; once for each read batch and before each sweep. */
    public long renewClock() {
        now = server.nanos();
        return now;
    }

    public Allocations allocations() {
        return allocations;
    }

    public Permissions permissions() {
        return permissions;
    }

    public ChannelBindings channelBindings() {
        return channelBindings;
    }

    public SharedPeers sharedPeers() {
        return sharedPeers;
    }

    /** Of TCP allocations (RFC 6062). */
    public PeerConnections peerConnections() {
        return peerConnections;
    }

    public WaitingRequests waitingRequests() {
        return waitingRequests;
    }

    /** Any thread. */
    public Drops drops() {
        return drops;
    }

    /** Any thread. */
    public SweepStatistics sweepStatistics() {
        return sweepStatistics;
    }

    /** Any thread may keep it. */
    public DatagramBatches datagramBatches() {
        return datagramBatches;
    }

    WorkerTotals totals() {
        return totals;
    }

    /**
     * The one teardown: closes relayed sockets and connections to peers, frees ports, the user's count, permissions, channel bindings,
     * shared peers, and tells the path. Does nothing the second time. Works without an engine. What fails on the way is logged and does not stop the rest.
     */
    public void delete(Allocation allocation, ReapReason reason) {
        if (allocation.isEnded()) {
            return;
        }
        allocation.end();
        allocations.remove(allocation);
        // All of them first: each permission that is removed looks at those that are there.
        sharedPeers.removeOf(allocation);
        endRelayed(allocation, false);
        endRelayed(allocation, true);
        server.userCounts().free(allocation.username());
        totals.countEnded(reason);
        try {
            allocation.path().allocationEnded();
        } catch (RuntimeException e) {
            troubles.warn(now, "allocation {}: its client's path did not take its end", allocation.id(), e);
        }
    }

    /**
     * Ends one relayed address of an allocation, with its permissions of that family; with the last one the allocation ends. Nothing
     * where there is no such address.
     */
    public void deleteRelayed(Allocation allocation, boolean ipv6, ReapReason reason) {
        if (allocation.relayed(ipv6) == null) {
            return;
        }
        if (allocation.relayed(!ipv6) == null) {
            delete(allocation, reason);
        } else {
            endRelayed(allocation, ipv6);
        }
    }

    private void endRelayed(Allocation allocation, boolean ipv6) {
        for (int binding = allocation.firstBinding; binding != ChannelBindings.NONE; ) {
            int following = channelBindings.next(binding);
            if (isOf(ipv6, channelBindings.permission(binding))) {
                channelBindings.remove(binding);
            }
            binding = following;
        }
        sharedPeers.removeOf(allocation, ipv6);
        for (int permission = allocation.firstPermission; permission != Permissions.NONE; ) {
            int following = permissions.next(permission);
            if (isOf(ipv6, permission)) {
                permissions.remove(permission);
            }
            permission = following;
        }
        peerConnections.removeOf(allocation, ipv6);
        RelayedSocket socket = allocation.relayed(ipv6);
        if (socket != null) {
            int port = allocation.relayedPort(ipv6);
            allocations.removeRelayed(allocation, ipv6);
            if (allocation.onSharedSockets) {
                if (sharedPeers.addToLoad(socket, -1) == 0) {
                    server.ports().setLive(ipv6, port, false, false);
                }
            } else {
                close(allocation, socket);
                server.ports().setLive(ipv6, port, allocation.relaysTcp(), false);
                server.ports().free(ipv6, port);
            }
        }
    }

    private boolean isOf(boolean ipv6, int permission) {
        return AddressBits.isIPv6(permissions.peerHi(permission), permissions.peerLo(permission)) == ipv6;
    }

    private void close(Allocation allocation, RelayedSocket socket) {
        try {
            socket.close();
        } catch (RuntimeException e) {
            troubles.warn(now, "allocation {}: its relayed socket did not close", allocation.id(), e);
        }
    }

    /**
     * A slice of the sweep: renews the clock, ends waits that are over, and lets the current engine reap. Transport calls it once a
     * second, and again between packets for as long as it returns true.
     */
    public boolean sweep() {
        renewClock();
        try {
            waitingRequests.expire();
            RelayEngine engine = server.engineSlot().current();
            if (engine == null) {
                server.engineSlot().warnOfAbsence(now);
                return false;
            }
            return engine.sweep(this);
        } catch (RuntimeException | LinkageError e) {
            troubles.warn(now, "worker {}: the sweep failed and goes on in a second", index, e);
            return false;
        }
    }
}
