package dev.turntable.state;

/**
 * One event loop's part of the platter: its clock, its tables, its counters. All methods on the loop's thread, unless one says
 * otherwise. Stores, counts, closes; decides nothing.
 */
public final class Worker {
    /** Index, 0 to {@code workerCount - 1}. Any thread. */
    public int index() {
        throw new UnsupportedOperationException();
    }

    public ServerState server() {
        throw new UnsupportedOperationException();
    }

    /** The loop that transport attached; null before. Any thread. */
    public WorkerLoop loop() {
        throw new UnsupportedOperationException();
    }

    /** Transport gives the worker its loop, once for each start of transport. Any thread. */
    public void attach(WorkerLoop loop) {
        throw new UnsupportedOperationException();
    }

    /** Ends all its allocations and forgets the loop; transport stops. On the loop. */
    public void detach() {
        throw new UnsupportedOperationException();
    }

    /** Cached time of the current read batch, in the time of {@link ServerState#nanos()}. */
    public long now() {
        throw new UnsupportedOperationException();
    }

    /** Reads the clock; once for each read batch and before each sweep. */
    public long renewClock() {
        throw new UnsupportedOperationException();
    }

    public Allocations allocations() {
        throw new UnsupportedOperationException();
    }

    public Permissions permissions() {
        throw new UnsupportedOperationException();
    }

    public ChannelBindings channelBindings() {
        throw new UnsupportedOperationException();
    }

    public SharedPeers sharedPeers() {
        throw new UnsupportedOperationException();
    }

    public WaitingRequests waitingRequests() {
        throw new UnsupportedOperationException();
    }

    public Drops drops() {
        throw new UnsupportedOperationException();
    }

    public SweepStatistics sweepStatistics() {
        throw new UnsupportedOperationException();
    }

    /**
     * The one teardown: closes relayed sockets, frees ports, the user's count, permissions, channel bindings, shared peers, and tells
     * the path. Does nothing the second time. Works without an engine.
     */
    public void delete(Allocation allocation, ReapReason reason) {
        throw new UnsupportedOperationException();
    }

    /** Ends one relayed address of an allocation, with its permissions of that family; with the last one the allocation ends. */
    public void deleteRelayed(Allocation allocation, boolean ipv6, ReapReason reason) {
        throw new UnsupportedOperationException();
    }

    /**
     * A slice of the sweep: renews the clock, ends waits that are over, and lets the current engine reap. Transport calls it once a
     * second, and again between packets for as long as it returns true.
     */
    public boolean sweep() {
        throw new UnsupportedOperationException();
    }
}
