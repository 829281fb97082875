package dev.turntable.codec;

/**
 * PASSWORD-ALGORITHM and PASSWORD-ALGORITHMS (RFC 8489 §14.11, §14.12): entries of a number, a length and parameters.
 * The check against bid-down (§9.2.4) is that a client sends back the server's list byte for byte ({@link
 * StunMessage#valueEquals}) and one algorithm that {@link #contains} finds in it.
 */
public final class PasswordAlgorithms {
    /** MD5, without parameters. */
    public static final int MD5 = 0x0001;

    /** SHA-256, without parameters. */
    public static final int SHA256 = 0x0002;

    private PasswordAlgorithms() {}

    /** The value for a list of algorithms without parameters, in order of preference. */
    public static byte[] value(int... algorithms) {
        byte[] value = new byte[4 * algorithms.length];
        for (int i = 0; i < algorithms.length; i++) {
            value[4 * i] = (byte) (algorithms[i] >>> 8);
            value[4 * i + 1] = (byte) algorithms[i];
        }
        return value;
    }

    /** The one algorithm of PASSWORD-ALGORITHM; -1 if the value is malformed. */
    public static int algorithm(StunMessage message, int index) {
        return next(message, index, 0) == message.valueLength(index) ? at(message, index, 0) : -1;
    }

    /** How many algorithms PASSWORD-ALGORITHMS has; -1 if the value is malformed. */
    public static int count(StunMessage message, int index) {
        int count = 0;
        int position = 0;
        while (position < message.valueLength(index)) {
            position = next(message, index, position);
            if (position < 0) {
                return -1;
            }
            count++;
        }
        return count;
    }

    /** Whether a well-formed PASSWORD-ALGORITHMS has an algorithm. */
    public static boolean contains(StunMessage message, int index, int algorithm) {
        boolean found = false;
        int position = 0;
        while (position < message.valueLength(index)) {
            int next = next(message, index, position);
            if (next < 0) {
                return false;
            }
            found |= at(message, index, position) == algorithm;
            position = next;
        }
        return found;
    }

    private static int at(StunMessage message, int index, int position) {
        return Wire.uint16(message.bytes(), message.valueOffset(index) + position);
    }

    /**
     * Where the entry after the one at {@code position} begins, counted from the value's start; -1 if it is cut off. The
     * padding of the last entry's parameters may be that of the attribute itself.
     */
    private static int next(StunMessage message, int index, int position) {
        int length = message.valueLength(index);
        if (length - position < 4) {
            return -1;
        }
        int parameters = at(message, index, position + 2);
        int end = position + 4 + parameters;
        return end > length ? -1 : Math.min(Wire.padded(end), length);
    }
}
