package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StunMessageTest {
    private static final String HEADER = "2112a442000102030405060708090a0b";

    private final StunMessage message = new StunMessage();

    @Test
    @Tag("RFC8489§5")
    void aHeaderAloneIsAMessage() {
        assertEquals(Verdict.OK, decode("00010000" + HEADER));
        assertEquals(0, message.count());
    }

    @Test
    @Tag("RFC8489§6.3")
    void saysWhatIsWrongAndWhetherItCanBeAnswered() {
        assertVerdict(Verdict.TOO_SHORT, false, "");
        assertVerdict(Verdict.TOO_SHORT, false, "00010000" + HEADER.substring(2));
        assertVerdict(Verdict.NOT_STUN, false, "40010000" + HEADER);
        assertVerdict(Verdict.NOT_STUN, false, "80010000" + HEADER);
        assertVerdict(Verdict.BAD_COOKIE, false, "000100002112a443000102030405060708090a0b");
        assertVerdict(Verdict.BAD_LENGTH, false, "00010004" + HEADER);
        assertVerdict(Verdict.BAD_LENGTH, false, "00010000" + HEADER + "80220000");
        assertVerdict(Verdict.TRUNCATED_ATTRIBUTE, true, "00010004" + HEADER + "80220001");
        assertVerdict(Verdict.TRUNCATED_ATTRIBUTE, true, "00010008" + HEADER + "8022000541424344");
        assertVerdict(Verdict.TRUNCATED_ATTRIBUTE, true, "00010008" + HEADER + "8022ffff41424344");
    }

    @Test
    @Tag("RFC8489§14")
    void anOddAttributeWithoutItsPaddingAndStrayBytesAtTheEndAreNoMessage() {
        assertVerdict(Verdict.BAD_LENGTH, false, "00010005" + HEADER + "8022000141");
        assertVerdict(Verdict.BAD_LENGTH, false, "00010009" + HEADER + "802200014100000000");
        assertVerdict(Verdict.BAD_LENGTH, false, "00010008" + HEADER + "80220001410000" + "0000");
        assertEquals(Verdict.OK, decode("00010008" + HEADER + "8022000141eeeeee"), "padding may be anything");
        assertEquals("A", message.string(0));
    }

    @Test
    @Tag("RFC8489§6.3")
    void keepsTypeAndTransactionIdOfWhatCanBeAnsweredAndNoneOfItsAttributes() {
        assertEquals(Verdict.TRUNCATED_ATTRIBUTE, decode("0003000c" + HEADER + "8022000141000000" + "000d0004"));
        assertEquals(Method.ALLOCATE, message.method());
        assertEquals(0x00010203, message.transactionIdHigh());
        assertEquals(0x0405060708090a0bL, message.transactionIdLow());
        assertEquals(0, message.count());
    }

    @Test
    @Tag("RFC8489§14.5")
    void ignoresWhatFollowsMessageIntegrityExceptSha256AndFingerprint() {
        String sha1 = attribute(AttributeType.MESSAGE_INTEGRITY, 20);
        String sha256 = attribute(AttributeType.MESSAGE_INTEGRITY_SHA256, 32);
        String print = attribute(AttributeType.FINGERPRINT, 4);
        String lifetime = attribute(AttributeType.LIFETIME, 4);
        assertCounts(
                lifetime + sha1 + lifetime + print,
                AttributeType.LIFETIME,
                AttributeType.MESSAGE_INTEGRITY,
                AttributeType.FINGERPRINT);
        assertCounts(
                sha1 + "7f010000" + sha256 + lifetime + print,
                AttributeType.MESSAGE_INTEGRITY,
                AttributeType.MESSAGE_INTEGRITY_SHA256,
                AttributeType.FINGERPRINT);
        assertCounts(
                sha256 + sha1 + lifetime + print, AttributeType.MESSAGE_INTEGRITY_SHA256, AttributeType.FINGERPRINT);
        assertCounts(sha1 + sha1, AttributeType.MESSAGE_INTEGRITY);
        assertCounts(print + lifetime + sha1, AttributeType.FINGERPRINT);
    }

    @Test
    @Tag("RFC8489§14.5")
    void anAttributeThatIsIgnoredHasToBeWholeAllTheSame() {
        String body = attribute(AttributeType.MESSAGE_INTEGRITY, 20) + "000d0008" + "00000000";
        assertEquals(Verdict.TRUNCATED_ATTRIBUTE, decodeBody(body));
    }

    @Test
    @Tag("RFC8489§6.3.1")
    @Tag("RFC8489§14.9")
    void namesEachUnknownRequiredTypeOnceAndNoOptionalOne() {
        assertEquals(
                Verdict.OK,
                decodeBody("7f010000" + "7f020000" + "fff00000" + "7f010000" + "7f030000" + "7f030000" + "00060000"));
        int[] unknown = new int[8];
        assertEquals(3, message.unknownRequired(AttributeSet.of(AttributeType.USERNAME), unknown));
        assertArrayEquals(new int[] {0x7f01, 0x7f02, 0x7f03}, Arrays.copyOf(unknown, 3));
        assertEquals(2, message.unknownRequired(AttributeSet.of(AttributeType.USERNAME), new int[2]));
        assertEquals(0, message.unknownRequired(AttributeSet.of(0x0006, 0x7f01, 0x7f02, 0x7f03), unknown));
    }

    @Test
    void refusesMoreAttributesThanItKeeps() {
        StunMessage small = new StunMessage(2);
        byte[] two = bytes("80220000" + "80220000");
        byte[] three = bytes("80220000" + "80220000" + "80220000");
        assertEquals(Verdict.OK, small.decode(ByteBuffer.wrap(two), 0, two.length));
        assertEquals(Verdict.TOO_MANY_ATTRIBUTES, small.decode(ByteBuffer.wrap(three), 0, three.length));
        assertTrue(Verdict.TOO_MANY_ATTRIBUTES.isAnswerable());
        assertEquals(0, small.count());
    }

    @Test
    void theLargestMessageOfEmptyAttributesIsReadWithoutComplaintButForTheirNumber() {
        byte[] large = bytes("80220000".repeat(0xFFFC / 4));
        assertEquals(0xFFFC + 20, large.length);
        assertEquals(Verdict.TOO_MANY_ATTRIBUTES, message.decode(ByteBuffer.wrap(large), 0, large.length));
        byte[] one = bytes("8022fff8" + "41".repeat(0xFFF8));
        assertEquals(Verdict.OK, message.decode(ByteBuffer.wrap(one), 0, one.length));
        assertEquals(0xFFF8, message.string(0).length());
    }

    @Test
    @Tag("RFC8489§14")
    void onlyTheFirstAttributeOfATypeIsFoundUnlessTheCallerLooksOn() {
        decodeBody("001200080001000000000000" + "0013000141000000" + "0013000142000000");
        int first = message.indexOf(AttributeType.DATA);
        assertEquals("A", message.string(first));
        assertEquals("B", message.string(message.indexOf(AttributeType.DATA, first + 1)));
        assertEquals(-1, message.indexOf(AttributeType.DATA, first + 2));
        assertTrue(message.has(AttributeType.XOR_PEER_ADDRESS));
        assertFalse(message.has(AttributeType.LIFETIME));
    }

    @Test
    @Tag("RFC8489§14.1")
    @Tag("RFC8489§14.2")
    void anAddressOfAnotherFamilyOrLengthIsMalformed() {
        TransportAddress address = new TransportAddress(1, 2, 3);
        String ipv4 = "0001" + "0050" + "c0000201";
        for (String value : new String[] {
            "",
            "0001",
            "00010050",
            ipv4 + "00",
            ipv4.substring(2),
            "0003" + "0050" + "c0000201",
            "0002" + "0050" + "c0000201",
            "0001" + "0050" + "00".repeat(16),
            "0002" + "0050" + "00".repeat(15)
        }) {
            decodeBody(attribute(AttributeType.XOR_PEER_ADDRESS, value));
            assertFalse(message.xorAddress(0, address), value);
            assertFalse(message.address(0, address), value);
            assertEquals(new TransportAddress(1, 2, 3), address, "unchanged");
        }
        decodeBody(attribute(AttributeType.XOR_PEER_ADDRESS, "ff" + ipv4.substring(2)));
        assertTrue(message.address(0, address), "the first byte is ignored");
        assertEquals("192.0.2.1:80", address.toString());
    }

    @Test
    @Tag("RFC8656§5")
    void anIpv4AddressInIpv6ClothingStaysRecognisable() {
        TransportAddress address = new TransportAddress();
        decodeBody(attribute(AttributeType.MAPPED_ADDRESS, "00020050" + "00".repeat(10) + "ffff7f000001"));
        assertTrue(message.address(0, address));
        assertTrue(address.mappedOnWire());
        assertTrue(address.isIPv4());
        decodeBody(attribute(AttributeType.MAPPED_ADDRESS, "000100507f000001"));
        assertTrue(message.address(0, address));
        assertFalse(address.mappedOnWire());
    }

    @Test
    @Tag("RFC8489§14.8")
    void readsErrorCodesAndRefusesThoseThatCannotBe() {
        decodeBody(attribute(AttributeType.ERROR_CODE, "00000414" + "41"));
        assertEquals(420, message.errorCode(0));
        assertEquals("A", message.reasonPhrase(0));
        decodeBody(attribute(AttributeType.ERROR_CODE, "ffffff" + "00"));
        assertEquals(-1, message.errorCode(0), "class 7");
        for (String value : new String[] {"", "000004", "00000214", "00000764", "00000464"}) {
            decodeBody(attribute(AttributeType.ERROR_CODE, value));
            assertEquals(-1, message.errorCode(0), value);
            assertNull(message.reasonPhrase(0));
        }
    }

    @Test
    void aNumberOfAnotherLengthIsMalformed() {
        decodeBody(attribute(AttributeType.LIFETIME, "ffffffff"));
        assertEquals(0xFFFFFFFFL, message.uint32(0));
        assertEquals(-1, message.uint8(0));
        assertEquals(-1, message.uint16(0));
        assertThrows(IllegalArgumentException.class, () -> message.int64(0));
        decodeBody(attribute(AttributeType.LIFETIME, "ffff"));
        assertEquals(-1, message.uint32(0));
        assertEquals(0xFFFF, message.uint16(0));
        decodeBody(attribute(AttributeType.EVEN_PORT, "80"));
        assertEquals(0x80, message.uint8(0));
    }

    @Test
    @Tag("RFC8489§14.3")
    void textThatIsNotUtf8IsMalformed() {
        for (String value : new String[] {"ff", "c3", "c0af", "eda080", "e383"}) {
            decodeBody(attribute(AttributeType.USERNAME, value));
            assertNull(message.string(0), value);
        }
        decodeBody(attribute(AttributeType.USERNAME, ""));
        assertEquals("", message.string(0));
    }

    @Test
    void neverChangesTheBufferWhateverItsKindOrder() {
        byte[] padded = new byte[Samples.REQUEST.length + 14];
        System.arraycopy(Samples.REQUEST, 0, padded, 7, Samples.REQUEST.length);
        ByteBuffer direct = ByteBuffer.allocateDirect(padded.length).put(padded);
        ByteBuffer sliced = ByteBuffer.wrap(padded).slice(2, padded.length - 2);
        for (ByteBuffer buffer :
                new ByteBuffer[] {ByteBuffer.wrap(padded.clone()), direct, sliced.asReadOnlyBuffer()}) {
            int offset = buffer.isReadOnly() ? 5 : 7;
            buffer.order(ByteOrder.LITTLE_ENDIAN)
                    .limit(buffer.limit() - 3)
                    .position(4)
                    .mark();
            byte[] before = Samples.copy(buffer, 0, buffer.limit());
            assertEquals(Verdict.OK, message.decode(buffer, offset, Samples.REQUEST.length));
            Samples.readAll(message);
            Integrity integrity = new Integrity();
            int index = message.indexOf(AttributeType.MESSAGE_INTEGRITY);
            assertTrue(integrity.verify(
                    message, index, Samples.PASSWORD.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));
            assertTrue(Fingerprint.verify(message));
            assertArrayEquals(before, Samples.copy(buffer, 0, buffer.limit()));
            assertEquals(4, buffer.position());
            assertEquals(ByteOrder.LITTLE_ENDIAN, buffer.order());
            assertEquals(padded.length - (buffer.isReadOnly() ? 5 : 3), buffer.limit());
            assertEquals(4, buffer.reset().position());
        }
    }

    @Test
    void readsNothingBeyondTheLimit() {
        ByteBuffer buffer = ByteBuffer.wrap(Samples.REQUEST).limit(50);
        assertThrows(IndexOutOfBoundsException.class, () -> message.decode(buffer, 0, 51));
        assertThrows(IndexOutOfBoundsException.class, () -> message.decode(buffer, -1, 20));
        assertThrows(IndexOutOfBoundsException.class, () -> message.decode(buffer, 40, Integer.MAX_VALUE));
        assertEquals(Verdict.BAD_LENGTH, message.decode(buffer, 0, 50));
    }

    @Test
    @Tag("RFC8489§14")
    void anAttributeDoesNotReachIntoWhatLiesBehindTheMessageInTheBuffer() {
        byte[] bytes = Samples.hex("00010008" + HEADER + "8022000541424344" + "45464748");
        assertEquals(Verdict.TRUNCATED_ATTRIBUTE, message.decode(ByteBuffer.wrap(bytes), 0, 28));
    }

    @Test
    void noTruncationOfAValidMessageIsAMessageAndNoneThrows() {
        for (byte[] sample : new byte[][] {
            Samples.REQUEST,
            Samples.IPV4_RESPONSE,
            Samples.IPV6_RESPONSE,
            Samples.LONG_TERM_REQUEST,
            Samples.SHA256_REQUEST
        }) {
            for (int length = 0; length < sample.length; length++) {
                byte[] cut = Arrays.copyOf(sample, length);
                Verdict verdict = message.decode(ByteBuffer.wrap(cut), 0, length);
                assertEquals(length < 20 ? Verdict.TOO_SHORT : Verdict.BAD_LENGTH, verdict);
                if (length >= 20 && length % 4 == 0) {
                    cut[2] = (byte) ((length - 20) >>> 8);
                    cut[3] = (byte) (length - 20);
                    verdict = message.decode(ByteBuffer.wrap(cut), 0, length);
                    assertTrue(verdict == Verdict.OK || verdict == Verdict.TRUNCATED_ATTRIBUTE);
                    Samples.readAll(message);
                }
            }
        }
    }

    @Test
    void noDamageToAValidMessageMakesAReaderThrow() {
        SplittableRandom random = new SplittableRandom(8489);
        Integrity integrity = new Integrity();
        for (byte[] sample : new byte[][] {Samples.REQUEST, Samples.IPV6_RESPONSE, Samples.SHA256_REQUEST}) {
            for (int at = 0; at < sample.length; at++) {
                for (int i = 0; i < 40; i++) {
                    byte[] damaged = sample.clone();
                    damaged[at] = (byte) random.nextInt();
                    if (message.decode(ByteBuffer.wrap(damaged), 0, damaged.length) == Verdict.OK) {
                        Samples.readAll(message);
                        Fingerprint.verify(message);
                        for (int index = 0; index < message.count(); index++) {
                            integrity.verify(message, index, new byte[16]);
                        }
                    }
                }
            }
        }
    }

    @Test
    void letsGoOfTheBufferWhenCleared() {
        decodeBody("80220000");
        assertNotNull(message.bytes());
        message.clear();
        assertNull(message.bytes());
        assertEquals(0, message.count());
    }

    private void assertVerdict(Verdict expected, boolean answerable, String hex) {
        assertEquals(expected, decode(hex), hex);
        assertEquals(answerable, expected.isAnswerable());
    }

    private void assertCounts(String body, int... types) {
        assertEquals(Verdict.OK, decodeBody(body));
        int[] counted = new int[message.count()];
        for (int i = 0; i < counted.length; i++) {
            counted[i] = message.typeAt(i);
        }
        assertArrayEquals(types, counted);
    }

    private Verdict decode(String hex) {
        byte[] bytes = Samples.hex(hex);
        return message.decode(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    private Verdict decodeBody(String body) {
        byte[] bytes = bytes(body);
        return message.decode(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    private static byte[] bytes(String body) {
        return Samples.hex(String.format("0001%04x", body.length() / 2) + HEADER + body);
    }

    private static String attribute(int type, int length) {
        return attribute(type, "ab".repeat(length));
    }

    private static String attribute(int type, String value) {
        int length = value.length() / 2;
        return String.format("%04x%04x", type, length) + value + "00".repeat(-length & 3);
    }
}
