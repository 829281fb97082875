package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.Integrity;
import dev.turntable.codec.Method;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Responses")
class ResponsesTest {
    private static final InetSocketAddress PEER = TestServer.address("203.0.113.5", 49_170);
    private static final InetSocketAddress LOOPBACK = TestServer.address("127.0.0.1", 9);
    private static final int[] TURN_METHODS = {
        Method.ALLOCATE, Method.REFRESH, Method.CREATE_PERMISSION, Method.CHANNEL_BIND
    };

    private TestServer server = TestServer.start();
    private TestClient alice = server.alice();
    private long transaction = 1_000;

    private void restart(TestServer other) {
        server = other;
        alice = server.alice();
    }

    /** Sends a request, and looks whether what comes is its response. */
    private Answer responseTo(Request request, int method) {
        transaction++;
        Answer answer = request.transaction((int) -transaction, transaction).send();
        assertEquals(method, answer.message().method());
        assertEquals((int) -transaction, answer.message().transactionIdHigh());
        assertEquals(transaction, answer.message().transactionIdLow());
        assertTrue(answer.isSuccess() || answer.error() >= 400, "a response");
        assertEquals(answer.isSuccess(), !answer.has(AttributeType.ERROR_CODE));
        return answer;
    }

    @Test
    @Tag("RFC8489§6.3.1.1")
    @DisplayName("copy method and transaction of their request, and every error has ERROR-CODE, whatever it is about")
    void copyMethodAndTransaction() {
        assertTrue(responseTo(alice.request(Method.BINDING).unsigned(), Method.BINDING)
                .isSuccess());
        for (int method : TURN_METHODS) {
            Answer challenge = responseTo(alice.request(method).unsigned(), method);
            assertEquals(401, challenge.error());
            alice.learn(challenge);
            assertEquals(
                    400,
                    responseTo(alice.request(method).without(AttributeType.NONCE), method)
                            .error());
            assertEquals(
                    438,
                    responseTo(alice.request(method).nonce(new byte[9]), method).error());
            assertEquals(
                    420,
                    responseTo(alice.request(method).with(w -> w.empty(0x7F01)), method)
                            .error());
        }
        assertEquals(
                442,
                responseTo(alice.request(Method.ALLOCATE).transport(6), Method.ALLOCATE)
                        .error());
        assertEquals(
                437, responseTo(alice.request(Method.REFRESH), Method.REFRESH).error());
        assertTrue(responseTo(alice.allocateRequest(), Method.ALLOCATE).isSuccess());
        assertEquals(437, responseTo(alice.allocateRequest(), Method.ALLOCATE).error());
        assertTrue(responseTo(alice.request(Method.REFRESH), Method.REFRESH).isSuccess());
        int permit = Method.CREATE_PERMISSION;
        assertEquals(
                403, responseTo(alice.request(permit).peer(LOOPBACK), permit).error());
        assertEquals(400, responseTo(alice.request(permit), permit).error());
        assertTrue(responseTo(alice.request(permit).peer(PEER), permit).isSuccess());
        int bind = Method.CHANNEL_BIND;
        assertEquals(400, responseTo(alice.request(bind).peer(PEER), bind).error());
        assertEquals(
                441,
                responseTo(alice.request(bind).as("bob", "bob-secret"), bind).error());
        assertTrue(
                responseTo(alice.request(bind).channel(0x4000).peer(PEER), bind).isSuccess());
    }

    @Test
    @Tag("RFC8489§14.8")
    @DisplayName("say the length of ERROR-CODE without its padding: a reason of 21 bytes makes 25")
    void sayTheLengthWithoutPadding() {
        restart(TestServer.with().maxAllocations(1).start());
        server.bob().allocate();
        alice.challenge();
        Answer full = alice.allocateRequest().send();
        assertEquals(508, full.error());
        assertEquals(21, ErrorCode.reason(508).length());
        assertEquals(25, full.value(AttributeType.ERROR_CODE).length);
        assertTrue(full.isSigned(AttributeType.MESSAGE_INTEGRITY, alice.key()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 50})
    @Tag("RFC8489§14.9")
    @Tag("RFC8489§6.3.1")
    @DisplayName("name each unknown required attribute once, in two bytes each, after authentication where that is due")
    void nameUnknownAttributes(int count) {
        List<Integer> unknown = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            unknown.add(0x7F01 + i);
        }
        Answer binding =
                withUnknown(alice.request(Method.BINDING).unsigned(), unknown).send();
        assertNames(unknown, binding);
        for (int method : TURN_METHODS) {
            assertEquals(
                    401,
                    withUnknown(alice.request(method).unsigned(), unknown)
                            .send()
                            .error());
        }
        alice.challenge();
        for (int method : TURN_METHODS) {
            Answer answer = withUnknown(alice.request(method), unknown).send();
            assertNames(unknown, answer);
            assertTrue(answer.isSigned(AttributeType.MESSAGE_INTEGRITY, alice.key()));
        }
        assertNull(alice.allocation());
    }

