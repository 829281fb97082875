package dev.turntable.transport;

import java.nio.ByteBuffer;

/** The five-tuple of an association; one object is the question, the others are keys of a table and stay as they are. */
final class DtlsTuple {
    private final long seed;
    private int localEnd;
    private long hi;
    private long lo;
    private int port;

    /** @param seed keeps clients from choosing ports that meet in one place of the table */
    DtlsTuple(long seed) {
        this.seed = seed;
    }

    DtlsTuple set(int localEnd, long hi, long lo, int port) {
        this.localEnd = localEnd;
        this.hi = hi;
        this.lo = lo;
        this.port = port;
        return this;
    }

    DtlsTuple copy() {
        return new DtlsTuple(seed).set(localEnd, hi, lo, port);
    }

    /** What a cookie is bound to besides the hello. */
    byte[] toBytes() {
        return ByteBuffer.allocate(24)
                .putInt(localEnd)
                .putLong(hi)
                .putLong(lo)
                .putInt(port)
                .array();
    }

    long hi() {
        return hi;
    }

    long lo() {
        return lo;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DtlsTuple that
                && that.localEnd == localEnd
                && that.hi == hi
                && that.lo == lo
                && that.port == port;
    }

    @Override
    public int hashCode() {
        long mixed = mix(mix(mix(seed ^ hi) ^ lo) ^ ((long) localEnd << 16 | port));
        return (int) (mixed >>> 32);
    }

    private static long mix(long bits) {
        long half = (bits ^ bits >>> 32) * 0x9e3779b97f4a7c15L;
        return half ^ half >>> 29;
    }
}
