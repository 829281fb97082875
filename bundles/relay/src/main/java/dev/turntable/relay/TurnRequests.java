package dev.turntable.relay;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.Method;
import dev.turntable.codec.StunMessage;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.PeerConnection;
import dev.turntable.state.ReapReason;
import dev.turntable.state.Worker;

/** What all requests of TURN have in common (RFC 8656 §5, RFC 6062 §5): who asks, for which allocation, and whether all of it is understood. */
final class TurnRequests {
    private final Authentication authentication;
    private final Replies replies;
    private final AllocateRequests allocateRequests;
    private final RefreshRequests refreshRequests = new RefreshRequests();
    private final CreatePermissionRequests createPermissionRequests;
    private final ChannelBindRequests channelBindRequests;
    private final ConnectRequests connectRequests;
    private final ConnectionBindRequests connectionBindRequests = new ConnectionBindRequests();

    TurnRequests(
            Authentication authentication,
            Replies replies,
            AllocateRequests allocateRequests,
            CreatePermissionRequests createPermissionRequests,
            ChannelBindRequests channelBindRequests,
            ConnectRequests connectRequests) {
        this.authentication = authentication;
        this.replies = replies;
        this.allocateRequests = allocateRequests;
        this.createPermissionRequests = createPermissionRequests;
        this.channelBindRequests = channelBindRequests;
        this.connectRequests = connectRequests;
    }

    static boolean isServed(int method) {
        return switch (method) {
            case Method.ALLOCATE,
                    Method.REFRESH,
                    Method.CREATE_PERMISSION,
                    Method.CHANNEL_BIND,
                    Method.CONNECT,
                    Method.CONNECTION_BIND -> true;
            default -> false;
        };
    }

    /**
     * Handles the request on the desk.
     *
     * @param present the allocation on its five-tuple, or null
     * @param answer of the source that was asked for it before, or null
     */
    void handle(
            Desk desk,
            ClientPath path,
            Allocation present,
            Packet packet,
            RelayConfiguration configuration,
            CredentialAnswer answer) {
        Allocation allocation = living(desk.worker, present);
        boolean binds = desk.message.method() == Method.CONNECTION_BIND;
        if (binds && connectionBindRequests.belongsElsewhere(desk, path)) {
            return;
        }
        PeerConnection connection = binds ? connectionBindRequests.find(desk) : null;
        // Whose key it is: a connection is bound by the user that has its allocation.
        Allocation owner = connection == null ? allocation : living(desk.worker, connection.allocation());
        Authentication.Outcome outcome = authentication.check(desk, path, owner, packet, configuration, answer);
        if (outcome instanceof Authentication.Refused refused) {
            replies.send(desk, path, configuration, refused.reply());
        } else if (outcome instanceof Authentication.Passed by) {
            Reply reply = binds
                    ? connectionBindRequests.handle(desk, path, allocation, connection, by)
                    : reply(desk, path, allocation, packet, configuration, by);
            if (reply instanceof Reply.Later) {
                return;
            }
            replies.send(desk, path, configuration, reply, by);
            // Only now: the end of an allocation may close the stream that the answer goes out on.
            if (reply instanceof Reply.Refreshed refreshed) {
                end(desk.worker, allocation, refreshed);
            } else if (reply instanceof Reply.Bound bound) {
                bound.connection().bind(path);
            }
        }
    }

    private Reply reply(
            Desk desk,
            ClientPath path,
            Allocation allocation,
            Packet packet,
            RelayConfiguration configuration,
            Authentication.Passed by) {
        StunMessage message = desk.message;
        int unknown = message.unknownRequired(KnownAttributes.SET, desk.unknownTypes);
        if (unknown > 0) {
            return new Reply.UnknownAttributes(desk.unknownTypes, unknown);
        }
        if (message.method() == Method.ALLOCATE) {
            return allocateRequests.handle(desk, path, allocation, configuration, by);
        }
        if (allocation == null) {
            return Reply.error(ErrorCode.ALLOCATION_MISMATCH);
        }
        if (!allocation.username().equals(by.username())) {
            return Reply.error(ErrorCode.WRONG_CREDENTIALS);
        }
        return switch (message.method()) {
            case Method.REFRESH -> refreshRequests.handle(desk, allocation, configuration);
            case Method.CREATE_PERMISSION -> createPermissionRequests.handle(desk, allocation, configuration);
            case Method.CHANNEL_BIND -> channelBindRequests.handle(desk, allocation, configuration);
            case Method.CONNECT -> connectRequests.handle(desk, allocation, packet, configuration);
            default -> throw new IllegalStateException("not served: " + Method.name(message.method()));
        };
    }

    /** The allocation without what has expired and was not swept yet; null where nothing is left. */
    private static Allocation living(Worker worker, Allocation allocation) {
        if (allocation == null) {
            return null;
        }
        for (int family = 0; family < 2; family++) {
            boolean ipv6 = family == 1;
            if (allocation.relayed(ipv6) != null && allocation.deadlineNanos(ipv6) <= worker.now()) {
                worker.deleteRelayed(allocation, ipv6, ReapReason.EXPIRED);
            }
        }
        return allocation.isEnded() ? null : allocation;
    }

    private static void end(Worker worker, Allocation allocation, Reply.Refreshed refreshed) {
        if (refreshed.endsIPv4() && refreshed.endsIPv6()) {
            worker.delete(allocation, ReapReason.REFRESH_ZERO);
        } else if (refreshed.endsIPv4() || refreshed.endsIPv6()) {
            worker.deleteRelayed(allocation, refreshed.endsIPv6(), ReapReason.REFRESH_ZERO);
        }
    }
}
