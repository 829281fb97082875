package dev.turntable.relay;

import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.ChannelBindings;
import dev.turntable.state.Permissions;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.SharedPeers;
import dev.turntable.state.Worker;

/** Installs and refreshes permissions (RFC 8656 §9), for CreatePermission and ChannelBind alike. */
final class PeerPermissions {
    /** No objection. */
    static final int FINE = 0;

    private final PeerRules rules;
    private final ExternalAddresses externalAddresses;

    PeerPermissions(PeerRules rules, ExternalAddresses externalAddresses) {
        this.rules = rules;
        this.externalAddresses = externalAddresses;
    }

    /** The error that a named peer is answered with (RFC 8656 §10.2, §12.2), or {@link #FINE}. */
    int objection(Allocation allocation, TransportAddress peer, RelayConfiguration configuration) {
        // An IPv4 address in the clothes of an IPv6 one: refused, whatever the rules say of either.
        if (peer.mappedOnWire()) {
            return ErrorCode.FORBIDDEN;
        }
        if (allocation.relayed(!peer.isIPv4()) == null) {
            return ErrorCode.PEER_ADDRESS_FAMILY_MISMATCH;
        }
        return rules.judge(configuration, peer.hi(), peer.lo()) == PeerRules.Judgement.DENIED
                ? ErrorCode.FORBIDDEN
                : FINE;
    }

    /** Whether the peer's address is open for relayed ports of this server alone, and this is not one that is live. */
    boolean isClosedPort(Worker worker, TransportAddress peer, RelayConfiguration configuration) {
        return rules.judge(configuration, peer.hi(), peer.lo()) == PeerRules.Judgement.OWN_RELAYED_PORTS_ONLY
                && !worker.server().ports().isLive(!peer.isIPv4(), peer.port());
    }

    /** The same for a connection that the peer has made. */
    boolean isClosedTo(Worker worker, TransportAddress peer, RelayConfiguration configuration) {
        return isClosed(worker, peer, rules.judge(configuration, peer.hi(), peer.lo()));
    }

    /** The same for a connection to the peer. */
    boolean isClosedListener(Worker worker, TransportAddress peer, RelayConfiguration configuration) {
        return isClosed(worker, peer, rules.judgeConnection(configuration, peer.hi(), peer.lo()));
    }

    private static boolean isClosed(Worker worker, TransportAddress peer, PeerRules.Judgement judgement) {
        return judgement == PeerRules.Judgement.OWN_RELAYED_PORTS_ONLY
                && !worker.server().ports().isListening(!peer.isIPv4(), peer.port());
    }

    /**
     * Takes the peer's transport address for the allocation where its socket is shared; without a port there is nothing to take yet.
     *
     * @return whether it is the allocation's own, or need not be
     */
    boolean claim(Worker worker, Allocation allocation, TransportAddress peer, RelayConfiguration configuration) {
        RelayedSocket socket = allocation.relayed(!peer.isIPv4());
        if (!needsClaim(socket, peer)) {
            return true;
        }
        if (isItself(socket, peer)) {
            return false;
        }
        SharedPeers.Claim claim = worker.sharedPeers()
                .claim(allocation, peer.hi(), peer.lo(), peer.port(), configuration.sharedPeersPerAllocation());
        return claim == SharedPeers.Claim.OWN;
    }

    /** Whether another allocation of the same shared socket has the peer's transport address. */
    boolean isTaken(Worker worker, Allocation allocation, TransportAddress peer) {
        RelayedSocket socket = allocation.relayed(!peer.isIPv4());
        if (!needsClaim(socket, peer)) {
            return false;
        }
        Allocation holder = worker.sharedPeers().find(socket, peer.hi(), peer.lo(), peer.port());
        return isItself(socket, peer) || (holder != null && holder != allocation);
    }

    /** Whether nobody has the peer's transport address yet, and the allocation would have to. */
    boolean isUnclaimed(Worker worker, Allocation allocation, TransportAddress peer) {
        RelayedSocket socket = allocation.relayed(!peer.isIPv4());
        return needsClaim(socket, peer) && worker.sharedPeers().find(socket, peer.hi(), peer.lo(), peer.port()) == null;
    }

    private static boolean needsClaim(RelayedSocket socket, TransportAddress peer) {
        return socket != null && socket.allocation() == null && peer.port() != 0;
    }

    /** A shared socket as its own peer: nobody could tell which of its allocations it speaks for. */
    private boolean isItself(RelayedSocket socket, TransportAddress peer) {
        return externalAddresses.isOwn(peer.hi(), peer.lo())
                && socket.localAddress().getPort() == peer.port();
    }

    /** Whether the allocation may have so many more permissions. */
    static boolean fits(Allocation allocation, int more, RelayConfiguration configuration) {
        return allocation.permissionCount() + more <= configuration.permissionsPerAllocation();
    }

    /** Makes room: removes the allocation's permissions that have expired and were not swept yet. */
    static void removeExpired(Worker worker, Allocation allocation) {
        Permissions permissions = worker.permissions();
        int permission = permissions.first(allocation);
        while (permission != Permissions.NONE) {
            int next = permissions.next(permission);
            if (permissions.deadlineNanos(permission) <= worker.now() && permissions.bindingCount(permission) == 0) {
                permissions.remove(permission);
            }
            permission = next;
        }
    }

    /**
     * Installs or refreshes the permission for the peer's IP address. There has to be room.
     *
     * @return its handle
     */
    int install(Worker worker, Allocation allocation, TransportAddress peer, RelayConfiguration configuration) {
        Permissions permissions = worker.permissions();
        long deadline = Lifetimes.deadlineNanos(worker.now(), configuration.permissionLifetimeSeconds());
        int permission = permissions.find(allocation, peer.hi(), peer.lo());
        if (permission == Permissions.NONE) {
            boolean ownPortsOnly =
                    rules.judge(configuration, peer.hi(), peer.lo()) == PeerRules.Judgement.OWN_RELAYED_PORTS_ONLY;
            int flags = ownPortsOnly ? Permissions.OWN_RELAYED_PORTS_ONLY : 0;
            return permissions.add(allocation, peer.hi(), peer.lo(), flags, deadline);
        }
        boolean held = configuration.channelHoldsPermission() && permissions.bindingCount(permission) > 0;
        permissions.setDeadlineNanos(
                permission, held ? Math.max(deadline, permissions.deadlineNanos(permission)) : deadline);
        return permission;
    }

    /** Holds a permission at least as long as a channel binding to its peer. */
    static void hold(Worker worker, int permission, int binding) {
        ChannelBindings bindings = worker.channelBindings();
        Permissions permissions = worker.permissions();
        permissions.setDeadlineNanos(
                permission, Math.max(permissions.deadlineNanos(permission), bindings.deadlineNanos(binding)));
    }
}
