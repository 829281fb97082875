package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The test vectors of RFC 5769 and of RFC 8489, appendix B. */
class RfcVectorsTest {
    private static final byte[] SHORT_TERM_KEY = Samples.PASSWORD.getBytes(StandardCharsets.US_ASCII);

    private final Integrity integrity = new Integrity();

    @Test
    @Tag("RFC5769§2.1")
    void readsTheSampleRequest() {
        StunMessage message = Samples.decoded(Samples.REQUEST);
        assertEquals(Method.BINDING, message.method());
        assertEquals(MessageClass.REQUEST, message.messageClass());
        assertEquals(0xb7e7a701, message.transactionIdHigh());
        assertEquals(0xbc34d686fa87dfaeL, message.transactionIdLow());
        assertEquals("STUN test client", message.string(message.indexOf(AttributeType.SOFTWARE)));
        assertEquals("evtj:h6vY", message.string(message.indexOf(AttributeType.USERNAME)));
        assertEquals(0x6e0001ff, message.uint32(message.indexOf(AttributeType.PRIORITY)));
        assertEquals(0x932ff9b151263b36L, message.int64(message.indexOf(AttributeType.ICE_CONTROLLED)));
        assertIntegrity(message, AttributeType.MESSAGE_INTEGRITY, SHORT_TERM_KEY);
        assertTrue(Fingerprint.verify(message));
    }

    @Test
    @Tag("RFC5769§2.2")
    void readsTheSampleIpv4Response() {
        StunMessage message = Samples.decoded(Samples.IPV4_RESPONSE);
        assertEquals(MessageClass.SUCCESS, message.messageClass());
        assertEquals("192.0.2.1:32853", mappedAddress(message).toString());
        assertIntegrity(message, AttributeType.MESSAGE_INTEGRITY, SHORT_TERM_KEY);
        assertTrue(Fingerprint.verify(message));
    }

    @Test
    @Tag("RFC5769§2.3")
    void readsTheSampleIpv6Response() {
        StunMessage message = Samples.decoded(Samples.IPV6_RESPONSE);
        assertEquals(
                new InetSocketAddress("2001:db8:1234:5678:11:2233:4455:6677", 32853),
                mappedAddress(message).toInetSocketAddress());
        assertIntegrity(message, AttributeType.MESSAGE_INTEGRITY, SHORT_TERM_KEY);
        assertTrue(Fingerprint.verify(message));
    }

    @Test
    @Tag("RFC5769§2.4")
    void writesTheSampleRequestWithLongTermAuthenticationByteForByte() {
        byte[] key = LongTermKey.md5(Samples.MATRIX, "example.org", "TheMatrIX");
        assertIntegrity(Samples.decoded(Samples.LONG_TERM_REQUEST), AttributeType.MESSAGE_INTEGRITY, key);
        ByteBuffer target = Samples.dirty(200);
        int length = new StunWriter()
                .begin(target, 3, 0x0001, 0x78ad3433, 0xc6ad72c029da412eL)
                .string(AttributeType.USERNAME, Samples.MATRIX)
                .string(AttributeType.NONCE, "f//499k954d6OL34oL9FSTvy64sA")
                .string(AttributeType.REALM, "example.org")
                .messageIntegrity(integrity, key)
                .finish();
        assertArrayEquals(Samples.LONG_TERM_REQUEST, Samples.copy(target, 3, length));
    }

    @Test
    @Tag("RFC5769§2.2")
    @Tag("RFC5769§2.3")
    void writesTheXoredAddressesOfTheSampleResponses() {
        for (byte[] sample : new byte[][] {Samples.IPV4_RESPONSE, Samples.IPV6_RESPONSE}) {
            StunMessage message = Samples.decoded(sample);
            ByteBuffer target = Samples.dirty(100);
            StunWriter writer = new StunWriter();
            int length = writer.answer(target, 0, message, MessageClass.SUCCESS)
                    .xorAddress(AttributeType.XOR_MAPPED_ADDRESS, mappedAddress(message))
                    .finish();
            StunMessage written = Samples.decoded(Samples.copy(target, 0, length));
            assertArrayEquals(message.value(message.indexOf(AttributeType.XOR_MAPPED_ADDRESS)), written.value(0));
        }
    }

