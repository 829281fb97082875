package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StunWriterTest {
    private static final byte[] KEY = LongTermKey.md5("alice", "example.org", "secret");

    private final StunWriter writer = new StunWriter();
    private final Integrity integrity = new Integrity();

    @Test
    @Tag("RFC8489§14")
    void everyByteOfPaddingIsZeroWhateverTheBufferHeld() {
        for (int size = 0; size <= 9; size++) {
            String text = "x".repeat(size);
            ByteBuffer target = Samples.dirty(700);
            int length = writer.begin(target, 0, 0x0113, 1, 2)
                    .string(AttributeType.SOFTWARE, text)
                    .string(AttributeType.REALM, "é".repeat(size))
                    .bytes(AttributeType.DATA, new byte[size])
                    .bytes(AttributeType.MOBILITY_TICKET, ByteBuffer.wrap(new byte[20]), 3, size)
                    .errorCode(401, text)
                    .errorCode(401, "é".repeat(size))
                    .unknownAttributes(new int[] {1, 2, 3, 4, 5, 6, 7, 8, 9}, size)
                    .uint8(AttributeType.EVEN_PORT, 0x80)
                    .uint16(AttributeType.RESPONSE_PORT, 3478)
                    .empty(AttributeType.DONT_FRAGMENT)
                    .addressErrorCode(2, 440)
                    .finish();
            int padding = 0;
            int at = 20;
            while (at < length) {
                int valueLength = Wire.uint16(target, at + 2);
                for (int i = valueLength; i < Wire.padded(valueLength); i++) {
                    assertEquals(0, target.get(at + 4 + i));
                    padding++;
                }
                at += 4 + Wire.padded(valueLength);
            }
            assertTrue(padding > 0);
            assertEquals(length, at);
            assertEquals((byte) 0xEE, target.get(length), "nothing behind the end");
        }
    }

    @Test
    @Tag("RFC8489§14.8")
    void theLengthOfErrorCodeIsThatBeforePadding() {
        String reason = "a reason of 21 bytes.";
        ByteBuffer target = Samples.dirty(100);
        int length =
                writer.begin(target, 0, 0x0118, 1, 2).errorCode(403, reason).finish();
        assertEquals(20 + 4 + 28, length);
        assertEquals(25, Wire.uint16(target, 22));
        StunMessage message = Samples.decoded(Samples.copy(target, 0, length));
        assertEquals(403, message.errorCode(0));
        assertEquals(reason, message.reasonPhrase(0));
    }

    @Test
    @Tag("RFC8489§14.9")
    void theLengthOfUnknownAttributesIsTwoBytesForEachType() {
        ByteBuffer target = Samples.dirty(100);
        int length = writer.begin(target, 0, 0x0111, 1, 2)
                .errorCode(ErrorCode.UNKNOWN_ATTRIBUTE)
                .unknownAttributes(new int[] {0x7f01, 0x7f02, 0x7f03, 0x7f04}, 3)
                .finish();
        StunMessage message = Samples.decoded(Samples.copy(target, 0, length));
        int index = message.indexOf(AttributeType.UNKNOWN_ATTRIBUTES);
        assertEquals("7f017f027f03", Samples.hex(message.value(index)));
        assertEquals(0, Wire.uint16(target, length - 2));
    }

    @Test
    @Tag("RFC8489§6.3.1.1")
    void anAnswerHasTheMethodAndTheTransactionIdOfItsRequest() {
        for (int method :
                new int[] {Method.BINDING, Method.ALLOCATE, Method.CREATE_PERMISSION, Method.CONNECTION_BIND}) {
            ByteBuffer target = Samples.dirty(100);
            int type = MessageType.type(method, MessageClass.REQUEST);
            int length = writer.begin(target, 0, type, 0x01020304, 0x05060708090a0b0cL)
                    .finish();
            StunMessage request = Samples.decoded(Samples.copy(target, 0, length));
            for (int messageClass : new int[] {MessageClass.SUCCESS, MessageClass.ERROR}) {
                length = writer.answer(target, 40, request, messageClass).finish();
                StunMessage answer = Samples.decoded(Samples.copy(target, 40, length));
                assertEquals(method, answer.method());
                assertEquals(messageClass, answer.messageClass());
                assertEquals(0x01020304, answer.transactionIdHigh());
                assertEquals(0x05060708090a0b0cL, answer.transactionIdLow());
            }
        }
    }

    @Test
    void whatDoesNotFitIsAValueAndNothingIsWrittenBeyondTheLimit() {
        int needed = writeMessage(Samples.dirty(300), 0);
        for (int room = 0; room < needed; room++) {
            ByteBuffer target = Samples.dirty(300).limit(room);
            assertEquals(-1, writeMessage(target, 0));
            assertFalse(writer.fits());
            target.limit(300);
            assertEquals((byte) 0xEE, target.get(room));
        }
        assertEquals(needed, writeMessage(Samples.dirty(300).limit(needed), 0));
        assertEquals(-1, writeMessage(Samples.dirty(300), -1));
        assertEquals(-1, writeMessage(Samples.dirty(300), 290));
        assertEquals(needed, writeMessage(Samples.dirty(300), 10), "and the writer works on");
    }

    @Test
    void aMessageLongerThanItsLengthFieldCanSayDoesNotFit() {
        ByteBuffer target = ByteBuffer.allocate(80_000);
        assertEquals(
                -1,
                writer.begin(target, 0, 0x0016, 1, 2)
                        .bytes(AttributeType.DATA, new byte[0xFFF9])
                        .finish());
        assertEquals(
                20 + 0xFFFC,
                writer.begin(target, 0, 0x0016, 1, 2)
                        .bytes(AttributeType.DATA, new byte[0xFFF8])
                        .finish());
    }

    @Test
    void leavesPositionLimitAndOrderOfTheBufferAlone() {
        ByteBuffer target = ByteBuffer.allocate(400).order(ByteOrder.LITTLE_ENDIAN);
        target.position(7).limit(390);
        int length = writeMessage(target, 3);
        assertEquals(7, target.position());
        assertEquals(390, target.limit());
        ByteBuffer other = Samples.dirty(400);
        assertEquals(length, writeMessage(other, 0));
        assertArrayEquals(Samples.copy(other, 0, length), Samples.copy(target, 3, length));
    }

    @Test
    @Tag("RFC8489§14.5")
    @Tag("RFC8489§14.6")
    @Tag("RFC8489§14.7")
    void bothIntegritiesAndTheFingerprintCanStandInOneMessage() {
        ByteBuffer target = Samples.dirty(300);
        int length = writer.begin(target, 5, 0x0001, 1, 2)
                .string(AttributeType.USERNAME, "alice")
                .messageIntegrity(integrity, KEY)
                .messageIntegritySha256(integrity, KEY)
                .fingerprint()
                .finish();
        StunMessage message = Samples.decoded(Samples.copy(target, 5, length));
        assertEquals(4, message.count());
        assertTrue(integrity.verify(message, 1, KEY));
        assertTrue(integrity.verify(message, 2, KEY));
        assertTrue(Fingerprint.verify(message));
    }

    @Test
    @Tag("RFC8656§18.12")
    void namesTheFamilyThatCouldNotBeAllocated() {
        ByteBuffer target = Samples.dirty(100);
        int length =
                writer.begin(target, 0, 0x0103, 1, 2).addressErrorCode(2, 440).finish();
        StunMessage message = Samples.decoded(Samples.copy(target, 0, length));
        assertEquals(AttributeType.ADDRESS_ERROR_CODE, message.typeAt(0));
        assertEquals(0x0200, Wire.uint16(message.bytes(), message.valueOffset(0)));
        assertEquals(440, message.errorCode(0));
        assertEquals("Address Family not Supported", message.reasonPhrase(0));
    }

    @Test
    @Tag("RFC8656§18.13")
    void writesTheIcmpAttributeAsItsFigureHasIt() {
        ByteBuffer target = Samples.dirty(100);
        int length = writer.begin(target, 0, 0x0017, 1, 2).icmp(3, 4, 1400).finish();
        StunMessage message = Samples.decoded(Samples.copy(target, 0, length));
        assertEquals("0000" + "0604" + "00000578", Samples.hex(message.value(0)));
        long value = message.int64(0);
        assertEquals(3, Icmp.type(value));
        assertEquals(4, Icmp.code(value));
        assertEquals(1400, Icmp.errorData(value));
        assertEquals(127, Icmp.type(Icmp.value(127, 511, -1)));
        assertEquals(511, Icmp.code(Icmp.value(127, 511, -1)));
        assertEquals(-1, Icmp.errorData(Icmp.value(127, 511, -1)));
        assertEquals(3, Icmp.type(value | 0xFFFFL << 48), "reserved bits are ignored");
    }

    @Test
    void refusesALengthThatMessageIntegritySha256CannotHave() {
        writer.begin(Samples.dirty(100), 0, 0x0001, 1, 2);
        for (int length : new int[] {0, 12, 17, 36}) {
            assertThrows(IllegalArgumentException.class, () -> writer.messageIntegritySha256(integrity, KEY, length));
        }
    }

    private int writeMessage(ByteBuffer target, int offset) {
        return writer.begin(target, offset, 0x0103, 0x01020304, 5)
                .xorAddress(AttributeType.XOR_RELAYED_ADDRESS, 0, TransportAddress.ipv4(0xC0000201), 49152)
                .address(AttributeType.ALTERNATE_SERVER, 0x20010db800000000L, 1, 3478)
                .uint32(AttributeType.LIFETIME, 600)
                .int64(AttributeType.RESERVATION_TOKEN, 0x0102030405060708L)
                .string(AttributeType.SOFTWARE, "Turntable")
                .string(AttributeType.REALM, "例")
                .errorCode(300)
                .messageIntegrity(integrity, KEY)
                .fingerprint()
                .finish();
    }
}
