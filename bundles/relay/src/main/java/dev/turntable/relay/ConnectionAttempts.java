package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.MessageType;
import dev.turntable.codec.Method;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.PeerConnection;
import dev.turntable.state.PeerConnections;
import dev.turntable.state.Permissions;
import dev.turntable.state.RelayedConnection;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.Worker;

/** Connections that peers make to relayed transport addresses (RFC 6062 §5.3): told to the client, or closed at once. */
final class ConnectionAttempts {
    private static final int CONNECTION_ATTEMPT = MessageType.type(Method.CONNECTION_ATTEMPT, MessageClass.INDICATION);
    private static final int ADMITTED = -1;

    private final PeerPermissions peerPermissions;
    private final ExternalAddresses externalAddresses;
    private final Discards discards;

    ConnectionAttempts(PeerPermissions peerPermissions, ExternalAddresses externalAddresses, Discards discards) {
        this.peerPermissions = peerPermissions;
        this.externalAddresses = externalAddresses;
        this.discards = discards;
    }

    void handle(
            Desk desk,
            RelayedSocket listener,
            long hi,
            long lo,
            int port,
            RelayedConnection connection,
            RelayConfiguration configuration) {
        Worker worker = desk.worker;
        TransportAddress peer = desk.peer;
        peer.set(hi, lo, port);
        externalAddresses.listenerToExternal(peer);
        Allocation allocation = listener.allocation();
        int discard = discard(worker, allocation, peer, configuration);
        if (discard != ADMITTED) {
            worker.drops().add(discard);
            connection.close();
            return;
        }
        PeerConnections connections = worker.peerConnections();
        PeerConnection row = connections.add(
                allocation, peer.hi(), peer.lo(), peer.port(), connection, ConnectRequests.deadlineNanos(worker));
        if (!tell(desk, row)) {
            connections.remove(row);
        }
    }

    private int discard(Worker worker, Allocation allocation, TransportAddress peer, RelayConfiguration configuration) {
        if (allocation.deadlineNanos(!peer.isIPv4()) <= worker.now()) {
            return discards.allocationExpired;
        }
        Permissions permissions = worker.permissions();
        int permission = permissions.find(allocation, peer.hi(), peer.lo());
        if (permission == Permissions.NONE) {
            return discards.noPermission;
        }
        if (permissions.deadlineNanos(permission) <= worker.now()) {
            return discards.permissionExpired;
        }
        // The rules may have changed since the permission was installed, and a connection stays.
        if (peerPermissions.objection(allocation, peer, configuration) != PeerPermissions.FINE
                || peerPermissions.isClosedTo(worker, peer, configuration)) {
            return discards.peerForbidden;
        }
        boolean known = worker.peerConnections().byPeer(allocation, peer.hi(), peer.lo(), peer.port()) != null;
        return known || allocation.connectionCount() >= configuration.connectionsPerAllocation()
                ? discards.peerConnectionsFull
                : ADMITTED;
    }

    private static boolean tell(Desk desk, PeerConnection row) {
        desk.writer
                .begin(
                        desk.answer.clear(),
                        0,
                        CONNECTION_ATTEMPT,
                        (int) desk.transactionIds.nextLong(),
                        desk.transactionIds.nextLong())
                .xorAddress(AttributeType.XOR_PEER_ADDRESS, row.peerHi(), row.peerLo(), row.peerPort())
                .uint32(AttributeType.CONNECTION_ID, row.id() & 0xFFFF_FFFFL);
        desk.answer.limit(desk.writer.finish());
        return row.allocation().path().send(desk.answer);
    }
}
