package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.Permissions;

/** CreatePermission requests (RFC 8656 §10.2): all of the peers that are named, or none. */
final class CreatePermissionRequests {
    private static final int MALFORMED = -1;

    private final PeerPermissions peerPermissions;

    CreatePermissionRequests(PeerPermissions peerPermissions) {
        this.peerPermissions = peerPermissions;
    }

    Reply handle(Desk desk, Allocation allocation, RelayConfiguration configuration) {
        int count = readPeers(desk);
        if (count <= 0) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        for (int i = 0; i < count; i++) {
            int objection = peerPermissions.objection(allocation, desk.peers[i], configuration);
            if (objection != PeerPermissions.FINE) {
                return Reply.error(objection);
            }
        }
        if (!hasRoom(desk, allocation, count, configuration) || !claimAll(desk, allocation, count, configuration)) {
            return Reply.error(ErrorCode.INSUFFICIENT_CAPACITY);
        }
        for (int i = 0; i < count; i++) {
            peerPermissions.install(desk.worker, allocation, desk.peers[i], configuration);
        }
        return Reply.DONE;
    }

    /** How many peers the request names; {@link #MALFORMED} where one cannot be read. */
    private static int readPeers(Desk desk) {
        StunMessage message = desk.message;
        int count = 0;
        int index = message.indexOf(AttributeType.XOR_PEER_ADDRESS);
        while (index >= 0) {
            if (!message.xorAddress(index, desk.peers[count++])) {
                return MALFORMED;
            }
            index = message.indexOf(AttributeType.XOR_PEER_ADDRESS, index + 1);
        }
        return count;
    }

    private static boolean hasRoom(Desk desk, Allocation allocation, int count, RelayConfiguration configuration) {
        if (!PeerPermissions.fits(allocation, newOnes(desk, allocation, count), configuration)) {
            PeerPermissions.removeExpired(desk.worker, allocation);
        }
        // Counted again: one that has made room may be among those that the request names.
        return PeerPermissions.fits(allocation, newOnes(desk, allocation, count), configuration);
    }

    private static int newOnes(Desk desk, Allocation allocation, int count) {
        int newOnes = 0;
        for (int i = 0; i < count; i++) {
            TransportAddress peer = desk.peers[i];
            boolean there = desk.worker.permissions().find(allocation, peer.hi(), peer.lo()) != Permissions.NONE;
            if (!there && !isNamedBefore(desk.peers, i)) {
                newOnes++;
            }
        }
        return newOnes;
    }

    private static boolean isNamedBefore(TransportAddress[] peers, int index) {
        for (int i = 0; i < index; i++) {
            if (peers[i].hi() == peers[index].hi() && peers[i].lo() == peers[index].lo()) {
                return true;
            }
        }
        return false;
    }

    /** Whether the same address and port stands before it. */
    private static boolean isRepeated(TransportAddress[] peers, int index) {
        for (int i = 0; i < index; i++) {
            if (peers[i].equals(peers[index])) {
                return true;
            }
        }
        return false;
    }

    /** Looks at all before it takes one, so that a refusal leaves nothing behind that others could not have then. */
    private boolean claimAll(Desk desk, Allocation allocation, int count, RelayConfiguration configuration) {
        int newOnes = 0;
        for (int i = 0; i < count; i++) {
            if (peerPermissions.isTaken(desk.worker, allocation, desk.peers[i])) {
                return false;
            }
            if (peerPermissions.isUnclaimed(desk.worker, allocation, desk.peers[i]) && !isRepeated(desk.peers, i)) {
                newOnes++;
            }
        }
        if (newOnes > 0 && allocation.sharedPeerCount() + newOnes > configuration.sharedPeersPerAllocation()) {
            return false;
        }
        boolean claimed = true;
        for (int i = 0; i < count && claimed; i++) {
            claimed = peerPermissions.claim(desk.worker, allocation, desk.peers[i], configuration);
        }
        return claimed;
    }
}
