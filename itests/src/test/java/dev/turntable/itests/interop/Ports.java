package dev.turntable.itests.interop;

/**
 * Ports of the interop tests on loopback: {@code -Dinterop.basePort} (24100) and the 99 above it,
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

    static final int PEER = BASE + 30;
    static final int RELAYED_MIN = Integer.parseInt(RELAYED[0]);
    static final int RELAYED_MAX = Integer.parseInt(RELAYED[1]);

    private static final int FIRST_BLOCK = BASE + 40;
    private static final int BLOCK = 15;
    private static final int RELAYED_BLOCK = 50;
    private static final int BLOCKS = 4;

    /** Ports of one assembly: those of the container, from {@code container} on, are four. Without TLS, {@code tls} is 0. */
    record OfAssembly(int stun, int tls, int container, int relayedMin, int relayedMax) {
        int ssh() {
            return container;
        }

        int rmiRegistry() {
            return container + 1;
        }

        int rmiServer() {
            return container + 2;
        }

        int http() {
            return container + 3;
        }
    }

    private Ports() {}

    /** Of the one assembly that most tests share. */
    static OfAssembly shared() {
        return new OfAssembly(STUN, TLS, BASE + 20, RELAYED_MIN, RELAYED_MAX - BLOCKS * RELAYED_BLOCK);
    }

    /** Of an assembly that a test class has for itself, without TLS. Four there may be. */
    static OfAssembly own(int block) {
        return own(block, false);
    }

    static OfAssembly own(int block, boolean tls) {
        int first = FIRST_BLOCK + BLOCK * block;
        int lastRelayed = RELAYED_MAX - RELAYED_BLOCK * block;
        return new OfAssembly(first, tls ? first + 5 : 0, first + 1, lastRelayed - RELAYED_BLOCK + 1, lastRelayed);
    }
}
