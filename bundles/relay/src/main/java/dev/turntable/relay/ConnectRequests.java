package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.TransportAddress;
import dev.turntable.codec.Verdict;
import dev.turntable.state.Allocation;
import dev.turntable.state.Packet;
import dev.turntable.state.PeerConnection;
import dev.turntable.state.PeerConnections;
import dev.turntable.state.Worker;
import java.net.InetSocketAddress;

/**
 * Connect requests (RFC 6062 §5.2): a TCP connection from the relayed transport address to a peer. It needs no permission, as the client
 * asks for it; the rules for peers hold.
 */
final class ConnectRequests {
    /** How long a peer may take, and how long the client has to bind the connection (RFC 6062 §5.2, §5.3). */
    static final int LIMIT_SECONDS = 30;

    private final PeerPermissions peerPermissions;
    private final ExternalAddresses externalAddresses;
    private final Replies replies;

    ConnectRequests(PeerPermissions peerPermissions, ExternalAddresses externalAddresses, Replies replies) {
        this.peerPermissions = peerPermissions;
        this.externalAddresses = externalAddresses;
        this.replies = replies;
    }

    /** @param packet the request on the desk */
    Reply handle(Desk desk, Allocation allocation, Packet packet, RelayConfiguration configuration) {
        StunMessage message = desk.message;
        TransportAddress peer = desk.peer;
        int peerIndex = message.indexOf(AttributeType.XOR_PEER_ADDRESS);
        if (!allocation.relaysTcp() || peerIndex < 0 || !message.xorAddress(peerIndex, peer) || peer.port() == 0) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        int objection = peerPermissions.objection(allocation, peer, configuration);
        if (objection != PeerPermissions.FINE) {
            return Reply.error(objection);
        }
        Worker worker = desk.worker;
        InetSocketAddress local = allocation.relayed(!peer.isIPv4()).localAddress();
        if (peerPermissions.isClosedListener(worker, peer, configuration) || isItself(peer, local)) {
            return Reply.error(ErrorCode.FORBIDDEN);
        }
        PeerConnections connections = worker.peerConnections();
        if (connections.byPeer(allocation, peer.hi(), peer.lo(), peer.port()) != null) {
            return Reply.error(ErrorCode.CONNECTION_ALREADY_EXISTS);
        }
        if (allocation.connectionCount() >= configuration.connectionsPerAllocation()) {
            return Reply.error(ErrorCode.INSUFFICIENT_CAPACITY);
        }
        PeerConnection row =
                connections.add(allocation, peer.hi(), peer.lo(), peer.port(), packet, deadlineNanos(worker));
        externalAddresses.toLocalListener(peer);
        row.connecting(worker.loop().connect(row, local, peer.hi(), peer.lo(), peer.port()));
        return Reply.LATER;
    }

    /** A socket that connects to its own address would talk to itself. */
    private boolean isItself(TransportAddress peer, InetSocketAddress local) {
        return externalAddresses.isOwn(peer.hi(), peer.lo()) && peer.port() == local.getPort();
    }

    /** The connect has come to something or nothing. */
    void ended(Desk desk, PeerConnection row, RelayConfiguration configuration) {
        if (row.phase() == PeerConnection.Phase.CONNECTED) {
            answer(desk, row, configuration, new Reply.Connected(row.id()));
            row.told(deadlineNanos(desk.worker));
        } else {
            fail(desk, row, configuration);
        }
    }

    /** Its deadline has passed. */
    void expired(Desk desk, PeerConnection row, RelayConfiguration configuration) {
        fail(desk, row, configuration);
    }

    private void fail(Desk desk, PeerConnection row, RelayConfiguration configuration) {
        if (row.request() != null) {
            answer(desk, row, configuration, Reply.error(ErrorCode.CONNECTION_TIMEOUT_OR_FAILURE));
        }
        desk.worker.peerConnections().remove(row);
    }

    private void answer(Desk desk, PeerConnection row, RelayConfiguration configuration, Reply reply) {
        StunMessage message = desk.message;
        Packet request = row.request();
        if (message.decode(request.memory(), request.start(), request.length()) != Verdict.OK) {
            throw new IllegalStateException("a request that was understood before");
        }
        try {
            Allocation allocation = row.allocation();
            boolean sha256 = message.has(AttributeType.MESSAGE_INTEGRITY_SHA256);
            replies.send(
                    desk,
                    allocation.path(),
                    configuration,
                    reply,
                    new Authentication.Passed(
                            allocation.username(),
                            allocation.realm(),
                            allocation.key(),
                            allocation.passwordAlgorithm(),
                            allocation.credentialExpiresAtEpochSecond(),
                            sha256));
        } finally {
            message.clear();
        }
    }

    static long deadlineNanos(Worker worker) {
        return Lifetimes.deadlineNanos(worker.now(), LIMIT_SECONDS);
    }
}
