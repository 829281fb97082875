package dev.turntable.state;

/** Why something ended. */
public enum ReapReason {
    /** Its deadline passed. */
    EXPIRED,
    /** Refresh with lifetime 0 (RFC 8656 §8). */
    REFRESH_ZERO,
    /** An operator ended it. */
    MANAGEMENT,
    /** The client's connection was lost. */
    CONNECTION_LOST,
    /** Its listener or the server stopped. */
    SHUTDOWN
}
