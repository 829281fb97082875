package dev.turntable.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.codec.MessageClass;
import dev.turntable.codec.MessageType;
import dev.turntable.codec.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From somebody who has not authenticated, in one datagram. */
@DisplayName("A malformed message")
@Tag("RFC8489§6.3")
class MalformedMessagesTest {
    private static final int UNKNOWN_OPTIONAL = 0xFFF0;

    private final TestServer server = TestServer.start();
    private final TestClient alice = server.alice();

    @AfterEach
    void theNextGoodOneIsAnswered() {
        assertTrue(alice.request(Method.BINDING).unsigned().send().isSuccess());
        assertEquals(0, server.drops("engine-fault"));
    }

    /** A header for a body of so many bytes, and the body, whatever its length is in truth. */
    private static byte[] message(int method, int messageClass, int saidLength, byte... body) {
        return ByteBuffer.allocate(20 + body.length)
                .putShort((short) MessageType.type(method, messageClass))
                .putShort((short) saidLength)
                .putInt(0x2112A442)
                .putInt(1)
                .putLong(2)
                .put(body)
                .array();
    }

    /** An attribute that says it has a value of so many bytes, and has these. */
    private static byte[] attribute(int saidLength, int bytes) {
        return ByteBuffer.allocate(4 + bytes)
                .putShort((short) UNKNOWN_OPTIONAL)
                .putShort((short) saidLength)
                .array();
    }

    @ParameterizedTest
    @ValueSource(
            ints = {Method.BINDING, Method.ALLOCATE, Method.REFRESH, Method.CREATE_PERMISSION, Method.CHANNEL_BIND})
    @DisplayName("is not one that is a header alone: it is answered as its method has it")
    void aHeaderAloneIsGood(int method) {
        Answer answer = alice.send(message(method, MessageClass.REQUEST, 0));
        assertEquals(method == Method.BINDING ? 0 : 401, answer.error());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 6, 7})
    @Tag("RFC8489§14")
    @DisplayName("without the padding at its end is discarded, if the header says so or if it hides it")
    void withoutItsPadding(int valueLength) {
        byte[] body = attribute(valueLength, valueLength);
        assertNull(alice.send(message(Method.BINDING, MessageClass.REQUEST, body.length, body)));
        assertNull(alice.send(message(Method.BINDING, MessageClass.REQUEST, body.length + 3 & ~3, body)));
        assertEquals(2, server.drops("malformed"));
        byte[] padded = Arrays.copyOf(body, body.length + 3 & ~3);
        assertTrue(alice.send(message(Method.BINDING, MessageClass.REQUEST, padded.length, padded))
                .isSuccess());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @DisplayName("with stray bytes after its last attribute is discarded, counted in the header or not")
    void withStrayBytes(int stray) {
        byte[] body = Arrays.copyOf(attribute(4, 4), 8 + stray);
        assertNull(alice.send(message(Method.BINDING, MessageClass.REQUEST, 8, body)));
        assertNull(alice.send(message(Method.BINDING, MessageClass.REQUEST, 8 + stray, body)));
        assertNull(alice.send(message(Method.BINDING, MessageClass.REQUEST, 8 + stray - 4, body)));
        assertEquals(3, server.drops("malformed"));
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, 8, 255, 256, 0x7FFF, 0x8000, 0xFFFB, 0xFFFC, 0xFFFD, 0xFFFE, 0xFFFF})
    @Tag("RFC8489§14")
    @DisplayName(
            "with an attribute that runs past the end is answered 400 as a request, and discarded as anything else")
    void withAnAttributePastTheEnd(int saidLength) {
        byte[] body = attribute(saidLength, 4);
        for (int method : new int[] {Method.BINDING, Method.ALLOCATE, Method.CHANNEL_BIND}) {
            Answer answer = alice.send(message(method, MessageClass.REQUEST, 8, body));
            assertEquals(400, answer.error());
            assertEquals(method, answer.message().method());
            assertEquals(2, answer.message().transactionIdLow());
        }
        assertNull(alice.send(message(Method.SEND, MessageClass.INDICATION, 8, body)));
        assertNull(alice.send(message(Method.BINDING, MessageClass.SUCCESS, 8, body)));
        assertNull(alice.send(message(Method.BINDING, MessageClass.ERROR, 8, body)));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 9, 12, 0x7FFF, 0xFFFC, 0xFFFF})
    @Tag("RFC8489§5")
    @DisplayName("whose header has a length that is no multiple of four, or not its own, is discarded")
    void withAnotherLengthInItsHeader(int saidLength) {
        assertNull(alice.send(message(Method.BINDING, MessageClass.REQUEST, saidLength)));
        assertNull(alice.send(message(Method.ALLOCATE, MessageClass.REQUEST, saidLength, attribute(4, 4))));
        assertEquals(2, server.drops("malformed"));
    }
}
