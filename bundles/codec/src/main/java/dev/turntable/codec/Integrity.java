package dev.turntable.codec;

import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * MESSAGE-INTEGRITY (HMAC-SHA1, RFC 8489 §14.5) and MESSAGE-INTEGRITY-SHA256 (§14.6), computed over a message in place:
 * the length field is adjusted on the way into the code, the message itself is neither copied nor changed.
 *
 * <p>Not thread-safe, one per worker; any key at any time. Comparison takes the same time wherever two codes differ.
 */
public final class Integrity {
    /** Length in bytes of the value of MESSAGE-INTEGRITY. */
    public static final int SHA1_LENGTH = 20;

    /** Length in bytes of the value of MESSAGE-INTEGRITY-SHA256 that is not truncated. */
    public static final int SHA256_LENGTH = 32;

    private static final int MIN_SHA256_LENGTH = 16;
    private static final String HMAC_SHA1 = "HmacSHA1";
    private static final String HMAC_SHA256 = "HmacSHA256";

    private final Mac sha1 = mac(HMAC_SHA1);
    private final Mac sha256 = mac(HMAC_SHA256);
    private final byte[] chunk = new byte[512];

    /** Ready for use. */
    public Integrity() {}

    /** Whether MESSAGE-INTEGRITY-SHA256 may have a value of so many bytes: 16 to 32, a multiple of four. */
    public static boolean isSha256Length(int length) {
        return length >= MIN_SHA256_LENGTH && length <= SHA256_LENGTH && (length & 3) == 0;
    }

    /**
     * Whether an attribute of the message is the right MESSAGE-INTEGRITY or MESSAGE-INTEGRITY-SHA256 for the key. A
     * truncated SHA-256 is compared as far as it goes; who wants a minimum length looks at {@link
     * StunMessage#valueLength} first.
     *
     * @param index of the attribute; another type, or a length that its RFC section does not allow, is never right
     * @param key from {@link LongTermKey}, or the bytes of a short-term password; not empty
     */
    public boolean verify(StunMessage message, int index, byte[] key) {
        int type = message.typeAt(index);
        int length = message.valueLength(index);
        boolean possible = switch (type) {
            case AttributeType.MESSAGE_INTEGRITY -> length == SHA1_LENGTH;
            case AttributeType.MESSAGE_INTEGRITY_SHA256 -> isSha256Length(length);
            default -> false;
        };
        if (!possible) {
            return false;
        }
        int value = message.valueOffset(index);
        byte[] code = compute(type, message.bytes(), message.offset(), value - 4, value + length, key);
        int difference = 0;
        for (int i = 0; i < length; i++) {
            difference |= code[i] ^ message.bytes().get(value + i);
        }
        return difference == 0;
    }

    /**
     * The code of the message from {@code start} to {@code end}, with the length in its header as if it ended at {@code
     * attributeEnd}.
     */
    byte[] compute(int type, ByteBuffer bytes, int start, int end, int attributeEnd, byte[] key) {
        boolean isSha1 = type == AttributeType.MESSAGE_INTEGRITY;
        Mac mac = isSha1 ? sha1 : sha256;
        try {
            mac.init(new SecretKeySpec(key, isSha1 ? HMAC_SHA1 : HMAC_SHA256));
        } catch (InvalidKeyException e) {
            throw new IllegalStateException("HMAC takes any key", e);
        }
        int bodyLength = attributeEnd - start - StunMessage.HEADER_LENGTH;
        mac.update(bytes.get(start));
        mac.update(bytes.get(start + 1));
        mac.update((byte) (bodyLength >>> 8));
        mac.update((byte) bodyLength);
        update(mac, bytes, start + 4, end);
        return mac.doFinal();
    }

    private void update(Mac mac, ByteBuffer bytes, int from, int end) {
        if (bytes.hasArray()) {
            mac.update(bytes.array(), bytes.arrayOffset() + from, end - from);
            return;
        }
        // The absolute bulk read leaves the buffer's position alone and makes no second buffer object.
        for (int at = from; at < end; at += chunk.length) {
            int size = Math.min(chunk.length, end - at);
            bytes.get(at, chunk, 0, size);
            mac.update(chunk, 0, size);
        }
    }

    private static Mac mac(String algorithm) {
        try {
            return Mac.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }
}
