package dev.turntable.codec;

/**
 * Numbers of the STUN attributes: those of RFC 8489, RFC 8656, RFC 6062, RFC 5780, RFC 8016 and RFC 7635, and the other
 * ones of the IANA registry by name. A type below 0x8000 has to be understood by its reader (RFC 8489 §14).
 */
public final class AttributeType {
    public static final int MAPPED_ADDRESS = 0x0001;
    public static final int CHANGE_REQUEST = 0x0003;
    public static final int USERNAME = 0x0006;
    public static final int MESSAGE_INTEGRITY = 0x0008;
    public static final int ERROR_CODE = 0x0009;
    public static final int UNKNOWN_ATTRIBUTES = 0x000A;
    public static final int CHANNEL_NUMBER = 0x000C;
    public static final int LIFETIME = 0x000D;
    public static final int XOR_PEER_ADDRESS = 0x0012;
    public static final int DATA = 0x0013;
    public static final int REALM = 0x0014;
    public static final int NONCE = 0x0015;
    public static final int XOR_RELAYED_ADDRESS = 0x0016;
    public static final int REQUESTED_ADDRESS_FAMILY = 0x0017;
    public static final int EVEN_PORT = 0x0018;
    public static final int REQUESTED_TRANSPORT = 0x0019;
    public static final int DONT_FRAGMENT = 0x001A;
    public static final int ACCESS_TOKEN = 0x001B;
    public static final int MESSAGE_INTEGRITY_SHA256 = 0x001C;
    public static final int PASSWORD_ALGORITHM = 0x001D;
    public static final int USERHASH = 0x001E;
    public static final int XOR_MAPPED_ADDRESS = 0x0020;
    public static final int RESERVATION_TOKEN = 0x0022;
    public static final int PRIORITY = 0x0024;
    public static final int USE_CANDIDATE = 0x0025;
    public static final int PADDING = 0x0026;
    public static final int RESPONSE_PORT = 0x0027;
    public static final int CONNECTION_ID = 0x002A;
    public static final int ADDITIONAL_ADDRESS_FAMILY = 0x8000;
    public static final int ADDRESS_ERROR_CODE = 0x8001;
    public static final int PASSWORD_ALGORITHMS = 0x8002;
    public static final int ALTERNATE_DOMAIN = 0x8003;
    public static final int ICMP = 0x8004;
    public static final int SOFTWARE = 0x8022;
    public static final int ALTERNATE_SERVER = 0x8023;
    public static final int TRANSACTION_TRANSMIT_COUNTER = 0x8025;
    public static final int CACHE_TIMEOUT = 0x8027;
    public static final int FINGERPRINT = 0x8028;
    public static final int ICE_CONTROLLED = 0x8029;
    public static final int ICE_CONTROLLING = 0x802A;
    public static final int RESPONSE_ORIGIN = 0x802B;
    public static final int OTHER_ADDRESS = 0x802C;
    public static final int ECN_CHECK_STUN = 0x802D;
    public static final int THIRD_PARTY_AUTHORIZATION = 0x802E;
    public static final int MOBILITY_TICKET = 0x8030;
    public static final int CISCO_STUN_FLOWDATA = 0xC000;
    public static final int ENF_FLOW_DESCRIPTION = 0xC001;
    public static final int ENF_NETWORK_STATUS = 0xC002;
    public static final int CISCO_WEBEX_FLOW_INFO = 0xC003;
    public static final int CITRIX_TRANSACTION_ID = 0xC056;
    public static final int GOOG_NETWORK_INFO = 0xC057;
    public static final int GOOG_LAST_ICE_CHECK_RECEIVED = 0xC058;
    public static final int GOOG_MISC_INFO = 0xC059;
    public static final int GOOG_OBSOLETE_1 = 0xC05A;
    public static final int GOOG_CONNECTION_ID = 0xC05B;
    public static final int GOOG_DELTA = 0xC05C;
    public static final int GOOG_DELTA_ACK = 0xC05D;
    public static final int GOOG_DELTA_SYNC_REQ = 0xC05E;
    public static final int GOOG_MESSAGE_INTEGRITY_32 = 0xC060;
    public static final int META_DTLS_IN_STUN = 0xC070;
    public static final int META_DTLS_IN_STUN_ACKNOWLEDGEMENT = 0xC071;

    private AttributeType() {}

    /** Whether a reader that does not know this type has to refuse the message (RFC 8489 §14). */
    public static boolean isComprehensionRequired(int type) {
        return type < 0x8000;
    }

