package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Method;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("STUN messages")
@Tag("RFC8489§6.3")
class StunMessagesTest {
    private final TestServer server = TestServer.start();
    private final TestClient alice = server.alice();

    @AfterEach
    void nothingWasThrown() {
        assertEquals(0, server.drops("engine-fault"));
    }

    @Test
    @DisplayName("that are no messages are discarded in silence, and the next good one is answered")
    void discardsWhatIsNoMessage() {
        byte[] binding = alice.request(Method.BINDING).unsigned().bytes();
        for (int length = 0; length < binding.length; length++) {
            assertNull(alice.send(java.util.Arrays.copyOf(binding, length)));
        }
        assertNull(alice.send(java.util.Arrays.copyOf(binding, 23)), "bytes after the message");
        byte[] otherCookie = binding.clone();
        otherCookie[4] ^= 1;
        assertNull(alice.send(otherCookie));
        assertEquals(22, server.drops("malformed"));
        assertTrue(alice.send(binding).isSuccess());
    }

    @Test
    @DisplayName("with an attribute that runs past the end are answered 400 where they are requests")
    void answers400ToATruncatedAttribute() {
        byte[] request = alice.allocateRequest().unsigned().bytes();
        request[23] = 99;
        assertEquals(400, alice.send(request).error());
        byte[] indication = alice.indication(Method.SEND).data(new byte[4]).bytes();
        indication[23] = 99;
        assertNull(alice.send(indication));
    }

    @Test
    @DisplayName("of methods and classes that a server does not get are discarded in silence")
    void discardsWhatAServerDoesNotGet() {
        assertNull(alice.request(Method.GOOG_PING).unsigned().send());
        assertNull(alice.request(0x7FF).unsigned().send());
        assertNull(alice.request(Method.SEND).unsigned().send());
        assertNull(alice.indication(Method.ALLOCATE).send());
        assertNull(alice.indication(Method.DATA).send());
        assertNull(new Request(alice, Method.BINDING, 2).send());
        assertNull(new Request(alice, Method.ALLOCATE, 3).send());
        assertNull(alice.indication(Method.BINDING).send());
        assertEquals(3, server.drops("unknown-method"));
        assertEquals(4, server.drops("unexpected-class"));
    }

    @Test
    @Tag("RFC8489§14.7")
    @DisplayName("with a FINGERPRINT are answered with one, with a wrong one they are discarded")
    void answersAFingerprintWithOne() {
        Answer answer = alice.request(Method.BINDING).unsigned().fingerprint().send();
        assertTrue(answer.hasRightFingerprint());
        assertFalse(alice.request(Method.BINDING).unsigned().send().has(AttributeType.FINGERPRINT));
        byte[] wrong = alice.request(Method.BINDING).unsigned().fingerprint().bytes();
        wrong[wrong.length - 1] ^= 1;
        assertNull(alice.send(wrong));
        alice.challenge();
        Answer allocated = succeeded(alice.allocateRequest().fingerprint().send());
        assertTrue(allocated.hasRightFingerprint());
        assertTrue(allocated.isSigned(AttributeType.MESSAGE_INTEGRITY, alice.key()));
    }

    @Test
    @Tag("RFC8489§6.3.1")
    @DisplayName("for Binding with an unknown required attribute are answered 420 at once")
    void answers420ToBinding() {
        Answer answer = alice.request(Method.BINDING)
                .unsigned()
                .with(writer -> writer.uint32(0x7F01, 1))
                .send();
        assertEquals(420, answer.error());
        assertEquals(List.of(0x7F01), answer.unknownAttributes());
    }

    @Test
    @Tag("RFC8489§6.3.1.1")
    @DisplayName("are answered with their method and transaction, and SOFTWARE only where it is configured")
    void answersWithMethodAndTransaction() {
        server.configure(java.util.Map.of("software", "Turntable"));
        alice.challenge();
        Answer answer = alice.allocateRequest().transaction(7, 9).send();
        assertEquals(Method.ALLOCATE, answer.message().method());
        assertEquals(7, answer.message().transactionIdHigh());
        assertEquals(9, answer.message().transactionIdLow());
        assertEquals("Turntable", answer.text(AttributeType.SOFTWARE));
        assertEquals(
                443,
                alice.request(Method.REFRESH).family(2).transaction(8, 9).send().error());
        assertFalse(alice.createPermission(TestServer.address("203.0.113.5", 1)).has(AttributeType.SOFTWARE));
    }

    @Test
    @DisplayName("of any bytes, before and after authentication, bring nothing down")
    void survivesRandomDamage() {
        Random random = new Random(42);
        alice.allocate();
        succeeded(alice.channelBind(0x4000, TestServer.address("203.0.113.5", 9)));
        List<byte[]> seeds = List.of(
                alice.allocateRequest().evenPort(true).bytes(),
                alice.request(Method.REFRESH).lifetime(600).family(1).bytes(),
                alice.request(Method.CREATE_PERMISSION)
                        .peer(TestServer.address("203.0.113.5", 9))
                        .bytes(),
                alice.indication(Method.SEND)
                        .peer(TestServer.address("203.0.113.5", 9))
                        .data(new byte[9])
                        .fingerprint()
                        .bytes(),
                new byte[] {0x40, 0, 0, 1, 5});
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = seeds.get(i % seeds.size()).clone();
            for (int hits = 1 + random.nextInt(3); hits > 0; hits--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            server.fromClient(alice, damaged);
            alice.take();
        }
        succeeded(alice.refresh(600));
    }
}
