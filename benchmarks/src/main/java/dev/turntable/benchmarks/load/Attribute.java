package dev.turntable.benchmarks.load;

/** Attribute types that the test client reads or writes (IANA "STUN Attributes"). */
final class Attribute {
    static final int USERNAME = 0x0006;
    static final int MESSAGE_INTEGRITY = 0x0008;
    static final int ERROR_CODE = 0x0009;
    static final int CHANNEL_NUMBER = 0x000C;
    static final int LIFETIME = 0x000D;
    static final int XOR_PEER_ADDRESS = 0x0012;
    static final int DATA = 0x0013;
    static final int REALM = 0x0014;
    static final int NONCE = 0x0015;
    static final int XOR_RELAYED_ADDRESS = 0x0016;
    static final int REQUESTED_ADDRESS_FAMILY = 0x0017;
    static final int REQUESTED_TRANSPORT = 0x0019;
    static final int XOR_MAPPED_ADDRESS = 0x0020;

    private Attribute() {}
}
