package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class IntegrityTest {
    private static final byte[] KEY = LongTermKey.sha256("alice", "example.org", "secret");

    private final Integrity integrity = new Integrity();
    private final StunWriter writer = new StunWriter();

    @Test
    @Tag("RFC8489§14.6")
    void readsAndWritesEveryTruncationOfSha256() {
        for (int length = 16; length <= 32; length += 4) {
            StunMessage message = sha256(length);
            int index = message.indexOf(AttributeType.MESSAGE_INTEGRITY_SHA256);
            assertEquals(length, message.valueLength(index));
            assertTrue(integrity.verify(message, index, KEY));
        }
    }

    @Test
    @Tag("RFC8489§14.6")
    void anAllowedTruncationIsNotAPrefixThatAnybodyCanCutOff() {
        // The length in the header is part of what is signed, so 16 bytes cut from 32 are not the code of 16 bytes.
        byte[] whole = bytes(sha256(32));
        byte[] cut = Arrays.copyOf(whole, whole.length - 16);
        cut[3] -= 16;
        cut[cut.length - 16 - 1] -= 16;
        StunMessage message = Samples.decoded(cut);
        assertFalse(integrity.verify(message, message.count() - 1, KEY));
    }

    @Test
    @Tag("RFC8489§14.5")
    @Tag("RFC8489§14.6")
    void anotherLengthIsNeverRight() {
        for (int length : new int[] {0, 4, 12, 16, 19, 21, 24, 32}) {
            assertFalse(verifyRaw(AttributeType.MESSAGE_INTEGRITY, length), "SHA-1 of " + length);
        }
        for (int length : new int[] {0, 4, 12, 15, 17, 31, 33, 36}) {
            assertFalse(verifyRaw(AttributeType.MESSAGE_INTEGRITY_SHA256, length), "SHA-256 of " + length);
        }
        assertFalse(verifyRaw(AttributeType.USERNAME, 20), "another attribute");
    }

    @Test
    @Tag("RFC8489§14.5")
    void noBitUpToTheAttributeCanBeChangedUnnoticed() {
        byte[] whole = bytes(sha256(32));
        StunMessage message = new StunMessage();
        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] changed = whole.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            if (message.decode(ByteBuffer.wrap(changed), 0, changed.length) == Verdict.OK) {
                int index = message.indexOf(AttributeType.MESSAGE_INTEGRITY_SHA256);
                assertFalse(index >= 0 && integrity.verify(message, index, KEY), "bit " + bit);
            }
        }
    }

    @Test
    void aKeyMayBeLongerThanABlockAndAMessageLongerThanAChunk() {
        byte[] longKey = "k".repeat(100).getBytes(StandardCharsets.US_ASCII);
        for (int size : new int[] {0, 1, 400, 507, 508, 512, 1024, 5000}) {
            ByteBuffer target = Samples.dirty(6000);
            int length = writer.begin(target, 0, 0x0001, 1, 2)
                    .bytes(AttributeType.DATA, new byte[size])
                    .messageIntegrity(integrity, longKey)
                    .finish();
            StunMessage direct = new StunMessage();
            assertEquals(Verdict.OK, direct.decode(target, 0, length));
            assertTrue(integrity.verify(direct, 1, longKey));
            assertTrue(integrity.verify(Samples.decoded(Samples.copy(target, 0, length)), 1, longKey));
        }
    }

    @Test
    @Tag("RFC8489§14.7")
    void aFingerprintHasToBeRightAndLast() {
        assertTrue(Fingerprint.verify(Samples.decoded(Samples.REQUEST)));
        byte[] changed = Samples.REQUEST.clone();
        changed[30] ^= 1;
        assertFalse(Fingerprint.verify(Samples.decoded(changed)));
        assertFalse(Fingerprint.verify(Samples.decoded(Samples.LONG_TERM_REQUEST)), "none");
        ByteBuffer target = Samples.dirty(100);
        int length = writer.begin(target, 0, 0x0001, 1, 2)
                .fingerprint()
                .empty(AttributeType.DONT_FRAGMENT)
                .finish();
        Wire.put32(target, 24, Fingerprint.of(target, 0, 20));
        assertFalse(Fingerprint.verify(Samples.decoded(Samples.copy(target, 0, length))), "not last");
        length = writer.begin(target, 0, 0x0001, 1, 2)
                .empty(AttributeType.FINGERPRINT)
                .finish();
        assertFalse(Fingerprint.verify(Samples.decoded(Samples.copy(target, 0, length))), "no value");
    }

    @Test
    @Tag("RFC8489§9.2.2")
    void aKeyIsTheDigestOfPreparedNameRealmAndPassword() {
        assertEquals("8493fbc53ba582fb4c044c456bdc40eb", Samples.hex(LongTermKey.md5("user", "realm", "pass")));
        byte[] key = LongTermKey.sha256("us\u00A0er", "realm", "A\u030A");
        assertArrayEquals(key, LongTermKey.of(PasswordAlgorithms.SHA256, "us er", "realm", "\u00C5"));
        assertArrayEquals(LongTermKey.md5("a", "b", "c"), LongTermKey.of(PasswordAlgorithms.MD5, "a", "b", "c"));
        assertNull(LongTermKey.of(3, "a", "b", "c"));
        assertNull(LongTermKey.md5("a\u0000", "b", "c"));
        assertNull(LongTermKey.md5("a", "", "c"));
        assertEquals(LongTermKey.MD5_LENGTH, LongTermKey.md5("a", "b", "c").length);
        assertEquals(LongTermKey.SHA256_LENGTH, key.length);
    }

    @Test
    @Tag("RFC8489§14.4")
    void aUserhashIsTheSha256OfPreparedNameAndRealm() {
        StunMessage message = Samples.decoded(Samples.SHA256_REQUEST);
        byte[] hash = Userhash.of(Samples.MATRIX, "example.org");
        assertTrue(message.valueEquals(message.indexOf(AttributeType.USERHASH), hash));
        assertEquals(Userhash.LENGTH, hash.length);
        assertNull(Userhash.of("\u200D", "example.org"));
    }

    private StunMessage sha256(int length) {
        ByteBuffer target = Samples.dirty(200);
        int size = writer.begin(target, 0, 0x0003, 1, 2)
                .string(AttributeType.USERNAME, "alice")
                .messageIntegritySha256(integrity, KEY, length)
                .finish();
        return Samples.decoded(Samples.copy(target, 0, size));
    }

    /** A message whose code is right for its length, so that only the length can be wrong. */
    private boolean verifyRaw(int type, int length) {
        ByteBuffer target = Samples.dirty(200);
        int end = 20 + 4 + length;
        writer.begin(target, 0, 0x0001, 1, 2).bytes(type, new byte[length]).finish();
        byte[] code = integrity.compute(type, target, 0, 20, end, KEY);
        int size = writer.begin(target, 0, 0x0001, 1, 2)
                .bytes(type, Arrays.copyOf(code, length))
                .finish();
        return integrity.verify(Samples.decoded(Samples.copy(target, 0, size)), 0, KEY);
    }

    private static byte[] bytes(StunMessage message) {
        return Samples.copy(message.bytes(), message.offset(), message.length());
    }
}
