package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PasswordAlgorithmsTest {
    @Test
    @Tag("RFC8489§14.11")
    @Tag("RFC8489§9.2.4")
    void theListThatWasOfferedIsKnownAgainByteForByte() {
        byte[] offered = PasswordAlgorithms.value(PasswordAlgorithms.SHA256, PasswordAlgorithms.MD5);
        assertEquals("0002000000010000", Samples.hex(offered));
        StunMessage same = message(AttributeType.PASSWORD_ALGORITHMS, offered);
        assertTrue(same.valueEquals(0, offered));
        assertEquals(2, PasswordAlgorithms.count(same, 0));
        assertTrue(PasswordAlgorithms.contains(same, 0, PasswordAlgorithms.MD5));
        assertTrue(PasswordAlgorithms.contains(same, 0, PasswordAlgorithms.SHA256));
        assertFalse(PasswordAlgorithms.contains(same, 0, 3));
        StunMessage bidDown = message(AttributeType.PASSWORD_ALGORITHMS, PasswordAlgorithms.value(1));
        assertFalse(bidDown.valueEquals(0, offered));
    }

    @Test
    @Tag("RFC8489§14.12")
    void readsOneAlgorithmWithItsParametersAndRefusesWhatIsCutOff() {
        assertEquals(2, algorithm("00020000"));
        assertEquals(5, algorithm("00050003010203"));
        assertEquals(5, algorithm("0005000301020300"));
        for (String malformed :
                new String[] {"", "0002", "000200", "00020001", "00020000" + "00010000", "0005ffff01020304"}) {
            assertEquals(-1, algorithm(malformed), malformed);
        }
    }

    @Test
    @Tag("RFC8489§14.11")
    void aListMayHaveParametersAndAMalformedOneHasNothing() {
        byte[] list = Samples.hex("0005000101000000" + "00020000" + "0006000401020304");
        StunMessage message = message(AttributeType.PASSWORD_ALGORITHMS, list);
        assertEquals(3, PasswordAlgorithms.count(message, 0));
        assertTrue(PasswordAlgorithms.contains(message, 0, 2));
        assertTrue(PasswordAlgorithms.contains(message, 0, 6));
        message = message(AttributeType.PASSWORD_ALGORITHMS, Samples.hex("00020000" + "0001"));
        assertEquals(-1, PasswordAlgorithms.count(message, 0));
        assertFalse(PasswordAlgorithms.contains(message, 0, 2));
    }

    @Test
    @Tag("RFC8489§9.2")
    void aNonceCookieTellsTheFeaturesWithBitZeroRightmost() {
        assertEquals("obMatJos2AAAB", NonceCookie.of(NonceCookie.PASSWORD_ALGORITHMS));
        assertEquals("obMatJos2AAAC", NonceCookie.of(NonceCookie.USERNAME_ANONYMITY));
        assertEquals("obMatJos2AAAA", NonceCookie.of(0));
        assertEquals(NonceCookie.LENGTH, NonceCookie.of(3).length());
        for (int features : new int[] {0, 1, 2, 3, 0x123456, 0xFFFFFF}) {
            assertEquals(features, NonceCookie.features(NonceCookie.of(features) + "more"));
        }
        for (String nonce :
                new String[] {"", "obMatJos2", "obMatJos2AAA", "obMatJos3AAAA", "obMatJos2AA=A", "xobMatJos2AAAA"}) {
            assertEquals(-1, NonceCookie.features(nonce), nonce);
        }
    }

    private static int algorithm(String hex) {
        return PasswordAlgorithms.algorithm(message(AttributeType.PASSWORD_ALGORITHM, Samples.hex(hex)), 0);
    }

    private static StunMessage message(int type, byte[] value) {
        ByteBuffer target = Samples.dirty(100);
        int length = new StunWriter()
                .begin(target, 0, 0x0001, 1, 2)
                .bytes(type, value)
                .finish();
        return Samples.decoded(Samples.copy(target, 0, length));
    }
}