    /** The registered name, or the number in hexadecimal. */
    public static String name(int type) {
        return switch (type) {
            case MAPPED_ADDRESS -> "MAPPED-ADDRESS";
            case CHANGE_REQUEST -> "CHANGE-REQUEST";
            case USERNAME -> "USERNAME";
            case MESSAGE_INTEGRITY -> "MESSAGE-INTEGRITY";
            case ERROR_CODE -> "ERROR-CODE";
            case UNKNOWN_ATTRIBUTES -> "UNKNOWN-ATTRIBUTES";
            case CHANNEL_NUMBER -> "CHANNEL-NUMBER";
            case LIFETIME -> "LIFETIME";
            case XOR_PEER_ADDRESS -> "XOR-PEER-ADDRESS";
            case DATA -> "DATA";
            case REALM -> "REALM";
            case NONCE -> "NONCE";
            case XOR_RELAYED_ADDRESS -> "XOR-RELAYED-ADDRESS";
            case REQUESTED_ADDRESS_FAMILY -> "REQUESTED-ADDRESS-FAMILY";
            case EVEN_PORT -> "EVEN-PORT";
            case REQUESTED_TRANSPORT -> "REQUESTED-TRANSPORT";
            case DONT_FRAGMENT -> "DONT-FRAGMENT";
            case ACCESS_TOKEN -> "ACCESS-TOKEN";
            case MESSAGE_INTEGRITY_SHA256 -> "MESSAGE-INTEGRITY-SHA256";
            case PASSWORD_ALGORITHM -> "PASSWORD-ALGORITHM";
            case USERHASH -> "USERHASH";
            case XOR_MAPPED_ADDRESS -> "XOR-MAPPED-ADDRESS";
            case RESERVATION_TOKEN -> "RESERVATION-TOKEN";
            case PRIORITY -> "PRIORITY";
            case USE_CANDIDATE -> "USE-CANDIDATE";
            case PADDING -> "PADDING";
            case RESPONSE_PORT -> "RESPONSE-PORT";
            case CONNECTION_ID -> "CONNECTION-ID";
            case ADDITIONAL_ADDRESS_FAMILY -> "ADDITIONAL-ADDRESS-FAMILY";
            case ADDRESS_ERROR_CODE -> "ADDRESS-ERROR-CODE";
            case PASSWORD_ALGORITHMS -> "PASSWORD-ALGORITHMS";
            case ALTERNATE_DOMAIN -> "ALTERNATE-DOMAIN";
            case ICMP -> "ICMP";
            case SOFTWARE -> "SOFTWARE";
            case ALTERNATE_SERVER -> "ALTERNATE-SERVER";
            case TRANSACTION_TRANSMIT_COUNTER -> "TRANSACTION_TRANSMIT_COUNTER";
            case CACHE_TIMEOUT -> "CACHE-TIMEOUT";
            case FINGERPRINT -> "FINGERPRINT";
            case ICE_CONTROLLED -> "ICE-CONTROLLED";
            case ICE_CONTROLLING -> "ICE-CONTROLLING";
            case RESPONSE_ORIGIN -> "RESPONSE-ORIGIN";
            case OTHER_ADDRESS -> "OTHER-ADDRESS";
            case ECN_CHECK_STUN -> "ECN-CHECK STUN";
            case THIRD_PARTY_AUTHORIZATION -> "THIRD-PARTY-AUTHORIZATION";
            case MOBILITY_TICKET -> "MOBILITY-TICKET";
            case CISCO_STUN_FLOWDATA -> "CISCO-STUN-FLOWDATA";
            case ENF_FLOW_DESCRIPTION -> "ENF-FLOW-DESCRIPTION";
            case ENF_NETWORK_STATUS -> "ENF-NETWORK-STATUS";
            case CISCO_WEBEX_FLOW_INFO -> "CISCO-WEBEX-FLOW-INFO";
            case CITRIX_TRANSACTION_ID -> "CITRIX-TRANSACTION-ID";
            case GOOG_NETWORK_INFO -> "GOOG-NETWORK-INFO";
            case GOOG_LAST_ICE_CHECK_RECEIVED -> "GOOG-LAST-ICE-CHECK-RECEIVED";
            case GOOG_MISC_INFO -> "GOOG-MISC-INFO";
            case GOOG_OBSOLETE_1 -> "GOOG-OBSOLETE-1";
            case GOOG_CONNECTION_ID -> "GOOG-CONNECTION-ID";
            case GOOG_DELTA -> "GOOG-DELTA";
            case GOOG_DELTA_ACK -> "GOOG-DELTA-ACK";
            case GOOG_DELTA_SYNC_REQ -> "GOOG-DELTA-SYNC-REQ";
            case GOOG_MESSAGE_INTEGRITY_32 -> "GOOG-MESSAGE-INTEGRITY-32";
            case META_DTLS_IN_STUN -> "META-DTLS-IN-STUN";
            case META_DTLS_IN_STUN_ACKNOWLEDGEMENT -> "META-DTLS-IN-STUN-ACKNOWLEDGEMENT";
            default -> String.format("0x%04X", type);
        };
    }
}
