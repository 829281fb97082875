package dev.turntable.relay;

import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.Allocations;
import dev.turntable.state.ChannelBindings;
import dev.turntable.state.PeerConnection;
import dev.turntable.state.Permissions;
import dev.turntable.state.ReapReason;
import dev.turntable.state.ServerState;
import dev.turntable.state.SweepStatistics;
import dev.turntable.state.Worker;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reaps what has expired: a walk over the packed deadlines of the entries that exist, downwards, so that a removal, which fills its row
 * with the last one, brings up nothing that was not examined. Channel bindings come first, because a permission stays as long as a
 * binding refers to it, then permissions, connections to peers, allocations, reservations. A slice ends when its time budget is used up; where the
 * pass stands is in the state, so another engine may go on with it.
 */
final class ExpirySweep {
    private static final Logger LOG = LoggerFactory.getLogger(ExpirySweep.class);

    /** Rows between two looks at the clock. */
    private static final int CHUNK = 1_024;

    /** What reaping costs, in rows examined: tables alone, and with sockets to close. */
    private static final int REAP_COST = 64;

    private static final int REAP_ALLOCATION_COST = CHUNK;

    // Tables, as the cursor names them.
    private static final int NO_TABLE = 0;
    private static final int CHANNEL_BINDINGS = 1;
    private static final int PERMISSIONS = 2;
    private static final int PEER_CONNECTIONS = 3;
    private static final int ALLOCATIONS = 4;
    private static final int RESERVATIONS = 5;

    private final ServerState server;
    private final ConnectRequests connectRequests;

    ExpirySweep(ServerState server, ConnectRequests connectRequests) {
        this.server = server;
        this.connectRequests = connectRequests;
    }

    /** A slice. Returns whether the pass has more to examine. */
    boolean slice(Desk desk, RelayConfiguration configuration) {
        Worker worker = desk.worker;
        SweepStatistics statistics = worker.sweepStatistics();
        long start = server.nanos();
        long end = start + TimeUnit.MICROSECONDS.toNanos(configuration.sweepBudgetMicros());
        int table = statistics.cursorTable();
        int row = statistics.cursorRow();
        if (table == NO_TABLE) {
            table = CHANNEL_BINDINGS;
            row = worker.channelBindings().size() - 1;
        }
        long examined = 0;
        boolean inTime = true;
        while (table != RESERVATIONS && inTime) {
            row = Math.min(row, rows(worker, table) - 1);
            if (row < 0) {
                table++;
                row = table == RESERVATIONS ? 0 : rows(worker, table) - 1;
            } else {
                int next = examine(desk, table, row, configuration);
                examined += row - next;
                row = next;
                inTime = server.nanos() < end;
            }
        }
        boolean more = table != RESERVATIONS;
        if (!more) {
            sweepReservations(worker);
        }
        statistics.setCursor(more ? table : NO_TABLE, more ? row : 0);
        statistics.countSlice(server.nanos() - start, examined);
        if (!more) {
            statistics.countPass();
        }
        return more;
    }

    /** Examines rows from this one down, for the cost of a chunk. Returns the next one to examine; -1 past the first. */
    private int examine(Desk desk, int table, int from, RelayConfiguration configuration) {
        Worker worker = desk.worker;
        long now = worker.now();
        int credit = CHUNK;
        int row = from;
        while (row >= 0 && credit > 0) {
            int expired = lastExpired(deadlines(worker, table), row, Math.max(row - credit, -1), now);
            credit -= row - expired;
            row = expired;
            if (credit > 0 && row >= 0) {
                credit -= table == PEER_CONNECTIONS
                        ? reapPeerConnection(desk, row, configuration)
                        : reap(worker, table, row, now);
                row--;
            }
        }
        return row;
    }

    /** The highest row not above {@code from} that has expired; {@code stop}, which is below it, where none has. */
    private static int lastExpired(long[] deadlines, int from, int stop, long now) {
        int row = from;
        while (row > stop && deadlines[row] > now) {
            row--;
        }
        return row;
    }

