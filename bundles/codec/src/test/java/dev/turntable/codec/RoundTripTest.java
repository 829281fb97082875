package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** What is written is read again, and bytes of any kind are read without harm. */
class RoundTripTest {
    private static final int[] END = {
        AttributeType.MESSAGE_INTEGRITY, AttributeType.MESSAGE_INTEGRITY_SHA256, AttributeType.FINGERPRINT
    };

    private final Integrity integrity = new Integrity();
    private final StunWriter writer = new StunWriter();

    @Property
    void attributesOfAnyBytesComeBackInOrder(
            @ForAll @IntRange(max = 0x3FFF) int type,
            @ForAll int idHigh,
            @ForAll long idLow,
            @ForAll @Size(max = 12) List<@IntRange(max = 0xFFFF) Integer> types,
            @ForAll @Size(max = 40) byte[] value,
            @ForAll @Size(min = 1, max = 70) byte[] key) {
        ByteBuffer target = Samples.dirty(2000);
        writer.begin(target, 9, type, idHigh, idLow);
        List<Integer> plain = types.stream()
                .filter(t -> t != END[0] && t != END[1] && t != END[2])
                .toList();
        plain.forEach(t -> writer.bytes(t, value));
        int length = writer.messageIntegrity(integrity, key)
                .messageIntegritySha256(integrity, key)
                .fingerprint()
                .finish();
        StunMessage message = new StunMessage();
        assertEquals(Verdict.OK, message.decode(target, 9, length));
        assertEquals(type, message.type());
        assertEquals(idHigh, message.transactionIdHigh());
        assertEquals(idLow, message.transactionIdLow());
        assertEquals(plain.size() + 3, message.count());
        for (int i = 0; i < plain.size(); i++) {
            assertEquals(plain.get(i), message.typeAt(i));
            assertArrayEquals(value, message.value(i));
            assertTrue(message.valueEquals(i, value));
        }
        assertTrue(integrity.verify(message, plain.size(), key));
        assertTrue(integrity.verify(message, plain.size() + 1, key));
        assertTrue(Fingerprint.verify(message));
        key[0] ^= 0x40;
        assertFalse(integrity.verify(message, plain.size(), key));
    }

    @Property
    void everyAddressComesBackFromBothForms(
            @ForAll long hi,
            @ForAll long lo,
            @ForAll boolean ipv4,
            @ForAll @IntRange(max = 0xFFFF) int port,
            @ForAll int idHigh,
            @ForAll long idLow) {
        TransportAddress address = ipv4
                ? new TransportAddress(0, TransportAddress.ipv4((int) lo), port)
                : new TransportAddress(hi, lo, port);
        ByteBuffer target = Samples.dirty(200);
        int length = writer.begin(target, 0, 0x0101, idHigh, idLow)
                .xorAddress(AttributeType.XOR_MAPPED_ADDRESS, address)
                .address(AttributeType.MAPPED_ADDRESS, address.hi(), address.lo(), address.port())
                .finish();
        StunMessage message = Samples.decoded(Samples.copy(target, 0, length));
        TransportAddress read = new TransportAddress();
        assertTrue(message.xorAddress(0, read));
        assertEquals(address, read);
        assertTrue(message.address(1, read));
        assertEquals(address, read);
        assertEquals(address.isIPv4() ? 1 : 2, read.family());
    }

    @Property
    void textAndErrorCodesComeBack(@ForAll String text, @ForAll @IntRange(min = 300, max = 699) int code) {
        String sound = text.codePoints().anyMatch(c -> c >= 0xD800 && c <= 0xDFFF) ? "?" : text;
        ByteBuffer target = Samples.dirty(4000);
        int length = writer.begin(target, 0, 0x0111, 1, 2)
                .string(AttributeType.REALM, sound)
                .errorCode(code, sound)
                .finish();
        StunMessage message = Samples.decoded(Samples.copy(target, 0, length));
        assertEquals(sound, message.string(0));
        assertEquals(code, message.errorCode(1));
        assertEquals(sound, message.reasonPhrase(1));
    }

    @Property
    void anyBytesBehindAGoodHeaderAreReadOrRefused(@ForAll @Size(max = 60) int[] words) {
        ByteBuffer target = ByteBuffer.allocate(20 + 4 * words.length);
        StunWriter.writeHeader(target, 0, 0x0003, 4 * words.length, 1, 2);
        for (int i = 0; i < words.length; i++) {
            // Mostly small lengths, so that there is something to read.
            Wire.put32(target, 20 + 4 * i, (i & 1) == 0 ? words[i] & 0xFFFF000F : words[i]);
        }
        StunMessage message = new StunMessage(8);
        Verdict verdict = message.decode(target, 0, target.limit());
        assertTrue(verdict == Verdict.OK || verdict.isAnswerable() && message.count() == 0);
        Samples.readAll(message);
    }

    @Property
    void preparingTextTwiceChangesNothingMore(@ForAll String text) {
        String once = OpaqueString.prepare(text);
        if (once != null) {
            assertEquals(once, OpaqueString.prepare(once));
        }
    }
}
