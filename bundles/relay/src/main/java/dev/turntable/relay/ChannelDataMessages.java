package dev.turntable.relay;

import dev.turntable.codec.ChannelData;
import dev.turntable.state.Allocation;
import dev.turntable.state.ChannelBindings;
import dev.turntable.state.Packet;
import dev.turntable.state.Permissions;
import dev.turntable.state.Worker;

/** ChannelData from a client (RFC 8656 §12.6). Hot path: as {@link PeerPath}. */
final class ChannelDataMessages {
    private final PeerPath peerPath;
    private final Discards discards;

    ChannelDataMessages(PeerPath peerPath, Discards discards) {
        this.peerPath = peerPath;
        this.discards = discards;
    }

    /** @param header the packet's first four bytes, of which the first is 64 to 127: which numbers are bound is ChannelBind's affair */
    void handle(Desk desk, Allocation allocation, Packet packet, int header) {
        Worker worker = desk.worker;
        if (allocation == null) {
            worker.drops().add(discards.noAllocation);
            return;
        }
        int number = header >>> 16;
        int length = header & 0xFFFF;
        // What is longer is padding (RFC 8656 §12.5), and stays behind.
        if (length > packet.length() - ChannelData.HEADER_LENGTH) {
            worker.drops().add(discards.channelDataTooShort);
            return;
        }
        ChannelBindings bindings = worker.channelBindings();
        int binding = bindings.byNumber(allocation, number);
        if (binding == ChannelBindings.NONE) {
            worker.drops().add(discards.noChannel);
            return;
        }
        if (bindings.deadlineNanos(binding) <= worker.now()) {
            worker.drops().add(discards.channelExpired);
            return;
        }
        Permissions permissions = worker.permissions();
        int permission = bindings.permission(binding);
        if (permissions.deadlineNanos(permission) <= worker.now()) {
            worker.drops().add(discards.permissionExpired);
            return;
        }
        desk.peer.set(permissions.peerHi(permission), permissions.peerLo(permission), bindings.peerPort(binding));
        peerPath.send(desk, allocation, permission, packet, ChannelData.HEADER_LENGTH, length);
    }
}
