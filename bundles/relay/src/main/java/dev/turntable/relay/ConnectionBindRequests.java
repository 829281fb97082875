package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.StunMessage;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.PeerConnection;
import dev.turntable.state.PeerConnections;
import dev.turntable.state.ServerState;

/** ConnectionBind requests (RFC 6062 §5.4): a client's new connection becomes one half of a relayed one. */
final class ConnectionBindRequests {
    /** Whether the connection that it names is another worker's, and the client's has gone there; this is judged there. */
    boolean belongsElsewhere(Desk desk, ClientPath path) {
        int index = idIndex(desk.message);
        if (index < 0) {
            return false;
        }
        ServerState server = desk.worker.server();
        int worker = PeerConnections.workerOf((int) desk.message.uint32(index));
        return worker != desk.worker.index() && worker < server.workerCount() && path.moveTo(server.worker(worker));
    }

    /** The connection that it names, where it waits to be bound; else null. */
    PeerConnection find(Desk desk) {
        int index = idIndex(desk.message);
        PeerConnection named = index < 0 ? null : desk.worker.peerConnections().byId((int) desk.message.uint32(index));
        boolean waits = named != null
                && named.phase() == PeerConnection.Phase.UNBOUND
                && named.deadlineNanos() > desk.worker.now();
        return waits ? named : null;
    }

    /**
     * Judges the request on the desk.
     *
     * @param present the allocation on the five-tuple that it came on, or null
     * @param connection what {@link #find} has found
     */
    Reply handle(Desk desk, ClientPath path, Allocation present, PeerConnection connection, Authentication.Passed by) {
        int unknown = desk.message.unknownRequired(KnownAttributes.SET, desk.unknownTypes);
        if (unknown > 0) {
            return new Reply.UnknownAttributes(desk.unknownTypes, unknown);
        }
        if (connection == null
                || connection.allocation().isEnded()
                || present != null
                || !path.transport().isStream()) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        return connection.allocation().username().equals(by.username())
                ? new Reply.Bound(connection)
                : Reply.error(ErrorCode.WRONG_CREDENTIALS);
    }

    private static int idIndex(StunMessage message) {
        int index = message.indexOf(AttributeType.CONNECTION_ID);
        return index >= 0 && message.valueLength(index) == Integer.BYTES ? index : -1;
    }
}
