package dev.turntable.state;

import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

/**
 * Secret keys of nonces, which survive a swap of the engine. A key serves for making nonces for an hour and for verifying them for an
 * hour more; the engine may keep neither. Any thread.
 */
public final class NonceKeys {
    private static final long PERIOD_NANOS = TimeUnit.HOURS.toNanos(1);

    /** Keys of two hours; {@code previous} is null where nothing was made in the hour before. */
    private static final class Pair {
        private final int number;
        private final byte[] current;
        private final byte[] previous;

        Pair(int number, byte[] current, byte[] previous) {
            this.number = number;
            this.current = current;
            this.previous = previous;
        }
    }

    private final SecureRandom random = new SecureRandom();
    private volatile Pair pair = new Pair(0, newKey(), null);

    /** Number of the key to make nonces with now: the hours since the server started. */
    public int currentNumber(long nowNanos) {
        return pairAt(nowNanos).number;
    }

    /** The key of that number, 32 bytes, not to be changed; null where it is too old or was never made. */
    public byte[] key(int number, long nowNanos) {
        Pair now = pairAt(nowNanos);
        if (number == now.number) {
            return now.current;
        }
        return number == now.number - 1 ? now.previous : null;
    }

    private Pair pairAt(long nowNanos) {
        Pair now = pair;
        return nowNanos / PERIOD_NANOS > now.number ? rotated((int) (nowNanos / PERIOD_NANOS)) : now;
    }

    /** Workers' clocks differ a little: one that is late finds the newer pair, which still has its key. */
    private synchronized Pair rotated(int number) {
        Pair before = pair;
        if (number > before.number) {
            pair = new Pair(number, newKey(), number == before.number + 1 ? before.current : null);
        }
        return pair;
    }

    private byte[] newKey() {
        byte[] key = new byte[32];
        random.nextBytes(key);
        return key;
    }
}
