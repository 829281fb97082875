package dev.turntable.relay;

import dev.turntable.codec.NonceCookie;
import dev.turntable.codec.StunMessage;
import dev.turntable.state.ClientPath;
import dev.turntable.state.NonceKeys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Nonces that need no memory (RFC 8489 §9.2, RFC 8656 §5): the nonce cookie, then in base64 the number of a key, the second of making,
 * a count, and a seal (HMAC-SHA256, truncated) over all that and the client's transport address. So a nonce is good for one client
 * alone, no two are alike, and whoever has not the key can neither make nor foretell one.
 */
final class Nonces {
    private static final int KEY_NUMBER_BYTES = 2;
    private static final int FACTS = KEY_NUMBER_BYTES + Integer.BYTES + Short.BYTES;
    private static final int SEAL = 10;

    /** Workers read their clocks at different moments, and a client may come to another one. */
    private static final int CLOCK_SKEW_SECONDS = 2;

    private static final int SEALED = NonceCookie.LENGTH + FACTS + 2 * Long.BYTES + Short.BYTES;

    /** Length of a nonce in characters: base64 of 18 bytes needs no padding. */
    static final int LENGTH = NonceCookie.LENGTH + (FACTS + SEAL) / 3 * 4;

    private final NonceKeys keys;

    /** Makes seals; one per worker. */
    static final class Seal {
        private final Mac mac;
        private final ByteBuffer sealed = ByteBuffer.allocate(SEALED);
        private short count;

        Seal() {
            try {
                mac = Mac.getInstance("HmacSHA256");
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every Java platform has HmacSHA256", e);
            }
        }

        private byte[] over(byte[] cookie, byte[] facts, ClientPath path, byte[] key) {
            sealed.clear()
                    .put(cookie, 0, NonceCookie.LENGTH)
                    .put(facts, 0, FACTS)
                    .putLong(path.clientHi())
                    .putLong(path.clientLo())
                    .putShort((short) path.clientPort());
            try {
                // The key is asked for anew each time: it belongs to the state, which forgets it in time.
                mac.init(new SecretKeySpec(key, "HmacSHA256"));
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("a key of " + key.length + " bytes", e);
            }
            return mac.doFinal(sealed.array());
        }
    }

    Nonces(NonceKeys keys) {
        this.keys = keys;
    }

    /**
     * A nonce for a client.
     *
     * @param features of {@link NonceCookie}
     */
    byte[] make(Desk desk, ClientPath path, int features) {
        long now = desk.worker.now();
        int number = keys.currentNumber(now);
        byte[] cookie = NonceCookie.of(features).getBytes(StandardCharsets.US_ASCII);
        byte[] facts = ByteBuffer.allocate(FACTS + SEAL)
                .putShort((short) number)
                .putInt((int) TimeUnit.NANOSECONDS.toSeconds(now))
                .putShort(desk.seal.count++)
                .array();
        byte[] seal = desk.seal.over(cookie, facts, path, keys.key(number, now));
        System.arraycopy(seal, 0, facts, FACTS, SEAL);
        byte[] nonce = Arrays.copyOf(cookie, LENGTH);
        byte[] text = Base64.getEncoder().encode(facts);
        System.arraycopy(text, 0, nonce, NonceCookie.LENGTH, text.length);
        return nonce;
    }

    /**
     * Checks the nonce of a request.
     *
     * @return the features that it was made with; -1 where it is not one of this server for this client, or too old
     */
    int verify(Desk desk, ClientPath path, StunMessage message, int index, int lifetimeSeconds) {
        if (message.valueLength(index) != LENGTH) {
            return -1;
        }
        byte[] nonce = message.value(index);
        int features = NonceCookie.features(new String(nonce, 0, NonceCookie.LENGTH, StandardCharsets.ISO_8859_1));
        byte[] facts = decode(nonce);
        if (features < 0 || facts == null) {
            return -1;
        }
        long now = desk.worker.now();
        ByteBuffer read = ByteBuffer.wrap(facts);
        byte[] key = keys.key(numberOf(read.getShort() & 0xFFFF, keys.currentNumber(now)), now);
        long ageSeconds = TimeUnit.NANOSECONDS.toSeconds(now) - read.getInt();
        if (key == null || ageSeconds < -CLOCK_SKEW_SECONDS || ageSeconds >= lifetimeSeconds) {
            return -1;
        }
        byte[] expected = Arrays.copyOf(desk.seal.over(nonce, facts, path, key), SEAL);
        byte[] given = Arrays.copyOfRange(facts, FACTS, FACTS + SEAL);
        return MessageDigest.isEqual(expected, given) ? features : -1;
    }

    /** The key number that ends in these 16 bits and is not past the current one. */
    private static int numberOf(int low, int current) {
        int number = (current & ~0xFFFF) | low;
        return number > current ? number - 0x1_0000 : number;
    }

    private static byte[] decode(byte[] nonce) {
        try {
            byte[] facts = Base64.getDecoder().decode(Arrays.copyOfRange(nonce, NonceCookie.LENGTH, LENGTH));
            return facts.length == FACTS + SEAL ? facts : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
