package dev.turntable.codec;

/**
 * The nonce cookie (RFC 8489 §9.2): the first 13 characters of a NONCE, {@code obMatJos2} and the 24 bits of the security
 * feature set (§18.1) in base64. Bit 0 is the rightmost one (erratum 6290).
 */
public final class NonceCookie {
    /** The nine characters that say that a security feature set follows. */
    public static final String PREFIX = "obMatJos2";

    /** Length of the cookie in characters and bytes. */
    public static final int LENGTH = PREFIX.length() + 4;

    /** Bit 0: PASSWORD-ALGORITHMS is supported. */
    public static final int PASSWORD_ALGORITHMS = 1;

    /** Bit 1: USERHASH is supported. */
    public static final int USERNAME_ANONYMITY = 1 << 1;

    private static final String BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    private NonceCookie() {}

    /** The cookie of a feature set of 24 bits. */
    public static String of(int features) {
        StringBuilder cookie = new StringBuilder(LENGTH).append(PREFIX);
        for (int shift = 18; shift >= 0; shift -= 6) {
            cookie.append(BASE64.charAt(features >>> shift & 0x3F));
        }
        return cookie.toString();
    }

    /** The feature set in a nonce; -1 if it does not begin with a cookie. */
    public static int features(String nonce) {
        if (nonce.length() < LENGTH || !nonce.startsWith(PREFIX)) {
            return -1;
        }
        int features = 0;
        for (int i = PREFIX.length(); i < LENGTH; i++) {
            int digit = BASE64.indexOf(nonce.charAt(i));
            if (digit < 0) {
                return -1;
            }
            features = features << 6 | digit;
        }
        return features;
    }
}
