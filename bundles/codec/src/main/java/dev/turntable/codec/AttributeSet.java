package dev.turntable.codec;

/**
 * A fixed set of attribute types, such as those that a request of one method may carry. Immutable; {@link #contains} is
 * one look into an array, for the path of a packet.
 */
public final class AttributeSet {
    private final long[] bits = new long[0x10000 / Long.SIZE];

    private AttributeSet() {}

    /** The set of these types, each 0..0xFFFF. */
    public static AttributeSet of(int... types) {
        AttributeSet set = new AttributeSet();
        for (int type : types) {
            set.bits[type >>> 6] |= 1L << type;
        }
        return set;
    }

    /** Whether the type (0..0xFFFF) is in the set. */
    public boolean contains(int type) {
        return (bits[type >>> 6] & 1L << type) != 0;
    }
}
