package dev.turntable.codec;

/**
 * The 14-bit message type, in which the two bits of the class sit between those of the method (RFC 8489 §5, figure 3).
 */
public final class MessageType {
    private static final int CLASS_LOW = 0x0010;
    private static final int CLASS_HIGH = 0x0100;

    private MessageType() {}

    /** The type of a message of a method (0..0xFFF) and a class (0..3). */
    public static int type(int method, int messageClass) {
        return (method & 0x000F)
                | (method & 0x0070) << 1
                | (method & 0x0F80) << 2
                | (messageClass & 0b01) << 4
                | (messageClass & 0b10) << 7;
    }

    /** The method of a type, 0..0xFFF. */
    public static int method(int type) {
        return (type & 0x000F) | (type & 0x00E0) >>> 1 | (type & 0x3E00) >>> 2;
    }

    /** The class of a type, one of {@link MessageClass}. */
    public static int messageClass(int type) {
        return (type & CLASS_LOW) >>> 4 | (type & CLASS_HIGH) >>> 7;
    }

    /** For logs, such as {@code Allocate error response}. */
    public static String name(int type) {
        return Method.name(method(type)) + " " + MessageClass.name(messageClass(type));
    }
}
