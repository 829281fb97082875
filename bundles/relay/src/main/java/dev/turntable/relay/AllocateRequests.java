package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.ServerConfiguration;

/** Allocate requests (RFC 8656 §7.2, RFC 6062 §5.1), in the order of the section's checks. Making what they ask for is {@link NewAllocations}'. */
final class AllocateRequests {
    private static final int UDP = 17;
    private static final int TCP = 6;
    private static final int RESERVE_NEXT = 0x80;

    private final NewAllocations newAllocations;
    private final ExternalAddresses externalAddresses;

    AllocateRequests(NewAllocations newAllocations, ExternalAddresses externalAddresses) {
        this.newAllocations = newAllocations;
        this.externalAddresses = externalAddresses;
    }

    /** @param present the live allocation on the five-tuple, or null */
    Reply handle(
            Desk desk,
            ClientPath path,
            Allocation present,
            RelayConfiguration configuration,
            Authentication.Passed by) {
        StunMessage message = desk.message;
        // Check 2: the five-tuple, unless it is the request that made the allocation, come again (§5).
        if (present != null) {
            return isRepeated(message, present, by)
                    ? new Reply.Repeated(present.response())
                    : Reply.error(ErrorCode.ALLOCATION_MISMATCH);
        }
        // Check 3: the transport protocol.
        int transport = message.indexOf(AttributeType.REQUESTED_TRANSPORT);
        if (transport < 0 || message.valueLength(transport) != Integer.BYTES) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        int protocol = (int) (message.uint32(transport) >>> 24);
        // RFC 6062 §4.1: TCP is to be had over TCP or TLS alone.
        boolean tcp = protocol == TCP && path.transport().isStream();
        if (protocol != UDP && !tcp) {
            return Reply.error(ErrorCode.UNSUPPORTED_TRANSPORT_PROTOCOL);
        }
        // RFC 6062 §5.1: what means nothing for TCP.
        if (tcp
                && (message.has(AttributeType.EVEN_PORT)
                        || message.has(AttributeType.RESERVATION_TOKEN)
                        || message.has(AttributeType.DONT_FRAGMENT))) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        long requested = Lifetimes.requestedSeconds(message, configuration);
        if (requested == Lifetimes.MALFORMED) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        // Check 4: DONT-FRAGMENT, an unknown attribute where it would count.
        if (message.has(AttributeType.DONT_FRAGMENT) && DontFragment.counts(path, wantsIPv6Alone(message))) {
            desk.unknownTypes[0] = AttributeType.DONT_FRAGMENT;
            return new Reply.UnknownAttributes(desk.unknownTypes, 1);
        }
        long lifetimeSeconds = Lifetimes.grantedSeconds(requested, configuration);
        Reply refusal = refusal(message, desk.worker.server().configuration());
        return refusal != null
                ? refusal
                : newAllocations.make(desk, path, configuration, by, plan(desk, tcp), lifetimeSeconds);
    }

    /** The transaction that made the allocation, in the name of the user that did: the answer is signed with that user's key. */
    private static boolean isRepeated(StunMessage message, Allocation present, Authentication.Passed by) {
        return present.madeBy(message.transactionIdLow(), message.transactionIdHigh())
                && present.username().equals(by.username())
                && present.response() != null;
    }

    /** Checks 5 to 9; null where all pass. */
    private Reply refusal(StunMessage message, ServerConfiguration server) {
        int token = message.indexOf(AttributeType.RESERVATION_TOKEN);
        int even = message.indexOf(AttributeType.EVEN_PORT);
        int family = message.indexOf(AttributeType.REQUESTED_ADDRESS_FAMILY);
        int additional = message.indexOf(AttributeType.ADDITIONAL_ADDRESS_FAMILY);
        // Check 5: a token says it all. Whether it is good is found out when it is redeemed.
        if (token >= 0) {
            boolean alone = even < 0 && family < 0 && additional < 0;
            return alone && message.valueLength(token) == Long.BYTES ? null : Reply.error(ErrorCode.BAD_REQUEST);
        }
        // Check 6: one of them, not both; each is four bytes.
        if ((family >= 0 && additional >= 0)
                || (family >= 0 && message.valueLength(family) != Integer.BYTES)
                || (even >= 0 && message.valueLength(even) != 1)) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        // Check 7: the family, IPv4 where none is named.
        int wanted = family < 0 ? TransportAddress.FAMILY_IPV4 : familyOf(message, family);
        if (additional < 0 && !serves(wanted)) {
            return Reply.error(ErrorCode.ADDRESS_FAMILY_NOT_SUPPORTED);
        }
        // Checks 8 and 9: a pair is of one family, and the additional family is IPv6.
        if (additional >= 0
                && (reservesNext(message, even) || familyOf(message, additional) != TransportAddress.FAMILY_IPV6)) {
            return Reply.error(ErrorCode.BAD_REQUEST);
        }
        // Sockets that are shared have the port that they have.
        return even >= 0 && server.sharedSockets() ? Reply.error(ErrorCode.INSUFFICIENT_CAPACITY) : null;
    }

    private NewAllocations.Plan plan(Desk desk, boolean tcp) {
        StunMessage message = desk.message;
        int token = message.indexOf(AttributeType.RESERVATION_TOKEN);
        if (token >= 0) {
            return new NewAllocations.Redeem(message.int64(token));
        }
        int even = message.indexOf(AttributeType.EVEN_PORT);
        RelayedPorts.Wish wish = even < 0
                ? RelayedPorts.Wish.ANY
                : reservesNext(message, even) ? RelayedPorts.Wish.PAIR : RelayedPorts.Wish.EVEN;
        boolean dual = message.has(AttributeType.ADDITIONAL_ADDRESS_FAMILY);
        boolean ipv6 = dual || wantsIPv6Alone(message);
        return new NewAllocations.Choose(dual || !ipv6, ipv6, wish, tcp);
    }

    private boolean serves(int family) {
        return (family == TransportAddress.FAMILY_IPV4 || family == TransportAddress.FAMILY_IPV6)
                && externalAddresses.serves(family == TransportAddress.FAMILY_IPV6);
    }

    private static boolean wantsIPv6Alone(StunMessage message) {
        int family = message.indexOf(AttributeType.REQUESTED_ADDRESS_FAMILY);
        return family >= 0 && familyOf(message, family) == TransportAddress.FAMILY_IPV6;
    }

    /** The first of four bytes; -1 where there are not four. */
    private static int familyOf(StunMessage message, int index) {
        return message.valueLength(index) == Integer.BYTES ? (int) (message.uint32(index) >>> 24) : -1;
    }

    private static boolean reservesNext(StunMessage message, int even) {
        return even >= 0 && (message.uint8(even) & RESERVE_NEXT) != 0;
    }
}
