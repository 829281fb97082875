package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;

/** Refresh requests (RFC 8656 §8.2). */
final class RefreshRequests {
    Reply handle(Desk desk, Allocation allocation, RelayConfiguration configuration) {
        StunMessage message = desk.message;
        boolean ipv4 = allocation.relayed(false) != null;
        boolean ipv6 = allocation.relayed(true) != null;
        int family = message.indexOf(AttributeType.REQUESTED_ADDRESS_FAMILY);
        if (family >= 0) {
            if (message.valueLength(family) != Integer.BYTES) {
                return Reply.error(ErrorCode.BAD_REQUEST);
            }
            // The family has to be one of the allocation's; one that does not exist is not.
            int wanted = (int) (message.uint32(family) >>> 24);
            ipv4 &= wanted == TransportAddress.FAMILY_IPV4;
            ipv6 &= wanted == TransportAddress.FAMILY_IPV6;
            if (!ipv4 && !ipv6) {
                return Reply.error(ErrorCode.PEER_ADDRESS_FAMILY_MISMATCH);
            }
        }
        long requested = Lifetimes.requestedSeconds(message, configuration);
        if (requested == Lifetimes.MALFORMED) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        if (requested == 0) {
            return new Reply.Refreshed(0, ipv4, ipv6);
        }
        long granted = Lifetimes.grantedSeconds(requested, configuration);
        long deadline = Lifetimes.deadlineNanos(desk.worker.now(), granted);
        if (ipv4) {
            allocation.setDeadlineNanos(false, deadline);
        }
        if (ipv6) {
            allocation.setDeadlineNanos(true, deadline);
        }
        return new Reply.Refreshed(granted, false, false);
    }
}
