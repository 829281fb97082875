package dev.turntable.state;

import java.nio.ByteBuffer;
import java.security.SecureRandom;

/** Unpredictable numbers. Asks the generator, which never blocks once it is seeded, for many at a time. One thread at a time. */
final class SecureNumbers {
    private final SecureRandom random = new SecureRandom();
    private final byte[] bytes = new byte[1024];
    private final ByteBuffer unused = ByteBuffer.wrap(bytes).limit(0);

    long next() {
        if (unused.remaining() < Long.BYTES) {
            random.nextBytes(bytes);
            unused.clear();
        }
        return unused.getLong();
    }

    /** 0 to {@code bound - 1}, each equally likely but for less than one part in 2^46. */
    int below(int bound) {
        return (int) Math.multiplyHigh(next() >>> 1, (long) bound << 1);
    }
}
