package dev.turntable.relay;

import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.Permissions;

/** CreatePermission requests (RFC 8656 §10.2): all of the peers that are named, or none. */
final class CreatePermissionRequests {
    private final PeerPermissions peerPermissions;

    CreatePermissionRequests(PeerPermissions peerPermissions) {
        this.peerPermissions = peerPermissions;
    }

    Reply handle(Desk desk, Allocation allocation, RelayConfiguration configuration) {
        NamedPeers peers = desk.peers;
        if (!peers.read(desk.message)) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        for (int i = 0; i < peers.count(); i++) {
            int objection = peerPermissions.objection(allocation, peers.get(i), configuration);
            if (objection != PeerPermissions.FINE) {
                return Reply.error(objection);
            }
        }
        if (!hasRoom(desk, allocation, configuration) || !claimAll(desk, allocation, configuration)) {
            return Reply.error(ErrorCode.INSUFFICIENT_CAPACITY);
        }
        for (int i = 0; i < peers.count(); i++) {
            peerPermissions.install(desk.worker, allocation, peers.get(i), configuration);
        }
        return Reply.DONE;
    }

    private static boolean hasRoom(Desk desk, Allocation allocation, RelayConfiguration configuration) {
        if (!PeerPermissions.fits(allocation, newOnes(desk, allocation), configuration)) {
            PeerPermissions.removeExpired(desk.worker, allocation);
        }
        // Counted again: one that has made room may be among those that the request names.
        return PeerPermissions.fits(allocation, newOnes(desk, allocation), configuration);
    }

    private static int newOnes(Desk desk, Allocation allocation) {
        NamedPeers peers = desk.peers;
        int newOnes = 0;
        peers.meetAnew();
        for (int i = 0; i < peers.count(); i++) {
            TransportAddress peer = peers.get(i);
            boolean there = desk.worker.permissions().find(allocation, peer.hi(), peer.lo()) != Permissions.NONE;
            if (!there && peers.meetAddress(i)) {
                newOnes++;
            }
        }
        return newOnes;
    }

    /** Looks at all before it takes one, so that a refusal leaves nothing behind that others could not have then. */
    private boolean claimAll(Desk desk, Allocation allocation, RelayConfiguration configuration) {
        NamedPeers peers = desk.peers;
        int newOnes = 0;
        peers.meetAnew();
        for (int i = 0; i < peers.count(); i++) {
            TransportAddress peer = peers.get(i);
            if (peerPermissions.isTaken(desk.worker, allocation, peer)) {
                return false;
            }
            if (peerPermissions.isUnclaimed(desk.worker, allocation, peer) && peers.meetEndpoint(i)) {
                newOnes++;
            }
        }
        if (newOnes > 0 && allocation.sharedPeerCount() + newOnes > configuration.sharedPeersPerAllocation()) {
            return false;
        }
        boolean claimed = true;
        for (int i = 0; i < peers.count() && claimed; i++) {
            claimed = peerPermissions.claim(desk.worker, allocation, peers.get(i), configuration);
        }
        return claimed;
    }
}
