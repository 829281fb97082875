package dev.turntable.codec;

/** Numbers of the STUN methods (RFC 8489 §18.2, RFC 8656 §17, RFC 6062 §6.1); 12 bits, 0x000..0xFFF. */
public final class Method {
    public static final int BINDING = 0x001;
    public static final int ALLOCATE = 0x003;
    public static final int REFRESH = 0x004;
    public static final int SEND = 0x006;
    public static final int DATA = 0x007;
    public static final int CREATE_PERMISSION = 0x008;
    public static final int CHANNEL_BIND = 0x009;
    public static final int CONNECT = 0x00A;
    public static final int CONNECTION_BIND = 0x00B;
    public static final int CONNECTION_ATTEMPT = 0x00C;
    public static final int GOOG_PING = 0x080;

    private Method() {}

    /**
     * Whether a message of this method and class can exist. RFC 8489 §6.3 has a message whose method does not allow its
     * class discarded; Send, Data and ConnectionAttempt are indications only, Binding is both, the other methods are
     * requests. Unknown methods allow nothing.
     */
    public static boolean allows(int method, int messageClass) {
        boolean indication = messageClass == MessageClass.INDICATION;
        return switch (method) {
            case BINDING -> true;
            case SEND, DATA, CONNECTION_ATTEMPT -> indication;
            case ALLOCATE, REFRESH, CREATE_PERMISSION, CHANNEL_BIND, CONNECT, CONNECTION_BIND, GOOG_PING -> !indication;
            default -> false;
        };
    }

    /** The registered name, or the number in hexadecimal. */
    public static String name(int method) {
        return switch (method) {
            case BINDING -> "Binding";
            case ALLOCATE -> "Allocate";
            case REFRESH -> "Refresh";
            case SEND -> "Send";
            case DATA -> "Data";
            case CREATE_PERMISSION -> "CreatePermission";
            case CHANNEL_BIND -> "ChannelBind";
            case CONNECT -> "Connect";
            case CONNECTION_BIND -> "ConnectionBind";
            case CONNECTION_ATTEMPT -> "ConnectionAttempt";
            case GOOG_PING -> "GOOG-PING";
            default -> String.format("0x%03X", method);
        };
    }
}
