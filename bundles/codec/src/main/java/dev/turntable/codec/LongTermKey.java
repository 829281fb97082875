package dev.turntable.codec;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * Keys of the long-term credential mechanism (RFC 8489 §9.2.2, §18.5.1): a digest of {@code username:realm:password},
 * each prepared as {@link OpaqueString}. The key of MD5 is what RFC 5389 §15.4 has too.
 */
public final class LongTermKey {
    /** Length in bytes of a key of MD5. */
    public static final int MD5_LENGTH = 16;

    /** Length in bytes of a key of SHA-256. */
    public static final int SHA256_LENGTH = 32;

    private LongTermKey() {}

    /** The key of MD5, 16 bytes; null if one of the three cannot be prepared. */
    public static byte[] md5(String username, String realm, String password) {
        return hashOfPrepared("MD5", username, realm, password);
    }

    /** The key of SHA-256, 32 bytes; null if one of the three cannot be prepared. */
    public static byte[] sha256(String username, String realm, String password) {
        return hashOfPrepared("SHA-256", username, realm, password);
    }

    /** The key of an algorithm of {@link PasswordAlgorithms}; null if it is unknown or one of the three is refused. */
    public static byte[] of(int algorithm, String username, String realm, String password) {
        return switch (algorithm) {
            case PasswordAlgorithms.MD5 -> md5(username, realm, password);
            case PasswordAlgorithms.SHA256 -> sha256(username, realm, password);
            default -> null;
        };
    }

    /** The digest of the parts, each prepared, with colons between; null if one is refused. */
    static byte[] hashOfPrepared(String algorithm, String... parts) {
        StringBuilder joined = new StringBuilder();
        for (String part : parts) {
            String prepared = OpaqueString.prepare(part);
            if (prepared == null) {
                return null;
            }
            joined.append(joined.isEmpty() ? "" : ":").append(prepared);
        }
        try {
            return MessageDigest.getInstance(algorithm).digest(joined.toString().getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }
}
