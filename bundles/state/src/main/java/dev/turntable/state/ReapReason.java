package dev.turntable.state;

/** Why something ended. */
public enum ReapReason {
    /** Its deadline passed. */
    EXPIRED("expired"),
    /** Refresh with lifetime 0 (RFC 8656 §8). */
    REFRESH_ZERO("refresh-zero"),
    /** An operator ended it. */
    MANAGEMENT("management"),
    /** The client's connection was lost. */
    CONNECTION_LOST("connection-lost"),
    /** Its listener or the server stopped. */
    SHUTDOWN("shutdown");

    private final String label;

    ReapReason(String label) {
        this.label = label;
    }

    /** In lower case, for log lines and counters. */
    public String label() {
        return label;
    }
}
