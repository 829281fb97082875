package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What coturn, its client and Chromium really send; captures.txt says where it is from. */
class CapturesTest {
    private static final byte[] KEY = LongTermKey.md5("alice", "example.org", "secret");

    private final Integrity integrity = new Integrity();

    @Test
    @Tag("RFC8489§14.5")
    @Tag("RFC8489§14.7")
    void verifiesTheIntegrityAndTheFingerprintOfEveryMessage() {
        int signed = 0;
        int printed = 0;
        for (byte[] bytes : messages()) {
            StunMessage message = Samples.decoded(bytes);
            int index = message.indexOf(AttributeType.MESSAGE_INTEGRITY);
            if (index >= 0) {
                assertTrue(integrity.verify(message, index, KEY), Samples.hex(bytes));
                signed++;
            }
            if (message.has(AttributeType.FINGERPRINT)) {
                assertTrue(Fingerprint.verify(message), Samples.hex(bytes));
                printed++;
            }
        }
        assertEquals(18, signed);
        assertEquals(13, printed);
    }

    @Test
    @Tag("RFC8489§14")
    void writesEveryMessageAgainByteForByte() {
        for (byte[] bytes : messages()) {
            StunMessage message = Samples.decoded(bytes);
            ByteBuffer target = Samples.dirty(600);
            StunWriter writer = new StunWriter()
                    .begin(target, 1, message.type(), message.transactionIdHigh(), message.transactionIdLow());
            for (int i = 0; i < message.count(); i++) {
                copy(message, i, writer);
            }
            assertArrayEquals(bytes, Samples.copy(target, 1, writer.finish()));
        }
    }

    @Test
    @Tag("RFC8656§12.4")
    void readsChannelDataInBothDirections() {
        for (String line : Samples.lines("captures.txt")) {
            byte[] bytes = Samples.hex(line.split(" ")[2]);
            if (ChannelData.isFirstByte(bytes[0])) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                assertEquals(ChannelData.MIN_CHANNEL, ChannelData.channel(buffer, 0));
                assertEquals(bytes.length - 4, ChannelData.payloadLength(buffer, 0, bytes.length));
            }
        }
    }

    private void copy(StunMessage message, int i, StunWriter writer) {
        TransportAddress address = new TransportAddress();
        int type = message.typeAt(i);
        switch (type) {
            case AttributeType.MESSAGE_INTEGRITY -> writer.messageIntegrity(integrity, KEY);
            case AttributeType.FINGERPRINT -> writer.fingerprint();
            case AttributeType.ERROR_CODE -> writer.errorCode(message.errorCode(i), message.reasonPhrase(i));
            case AttributeType.LIFETIME, AttributeType.REQUESTED_TRANSPORT, AttributeType.CHANNEL_NUMBER ->
                writer.uint32(type, message.uint32(i));
            case AttributeType.RESERVATION_TOKEN -> writer.int64(type, message.int64(i));
            case AttributeType.EVEN_PORT -> writer.uint8(type, message.uint8(i));
            case AttributeType.USERNAME, AttributeType.REALM, AttributeType.NONCE, AttributeType.SOFTWARE ->
                writer.string(type, message.string(i));
            case AttributeType.XOR_MAPPED_ADDRESS,
                    AttributeType.XOR_PEER_ADDRESS,
                    AttributeType.XOR_RELAYED_ADDRESS -> {
                assertTrue(message.xorAddress(i, address));
                writer.xorAddress(type, address);
            }
            case AttributeType.MAPPED_ADDRESS, AttributeType.RESPONSE_ORIGIN -> {
                assertTrue(message.address(i, address));
                writer.address(type, address.hi(), address.lo(), address.port());
            }
            case AttributeType.DATA ->
                writer.bytes(type, message.bytes(), message.valueOffset(i), message.valueLength(i));
            default -> throw new AssertionError(AttributeType.name(type));
        }
    }

    private static List<byte[]> messages() {
        List<byte[]> messages = new ArrayList<>();
        for (String line : Samples.lines("captures.txt")) {
            byte[] bytes = Samples.hex(line.split(" ")[2]);
            if (bytes[0] < 4) {
                messages.add(bytes);
            }
        }
        assertEquals(27, messages.size());
        return messages;
    }
}
