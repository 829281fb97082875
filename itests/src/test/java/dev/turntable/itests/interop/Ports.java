package dev.turntable.itests.interop;

/**
 * Ports of the interop tests on loopback: {@code -Dinterop.basePort} (24100) and the 40 above it,
 * {@code -Dinterop.relayedPorts} (24200-24899) for relayed addresses.
 */
final class Ports {
    private static final int BASE = Integer.getInteger("interop.basePort", 24100);
    private static final String[] RELAYED =
            System.getProperty("interop.relayedPorts", "24200-24899").split("-");

    static final int STUN = BASE;
    static final int TLS = BASE + 1;
    /** Of a control server that takes one kind of credential only. */
    static final int STUN_REST = BASE + 10;

    static final int SSH = BASE + 20;
    static final int RMI_REGISTRY = BASE + 21;
    static final int RMI_SERVER = BASE + 22;
    static final int HTTP = BASE + 23;
    static final int PEER = BASE + 30;
    static final int RELAYED_MIN = Integer.parseInt(RELAYED[0]);
    static final int RELAYED_MAX = Integer.parseInt(RELAYED[1]);

    private Ports() {}
}