    private static int rows(Worker worker, int table) {
        return switch (table) {
            case CHANNEL_BINDINGS -> worker.channelBindings().size();
            case PERMISSIONS -> worker.permissions().size();
            case PEER_CONNECTIONS -> worker.peerConnections().size();
            default -> worker.allocations().rows();
        };
    }

    private static long[] deadlines(Worker worker, int table) {
        return switch (table) {
            case CHANNEL_BINDINGS -> worker.channelBindings().deadlines();
            case PERMISSIONS -> worker.permissions().deadlines();
            case PEER_CONNECTIONS -> worker.peerConnections().deadlines();
            default -> worker.allocations().deadlines();
        };
    }

    /** Reaps an expired row, and returns what it cost. */
    private static int reap(Worker worker, int table, int row, long now) {
        return switch (table) {
            case CHANNEL_BINDINGS -> reapChannelBinding(worker, row, now);
            case PERMISSIONS -> reapPermission(worker, row, now);
            default -> reapAllocation(worker, row, now);
        };
    }

    private static int reapChannelBinding(Worker worker, int row, long now) {
        ChannelBindings bindings = worker.channelBindings();
        int binding = bindings.handleAt(row);
        if (LOG.isDebugEnabled()) {
            Permissions permissions = worker.permissions();
            int permission = bindings.permission(binding);
            TransportAddress peer = new TransportAddress(
                    permissions.peerHi(permission), permissions.peerLo(permission), bindings.peerPort(binding));
            LOG.debug(
                    "allocation {}: channel binding 0x{} of peer {} expired",
                    bindings.allocation(binding).id(),
                    Integer.toHexString(bindings.channelNumber(binding)),
                    peer);
        }
        worker.sweepStatistics().countReapedChannelBinding(now - bindings.deadlineNanos(binding));
        bindings.remove(binding);
        return REAP_COST;
    }

    private static int reapPermission(Worker worker, int row, long now) {
        Permissions permissions = worker.permissions();
        int permission = permissions.handleAt(row);
        if (permissions.bindingCount(permission) > 0) {
            return 1;
        }
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "allocation {}: permission of peer {} expired",
                    permissions.allocation(permission).id(),
                    TransportAddress.toInetAddress(permissions.peerHi(permission), permissions.peerLo(permission))
                            .getHostAddress());
        }
        worker.sweepStatistics().countReapedPermission(now - permissions.deadlineNanos(permission));
        permissions.remove(permission);
        return REAP_COST;
    }

    /** A Connect that has taken too long is answered; a connection that nobody has bound is closed (RFC 6062 §5.2, §5.3). */
    private int reapPeerConnection(Desk desk, int row, RelayConfiguration configuration) {
        PeerConnection connection = desk.worker.peerConnections().connectionAt(row);
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "allocation {}: connection to peer {} expired, {}",
                    connection.allocation().id(),
                    new TransportAddress(connection.peerHi(), connection.peerLo(), connection.peerPort()),
                    connection.phase());
        }
        connectRequests.expired(desk, connection, configuration);
        return REAP_ALLOCATION_COST;
    }

    private static int reapAllocation(Worker worker, int row, long now) {
        Allocations allocations = worker.allocations();
        Allocation allocation = allocations.allocationAt(row);
        boolean ipv6 = allocations.isIPv6At(row);
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "allocation {}: relayed address {} expired",
                    allocation.id(),
                    allocation.relayed(ipv6).localAddress());
        }
        worker.sweepStatistics().countReapedAllocation(now - allocation.deadlineNanos(ipv6));
        worker.deleteRelayed(allocation, ipv6, ReapReason.EXPIRED);
        return REAP_ALLOCATION_COST;
    }

    /** Server-wide, so the first worker's work. */
    private void sweepReservations(Worker worker) {
        if (worker.index() == 0) {
            int reaped = server.reservations().sweep(worker.now());
            if (reaped > 0) {
                worker.sweepStatistics().countReapedReservations(reaped);
            }
        }
    }
}
