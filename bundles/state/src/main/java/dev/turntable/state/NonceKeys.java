package dev.turntable.state;

/**
 * Secret keys of nonces, which survive a swap of the engine. A key serves for making nonces for a while and for verifying them for as
 * long again; the engine may keep neither. Any thread.
 */
public final class NonceKeys {
    /** Number of the key to make nonces with now: it grows by one with each rotation. */
    public int currentNumber(long nowNanos) {
        throw new UnsupportedOperationException();
    }

    /** The key of that number, 32 bytes, not to be changed; null where it is too old or was never made. */
    public byte[] key(int number, long nowNanos) {
        throw new UnsupportedOperationException();
    }
}
