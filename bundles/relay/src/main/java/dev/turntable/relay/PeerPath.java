package dev.turntable.relay;

import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.Packet;
import dev.turntable.state.Permissions;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.Worker;

/**
 * The last steps of a datagram to a peer, the same for ChannelData and Send (RFC 8656 §11.2, §12.6). Hot path: no boxing, streams, string
 * building, lambdas, locks; nothing is allocated. Data refreshes nothing.
 */
final class PeerPath {
    private final ExternalAddresses externalAddresses;
    private final Discards discards;

    PeerPath(ExternalAddresses externalAddresses, Discards discards) {
        this.externalAddresses = externalAddresses;
        this.discards = discards;
    }

    /**
     * Sends a range of the packet to {@code desk.peer}, as the client knows it, by a permission that is not expired.
     *
     * @param permission handle of the permission for the peer's IP address
     */
    void send(Desk desk, Allocation allocation, int permission, Packet packet, int offset, int length) {
        Worker worker = desk.worker;
        TransportAddress peer = desk.peer;
        boolean ipv6 = !peer.isIPv4();
        RelayedSocket socket = allocation.relayed(ipv6);
        if (socket == null) {
            worker.drops().add(discards.peerFamily);
            return;
        }
        if (allocation.deadlineNanos(ipv6) <= worker.now()) {
            worker.drops().add(discards.allocationExpired);
            return;
        }
        if ((worker.permissions().flags(permission) & Permissions.OWN_RELAYED_PORTS_ONLY) != 0
                && !worker.server().ports().isLive(ipv6, peer.port())) {
            worker.drops().add(discards.peerForbidden);
            return;
        }
        externalAddresses.toLocal(peer);
        if (socket.send(peer.hi(), peer.lo(), peer.port(), packet, offset, length)) {
            allocation.countToPeer(length);
        }
    }
}
