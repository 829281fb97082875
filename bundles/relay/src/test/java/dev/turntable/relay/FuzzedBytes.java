package dev.turntable.relay;

import java.util.Arrays;

/** The bytes of a fuzzer, which decide what happens. Where they have ended, everything is zero. */
final class FuzzedBytes {
    private final byte[] bytes;
    private int at;

    FuzzedBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isEmpty() {
        return at >= bytes.length;
    }

    int uint8() {
        return isEmpty() ? 0 : bytes[at++] & 0xFF;
    }

    int uint16() {
        return uint8() << 8 | uint8();
    }

    long uint32() {
        return (long) uint16() << 16 | uint16();
    }

    boolean flag() {
        return (uint8() & 1) != 0;
    }

    byte[] take(int length) {
        byte[] taken = new byte[length];
        int there = Math.min(length, bytes.length - Math.min(at, bytes.length));
        System.arraycopy(bytes, Math.min(at, bytes.length), taken, 0, there);
        at += there;
        return taken;
    }

    /** Short as a rule, and now and then as long as a datagram can be; what is past the end is zero. */
    byte[] takeSome() {
        int length = uint8();
        return length < 0xF0 ? take(length) : Arrays.copyOf(take(8), (length & 0x0F) << 12 | uint8());
    }

    int pick(int... from) {
        return from[uint8() % from.length];
    }
}
