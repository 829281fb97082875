package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ChannelData;
import dev.turntable.codec.DataIndication;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.MessageType;
import dev.turntable.codec.Method;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.ChannelBindings;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.Permissions;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.Worker;

/**
 * What peers send to relayed transport addresses: datagrams (RFC 8656 §11.3, §12.7) and ICMP errors (§11.5). Hot path: no boxing,
 * streams, string building, lambdas, locks; nothing is allocated for a datagram. Data refreshes nothing.
 */
final class PeerDatagrams {
    private static final int DATA_INDICATION = MessageType.type(Method.DATA, MessageClass.INDICATION);

    private final ExternalAddresses externalAddresses;
    private final Discards discards;

    PeerDatagrams(ExternalAddresses externalAddresses, Discards discards) {
        this.externalAddresses = externalAddresses;
        this.discards = discards;
    }

    /** A datagram from {@code hi}, {@code lo}, {@code port}. */
    void handle(Desk desk, RelayedSocket socket, long hi, long lo, int port, Packet packet) {
        desk.peer.set(hi, lo, port);
        externalAddresses.toExternal(desk.peer);
        Allocation allocation = allocation(desk, socket);
        if (allocation == null) {
            return;
        }
        int permission = permission(desk, allocation, port);
        if (permission == Permissions.NONE) {
            return;
        }
        int binding = binding(desk, allocation, permission);
        if (binding == ChannelBindings.NONE) {
            sendDataIndication(desk, allocation, packet);
        } else {
            sendChannelData(desk, allocation, desk.worker.channelBindings().channelNumber(binding), packet);
        }
    }

    /** An ICMP error to a datagram that went to {@code hi}, {@code lo}, {@code port}. */
    void handleIcmp(Desk desk, RelayedSocket socket, long hi, long lo, int port, int type, int code, int data) {
        desk.peer.set(hi, lo, port);
        externalAddresses.toExternal(desk.peer);
        boolean ipv4 = desk.peer.isIPv4();
        boolean relayable = ipv4 ? type == 3 || type == 11 : type >= 1 && type <= 3;
        if (!relayable) {
            desk.worker.drops().add(discards.icmpType);
            return;
        }
        Allocation allocation = allocation(desk, socket);
        if (allocation == null || permission(desk, allocation, port) == Permissions.NONE) {
            return;
        }
        boolean hasMtu = ipv4 ? type == 3 && code == 4 : type == 2;
        desk.writer
                .begin(
                        desk.answer.clear(),
                        0,
                        DATA_INDICATION,
                        (int) desk.transactionIds.nextLong(),
                        desk.transactionIds.nextLong())
                .xorAddress(AttributeType.XOR_PEER_ADDRESS, desk.peer)
                .icmp(type, code, hasMtu ? data : 0);
        desk.answer.limit(desk.writer.finish());
        allocation.path().send(desk.answer);
    }

    /** The live allocation that hears the peer on the socket; null after a counted discard. */
    private Allocation allocation(Desk desk, RelayedSocket socket) {
        Worker worker = desk.worker;
        TransportAddress peer = desk.peer;
        Allocation allocation = socket.allocation();
        if (allocation == null) {
            allocation = worker.sharedPeers().find(socket, peer.hi(), peer.lo(), peer.port());
            if (allocation == null) {
                worker.drops().add(discards.sharedPeerUnknown);
                return null;
            }
        }
        if (allocation.deadlineNanos(!peer.isIPv4()) <= worker.now()) {
            worker.drops().add(discards.allocationExpired);
            return null;
        }
        return allocation;
    }

    /** The permission that lets the peer through; {@link Permissions#NONE} after a counted discard. */
    private int permission(Desk desk, Allocation allocation, int port) {
        Worker worker = desk.worker;
        Permissions permissions = worker.permissions();
        int permission = permissions.find(allocation, desk.peer.hi(), desk.peer.lo());
        if (permission == Permissions.NONE) {
            worker.drops().add(discards.noPermission);
            return Permissions.NONE;
        }
        if (permissions.deadlineNanos(permission) <= worker.now()) {
            worker.drops().add(discards.permissionExpired);
            return Permissions.NONE;
        }
        if ((permissions.flags(permission) & Permissions.OWN_RELAYED_PORTS_ONLY) != 0
                && !worker.server().ports().isLive(!desk.peer.isIPv4(), port)) {
            worker.drops().add(discards.peerForbidden);
            return Permissions.NONE;
        }
        return permission;
    }

    /** The channel bound to the peer now, or none. */
    private static int binding(Desk desk, Allocation allocation, int permission) {
        Worker worker = desk.worker;
        if (worker.permissions().bindingCount(permission) == 0) {
            return ChannelBindings.NONE;
        }
        ChannelBindings bindings = worker.channelBindings();
        int binding = bindings.byPeer(allocation, desk.peer.hi(), desk.peer.lo(), desk.peer.port());
        return binding != ChannelBindings.NONE && bindings.deadlineNanos(binding) > worker.now()
                ? binding
                : ChannelBindings.NONE;
    }

    private static void sendChannelData(Desk desk, Allocation allocation, int number, Packet packet) {
        ClientPath path = allocation.path();
        int length = packet.length();
        ChannelData.writeHeader(desk.header.clear(), 0, number, length);
        // RFC 8656 §12.5: streams need the padding; over UDP some clients hand it on as data.
        int padding = path.transport().isStream() ? -length & 3 : 0;
        if (path.send(desk.header(ChannelData.HEADER_LENGTH), packet, 0, length, padding)) {
            allocation.countToClient(length);
        }
    }

    private void sendDataIndication(Desk desk, Allocation allocation, Packet packet) {
        int length = packet.length();
        int headerLength = DataIndication.writeHeader(
                desk.header.clear(),
                0,
                (int) desk.transactionIds.nextLong(),
                desk.transactionIds.nextLong(),
                desk.peer.hi(),
                desk.peer.lo(),
                desk.peer.port(),
                length);
        if (headerLength < 0) {
            desk.worker.drops().add(discards.payloadTooLong);
            return;
        }
        int padding = DataIndication.padding(length);
        if (allocation.path().send(desk.header(headerLength), packet, 0, length, padding)) {
            allocation.countToClient(length);
        }
    }
}
