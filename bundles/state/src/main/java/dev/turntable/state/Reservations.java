package dev.turntable.state;

/** Ports that wait for the allocation that names their token (RFC 8656 §7.2, RESERVATION-TOKEN), server-wide. Any thread. */
public final class Reservations {
    /** What a token stands for. */
    public record Reservation(boolean ipv6, int port) {}

    /**
     * Keeps a port that was taken from the pool.
     *
     * @return the token: 8 bytes from a secure generator
     */
    public long add(boolean ipv6, int port, long deadlineNanos) {
        throw new UnsupportedOperationException();
    }

    /** Redeems a token, once; null where it is unknown or {@code nowNanos} is past its deadline. The port is the caller's. */
    public Reservation take(long token, long nowNanos) {
        throw new UnsupportedOperationException();
    }

    /** Gives the ports of expired ones back to the pool; returns how many. */
    public int sweep(long nowNanos) {
        throw new UnsupportedOperationException();
    }

    public int size() {
        throw new UnsupportedOperationException();
    }
}
