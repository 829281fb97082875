package dev.turntable.codec;

/** The value of USERHASH (RFC 8489 §14.4): the SHA-256 of user name and realm, each prepared as {@link OpaqueString}. */
public final class Userhash {
    /** Length of the value in bytes. */
    public static final int LENGTH = 32;

    private Userhash() {}

    /** The value for a user of a realm; null if one of the two cannot be prepared. */
    public static byte[] of(String username, String realm) {
        return LongTermKey.hashOfPrepared("SHA-256", username, realm);
    }
}