    @Test
    @Tag("RFC8489§B.1")
    void writesTheSampleRequestWithSha256ByteForByteAsErratum6268CorrectsIt() {
        byte[] key = LongTermKey.sha256(Samples.MATRIX, "example.org", "TheMatrIX");
        StunMessage message = Samples.decoded(Samples.SHA256_REQUEST);
        assertIntegrity(message, AttributeType.MESSAGE_INTEGRITY_SHA256, key);
        int algorithm = message.indexOf(AttributeType.PASSWORD_ALGORITHM);
        assertEquals(PasswordAlgorithms.SHA256, PasswordAlgorithms.algorithm(message, algorithm));
        ByteBuffer target = Samples.dirty(200);
        int length = new StunWriter()
                .begin(target, 0, 0x0001, 0x78ad3433, 0xc6ad72c029da412eL)
                .bytes(AttributeType.USERHASH, Userhash.of(Samples.MATRIX, "example.org"))
                .string(AttributeType.NONCE, "obMatJos2AAACf//499k954d6OL34oL9FSTvy64sA")
                .string(AttributeType.REALM, "example.org")
                .bytes(AttributeType.PASSWORD_ALGORITHM, PasswordAlgorithms.value(PasswordAlgorithms.SHA256))
                .messageIntegritySha256(integrity, key)
                .finish();
        assertArrayEquals(Samples.SHA256_REQUEST, Samples.copy(target, 0, length));
    }

    @Test
    @Tag("RFC8489§B.1")
    void refusesTheSampleRequestWithSha256AsItIsPrinted() {
        byte[] printed = Samples.SHA256_REQUEST_AS_PRINTED.clone();
        StunMessage message = new StunMessage();
        assertEquals(Verdict.BAD_LENGTH, message.decode(ByteBuffer.wrap(printed), 0, printed.length));
        printed[3] = (byte) (printed.length - StunMessage.HEADER_LENGTH);
        message = Samples.decoded(printed);
        int index = message.indexOf(AttributeType.MESSAGE_INTEGRITY_SHA256);
        assertFalse(integrity.verify(message, index, LongTermKey.sha256(Samples.MATRIX, "example.org", "TheMatrIX")));
    }

    @Test
    @Tag("RFC8489§9.2")
    void readsTheNonceCookieOfTheSampleWithBitZeroRightmostAsErratum6290SaysIt() {
        StunMessage message = Samples.decoded(Samples.SHA256_REQUEST);
        String nonce = message.string(message.indexOf(AttributeType.NONCE));
        assertEquals(NonceCookie.USERNAME_ANONYMITY, NonceCookie.features(nonce));
        assertTrue(nonce.startsWith(NonceCookie.of(NonceCookie.USERNAME_ANONYMITY)));
    }

    @Test
    @Tag("RFC8265§4.2")
    void refusesThePasswordBeforePreparationThatOnlySaslprepTakes() {
        // U+00AD is ignorable: SASLprep maps it to nothing, the PRECIS classes refuse it.
        assertNull(LongTermKey.md5(Samples.MATRIX, "example.org", "The\u00ADM\u00AAtr\u2168"));
    }

    private void assertIntegrity(StunMessage message, int type, byte[] key) {
        int index = message.indexOf(type);
        assertTrue(integrity.verify(message, index, key));
        byte[] otherKey = key.clone();
        otherKey[0] ^= 1;
        assertFalse(integrity.verify(message, index, otherKey));
    }

    private static TransportAddress mappedAddress(StunMessage message) {
        TransportAddress address = new TransportAddress();
        assertTrue(message.xorAddress(message.indexOf(AttributeType.XOR_MAPPED_ADDRESS), address));
        return address;
    }
}
