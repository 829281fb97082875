package dev.turntable.relay;

import dev.turntable.codec.AttributeSet;
import dev.turntable.codec.AttributeType;

/**
 * The attributes that this server understands, of those that have to be understood. One that is known and out of place is ignored (RFC
 * 8489 §6.3), so there is one set for all methods.
 */
final class KnownAttributes {
    static final AttributeSet SET = AttributeSet.of(
            // RFC 8489
            AttributeType.MAPPED_ADDRESS,
            AttributeType.USERNAME,
            AttributeType.MESSAGE_INTEGRITY,
            AttributeType.ERROR_CODE,
            AttributeType.UNKNOWN_ATTRIBUTES,
            AttributeType.REALM,
            AttributeType.NONCE,
            AttributeType.MESSAGE_INTEGRITY_SHA256,
            AttributeType.PASSWORD_ALGORITHM,
            AttributeType.USERHASH,
            AttributeType.XOR_MAPPED_ADDRESS,
            // RFC 8656
            AttributeType.CHANNEL_NUMBER,
            AttributeType.LIFETIME,
            AttributeType.XOR_PEER_ADDRESS,
            AttributeType.DATA,
            AttributeType.XOR_RELAYED_ADDRESS,
            AttributeType.REQUESTED_ADDRESS_FAMILY,
            AttributeType.EVEN_PORT,
            AttributeType.REQUESTED_TRANSPORT,
            AttributeType.DONT_FRAGMENT,
            AttributeType.RESERVATION_TOKEN,
            // RFC 6062
            AttributeType.CONNECTION_ID);

    private KnownAttributes() {}
}