    private static void assertNames(List<Integer> unknown, Answer answer) {
        assertEquals(420, answer.error());
        assertEquals(2 * unknown.size(), answer.value(AttributeType.UNKNOWN_ATTRIBUTES).length);
        assertEquals(unknown, answer.unknownAttributes());
    }

    /** Each of them, the optional one, and where there is room each of them again. */
    private static Request withUnknown(Request request, List<Integer> types) {
        return request.with(writer -> {
            types.forEach(type -> writer.uint32(type, 7));
            writer.uint32(0xFFF0, 7);
            types.stream().limit(5).forEach(type -> writer.empty(type));
        });
    }

    @Test
    @Tag("RFC8489§6.3.2")
    @DisplayName(
            "do not come to indications with unknown required attributes, and nothing is relayed; optional ones do not matter")
    void doNotComeToIndications() {
        alice.allocate();
        succeeded(alice.createPermission(PEER));
        for (int count = 1; count <= 3; count++) {
            List<Integer> unknown = List.of(0x7F01, 0x7F02, 0x7F03).subList(0, count);
            assertNull(withUnknown(alice.indication(Method.SEND).peer(PEER).data(new byte[1]), unknown)
                    .send());
        }
        assertEquals(List.of(), server.network.sent());
        assertEquals(3, server.drops("unknown-attribute"));
        assertNull(withUnknown(alice.indication(Method.SEND).peer(PEER).data(new byte[1]), List.of())
                .send());
        assertEquals(1, server.network.sent().size());
    }

    @Test
    @Tag("RFC8489§14.5")
    @DisplayName("take no notice of what follows the integrity")
    void takeNoNoticeOfWhatFollowsTheIntegrity() {
        alice.challenge();
        byte[] key = alice.key();
        Answer answer = alice.allocateRequest()
                .unsigned()
                .with(writer -> writer.string(AttributeType.USERNAME, "alice")
                        .string(AttributeType.REALM, alice.realm)
                        .bytes(AttributeType.NONCE, alice.nonce)
                        .messageIntegrity(new Integrity(), key)
                        .uint32(0x7F01, 7)
                        .uint32(AttributeType.REQUESTED_ADDRESS_FAMILY, 3 << 24))
                .send();
        assertTrue(succeeded(answer).has(AttributeType.XOR_RELAYED_ADDRESS));
    }

    @Test
    @Tag("RFC8489§14")
    @DisplayName("have padding of zeros after every value of every length, whatever other clients were told before")
    void havePaddingOfZeros() {
        // Each answer that a test client gets is looked at for its padding; here are the lengths.
        for (int length = 1; length <= 8; length++) {
            Map<String, Object> values = new HashMap<>();
            values.put("realm", "r".repeat(length));
            values.put("software", "s".repeat(9 - length));
            server.configure(values);
            for (TestClient client : List.of(alice, server.bob())) {
                fillTheDesk(client);
                assertEquals(length, client.challenge().value(AttributeType.REALM).length);
                fillTheDesk(client);
                succeeded(client.allocateRequest()
                        .additionalFamily(2)
                        .fingerprint()
                        .send());
                fillTheDesk(client);
                assertEquals(403, client.createPermission(LOOPBACK).error());
                fillTheDesk(client);
                assertEquals(9 - length, succeeded(client.refresh(0)).value(AttributeType.SOFTWARE).length);
            }
        }
    }

    /** The longest answer there is, of bytes that are not zero. */
    private static void fillTheDesk(TestClient client) {
        Request request = client.request(Method.BINDING).unsigned();
        for (int i = 0; i < 64; i++) {
            int type = 0x7F01 + i;
            request.with(writer -> writer.empty(type));
        }
        assertEquals(64, request.send().unknownAttributes().size());
    }

    @Test
    @Tag("RFC8489§6.3")
    @DisplayName("carry no credentials where the request had none that were good")
    void carryNoIntegrityWithoutAuthentication() {
        Answer challenge = alice.challenge();
        Answer stale = alice.allocateRequest().nonce(new byte[9]).send();
        Answer wrong = alice.allocateRequest().as("alice", "guess").send();
        for (Answer answer : List.of(challenge, stale, wrong)) {
            assertFalse(answer.has(AttributeType.MESSAGE_INTEGRITY));
            assertFalse(answer.has(AttributeType.MESSAGE_INTEGRITY_SHA256));
            assertFalse(answer.has(AttributeType.USERNAME));
        }
    }
}
