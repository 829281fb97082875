package dev.turntable.state;

import java.security.SecureRandom;

/**
 * Hashes of table keys, with secrets of this process: whoever chooses addresses, ports and numbers cannot choose collisions. Called
 * for each packet.
 */
final class KeyHash {
    private static final long SECRET_A;
    private static final long SECRET_B;
    private static final long SECRET_C;
    private static final long SECRET_D;

    static {
        SecureRandom random = new SecureRandom();
        SECRET_A = random.nextLong();
        SECRET_B = random.nextLong();
        SECRET_C = random.nextLong();
        SECRET_D = random.nextLong();
    }

    private KeyHash() {}

    /** All 32 bits are equally good. */
    static int of(long first, long second, long third) {
        long pair = fold(first ^ SECRET_A, second ^ SECRET_B);
        long all = fold(pair ^ SECRET_C, third ^ SECRET_D);
        return (int) (all ^ all >>> 32);
    }

    /** The two halves of the 128-bit product, one over the other. */
    private static long fold(long a, long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }
}
