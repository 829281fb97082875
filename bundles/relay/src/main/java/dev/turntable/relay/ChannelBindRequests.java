package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ChannelData;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.ChannelBindings;
import dev.turntable.state.Permissions;
import dev.turntable.state.Worker;

/** ChannelBind requests (RFC 8656 §12.2). */
final class ChannelBindRequests {
    private final PeerPermissions peerPermissions;

    ChannelBindRequests(PeerPermissions peerPermissions) {
        this.peerPermissions = peerPermissions;
    }

    Reply handle(Desk desk, Allocation allocation, RelayConfiguration configuration) {
        StunMessage message = desk.message;
        TransportAddress peer = desk.peer;
        // Check 1: both attributes. A TCP allocation has no channels.
        int numberIndex = message.indexOf(AttributeType.CHANNEL_NUMBER);
        int peerIndex = message.indexOf(AttributeType.XOR_PEER_ADDRESS);
        if (allocation.relaysTcp()
                || numberIndex < 0
                || message.valueLength(numberIndex) != Integer.BYTES
                || peerIndex < 0
                || !message.xorAddress(peerIndex, peer)) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        // Check 2: the range.
        int number = (int) (message.uint32(numberIndex) >>> 16);
        if (number < ChannelData.MIN_CHANNEL || number > configuration.maxChannelNumber()) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        // Checks 3 and 4: neither is bound to another. One that has expired is not bound any more.
        Worker worker = desk.worker;
        ChannelBindings bindings = worker.channelBindings();
        int byNumber = bindings.byNumber(allocation, number);
        int byPeer = bindings.byPeer(allocation, peer.hi(), peer.lo(), peer.port());
        boolean same = byNumber == byPeer;
        if (!same && (isBound(worker, byNumber) || isBound(worker, byPeer))) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        int objection = peerPermissions.objection(allocation, peer, configuration);
        if (objection != PeerPermissions.FINE) {
            return Reply.error(objection);
        }
        if (peer.port() == 0) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        if (peerPermissions.isClosedPort(worker, peer, configuration)) {
            return Reply.error(ErrorCode.FORBIDDEN);
        }
        if (!same) {
            remove(bindings, byNumber);
            remove(bindings, byPeer);
            byNumber = ChannelBindings.NONE;
        }
        return bind(worker, allocation, peer, number, byNumber, configuration);
    }

    private Reply bind(
            Worker worker,
            Allocation allocation,
            TransportAddress peer,
            int number,
            int present,
            RelayConfiguration configuration) {
        ChannelBindings bindings = worker.channelBindings();
        boolean isNew = present == ChannelBindings.NONE;
        if ((isNew && !hasRoom(worker, allocation, configuration))
                || !hasRoomForPermission(worker, allocation, peer, configuration)
                || !peerPermissions.claim(worker, allocation, peer, configuration)) {
            return Reply.error(ErrorCode.INSUFFICIENT_CAPACITY);
        }
        int permission = peerPermissions.install(worker, allocation, peer, configuration);
        long deadline = Lifetimes.deadlineNanos(worker.now(), configuration.channelLifetimeSeconds());
        int binding = present;
        if (isNew) {
            binding = bindings.add(allocation, permission, peer.port(), number, deadline);
        } else {
            bindings.setDeadlineNanos(binding, deadline);
        }
        if (configuration.channelHoldsPermission()) {
            PeerPermissions.hold(worker, permission, binding);
        }
        return Reply.DONE;
    }

    private static boolean hasRoomForPermission(
            Worker worker, Allocation allocation, TransportAddress peer, RelayConfiguration configuration) {
        if (worker.permissions().find(allocation, peer.hi(), peer.lo()) != Permissions.NONE) {
            return true;
        }
        if (!PeerPermissions.fits(allocation, 1, configuration)) {
            PeerPermissions.removeExpired(worker, allocation);
        }
        return PeerPermissions.fits(allocation, 1, configuration);
    }

    private static boolean hasRoom(Worker worker, Allocation allocation, RelayConfiguration configuration) {
        if (allocation.channelBindingCount() >= configuration.channelsPerAllocation()) {
            removeExpired(worker, allocation);
        }
        return allocation.channelBindingCount() < configuration.channelsPerAllocation();
    }

    private static void removeExpired(Worker worker, Allocation allocation) {
        ChannelBindings bindings = worker.channelBindings();
        int binding = bindings.first(allocation);
        while (binding != ChannelBindings.NONE) {
            int next = bindings.next(binding);
            if (!isBound(worker, binding)) {
                bindings.remove(binding);
            }
            binding = next;
        }
    }

    private static boolean isBound(Worker worker, int binding) {
        return binding != ChannelBindings.NONE && worker.channelBindings().deadlineNanos(binding) > worker.now();
    }

    private static void remove(ChannelBindings bindings, int binding) {
        if (binding != ChannelBindings.NONE) {
            bindings.remove(binding);
        }
    }
}
