package dev.turntable.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Absolute big-endian access to a buffer, whatever byte order the buffer itself is set to, so that neither the order nor
 * the position of a caller's buffer is ever touched. Hot path: allocates nothing.
 */
final class Wire {
    private static final VarHandle SHORT = MethodHandles.byteBufferViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Wire() {}

    static int uint8(ByteBuffer bytes, int at) {
        return bytes.get(at) & 0xFF;
    }

    static int uint16(ByteBuffer bytes, int at) {
        return (short) SHORT.get(bytes, at) & 0xFFFF;
    }

    static int int32(ByteBuffer bytes, int at) {
        return (int) INT.get(bytes, at);
    }

    static long int64(ByteBuffer bytes, int at) {
        return (long) LONG.get(bytes, at);
    }

    static void put16(ByteBuffer bytes, int at, int value) {
        SHORT.set(bytes, at, (short) value);
    }

    static void put32(ByteBuffer bytes, int at, int value) {
        INT.set(bytes, at, value);
    }

    static void put64(ByteBuffer bytes, int at, long value) {
        LONG.set(bytes, at, value);
    }

    /** {@code length} rounded up to a multiple of four (RFC 8489 §14). */
    static int padded(int length) {
        return (length + 3) & ~3;
    }
}
