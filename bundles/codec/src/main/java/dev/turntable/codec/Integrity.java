package dev.turntable.codec;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * MESSAGE-INTEGRITY (HMAC-SHA1, RFC 8489 §14.5) and MESSAGE-INTEGRITY-SHA256 (§14.6), computed over a message in place:
 * the length field is adjusted on the way into the digest, the message itself is neither copied nor changed.
 *
 * <p>Not thread-safe, one per worker; any key at any time. Comparison takes the same time wherever two codes differ.
 */
public final class Integrity {
    /** Length in bytes of the value of MESSAGE-INTEGRITY. */
    public static final int SHA1_LENGTH = 20;

    /** Length in bytes of the value of MESSAGE-INTEGRITY-SHA256 that is not truncated. */
    public static final int SHA256_LENGTH = 32;

    private static final int MIN_SHA256_LENGTH = 16;
    private static final int BLOCK = 64;
    private static final byte INNER = 0x36;
    private static final byte OUTER = 0x5C;

    private final MessageDigest sha1 = digest("SHA-1");
    private final MessageDigest sha256 = digest("SHA-256");
    private final byte[] pad = new byte[BLOCK];
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
     * @param key from {@link LongTermKey}, or a short-term password
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
     * attributeEnd}. The result is an array of this object and good until the next call.
     */
    byte[] compute(int type, ByteBuffer bytes, int start, int end, int attributeEnd, byte[] key) {
        MessageDigest digest = type == AttributeType.MESSAGE_INTEGRITY ? sha1 : sha256;
        byte[] shortKey = key.length > BLOCK ? digest.digest(key) : key;
        updateWithKey(digest, shortKey, INNER);
        int bodyLength = attributeEnd - start - StunMessage.HEADER_LENGTH;
        digest.update(bytes.get(start));
        digest.update(bytes.get(start + 1));
        digest.update((byte) (bodyLength >>> 8));
        digest.update((byte) bodyLength);
        update(digest, bytes, start + 4, end);
        byte[] inner = digest.digest();
        updateWithKey(digest, shortKey, OUTER);
        digest.update(inner);
        return digest.digest();
    }

    private void updateWithKey(MessageDigest digest, byte[] key, byte mask) {
        Arrays.fill(pad, mask);
        for (int i = 0; i < key.length; i++) {
            pad[i] ^= key[i];
        }
        digest.update(pad);
    }

    private void update(MessageDigest digest, ByteBuffer bytes, int from, int end) {
        if (bytes.hasArray()) {
            digest.update(bytes.array(), bytes.arrayOffset() + from, end - from);
            return;
        }
        // The absolute bulk read leaves the buffer's position alone and makes no second buffer object.
        for (int at = from; at < end; at += chunk.length) {
            int size = Math.min(chunk.length, end - at);
            bytes.get(at, chunk, 0, size);
            digest.update(chunk, 0, size);
        }
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }
}
