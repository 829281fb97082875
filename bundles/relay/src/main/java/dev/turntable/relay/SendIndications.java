package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.Permissions;
import dev.turntable.state.Worker;

/** Send indications (RFC 8656 §11.2): relayed or silently discarded. Hot path: as {@link PeerPath}. */
final class SendIndications {
    private final PeerPermissions peerPermissions;
    private final PeerPath peerPath;
    private final Discards discards;

    SendIndications(PeerPermissions peerPermissions, PeerPath peerPath, Discards discards) {
        this.peerPermissions = peerPermissions;
        this.peerPath = peerPath;
        this.discards = discards;
    }

    /** Handles the indication on the desk. */
    void handle(Desk desk, ClientPath path, Allocation allocation, Packet packet, RelayConfiguration configuration) {
        StunMessage message = desk.message;
        TransportAddress peer = desk.peer;
        Worker worker = desk.worker;
        if (allocation == null) {
            worker.drops().add(discards.noAllocation);
            return;
        }
        if (allocation.relaysTcp()) {
            worker.drops().add(discards.tcpAllocation);
            return;
        }
        if (message.unknownRequired(KnownAttributes.SET, desk.unknownTypes) > 0) {
            worker.drops().add(discards.unknownAttribute);
            return;
        }
        int peerIndex = message.indexOf(AttributeType.XOR_PEER_ADDRESS);
        int dataIndex = message.indexOf(AttributeType.DATA);
        if (peerIndex < 0 || dataIndex < 0 || !message.xorAddress(peerIndex, peer) || peer.port() == 0) {
            worker.drops().add(discards.sendIncomplete);
            return;
        }
        if (message.has(AttributeType.DONT_FRAGMENT) && DontFragment.counts(path, !peer.isIPv4())) {
            worker.drops().add(discards.dontFragment);
            return;
        }
        if (peer.mappedOnWire()) {
            worker.drops().add(discards.peerForbidden);
            return;
        }
        Permissions permissions = worker.permissions();
        int permission = permissions.find(allocation, peer.hi(), peer.lo());
        if (permission == Permissions.NONE) {
            worker.drops().add(discards.noPermission);
            return;
        }
        if (permissions.deadlineNanos(permission) <= worker.now()) {
            worker.drops().add(discards.permissionExpired);
            return;
        }
        if (!peerPermissions.claim(worker, allocation, peer, configuration)) {
            worker.drops().add(discards.sharedPeerTaken);
            return;
        }
        int offset = message.valueOffset(dataIndex) - packet.start();
        peerPath.send(desk, allocation, permission, packet, offset, message.valueLength(dataIndex));
    }
}
