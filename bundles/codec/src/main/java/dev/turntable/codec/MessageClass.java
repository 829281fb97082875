package dev.turntable.codec;

/** The four classes of a STUN message (RFC 8489 §5); 2 bits. */
public final class MessageClass {
    public static final int REQUEST = 0b00;
    public static final int INDICATION = 0b01;
    public static final int SUCCESS = 0b10;
    public static final int ERROR = 0b11;

    private MessageClass() {}

    /** The name as RFC 8489 §5 has it. */
    public static String name(int messageClass) {
        return switch (messageClass) {
            case REQUEST -> "request";
            case INDICATION -> "indication";
            case SUCCESS -> "success response";
            case ERROR -> "error response";
            default -> throw new IllegalArgumentException("a class has two bits: " + messageClass);
        };
    }
}
