package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Integrity;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.Method;
import dev.turntable.codec.NonceCookie;
import dev.turntable.codec.PasswordAlgorithms;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Authentication")
@Tag("RFC8489§9.2.4")
class AuthenticationTest {
    private final TestServer server = TestServer.start();
    private final TestClient alice = server.alice();

    @Test
    @DisplayName("challenges a request without integrity, and neither asks a source nor keeps anything")
    void challengesWithoutIntegrity() {
        Answer challenge = alice.challenge();
        assertEquals(401, challenge.error());
        assertEquals(0, server.users.asked.size());
        assertEquals(0, server.worker().allocations().size());
        assertFalse(challenge.has(AttributeType.PASSWORD_ALGORITHMS));
        assertEquals(0, NonceCookie.features(challenge.text(AttributeType.NONCE)));
    }

    @Test
    @DisplayName(
            "answers 400 without NONCE, REALM and integrity where a signed request has no NONCE, USERNAME or REALM")
    void answers400WhereSomethingIsMissing() {
        alice.challenge();
        for (int missing : new int[] {AttributeType.USERNAME, AttributeType.REALM, AttributeType.NONCE}) {
            Answer answer = alice.allocateRequest().without(missing).send();
            assertEquals(400, answer.error());
            assertFalse(answer.has(AttributeType.NONCE));
            assertFalse(answer.has(AttributeType.REALM));
            assertFalse(answer.has(AttributeType.MESSAGE_INTEGRITY));
        }
    }

    @Test
    @DisplayName("answers 438 to a garbage nonce, another client's and one that is too old, and asks no source")
    void answers438ToABadNonce() {
        alice.challenge();
        assertEquals(
                438, alice.allocateRequest().nonce(new byte[] {1, 2, 3}).send().error());
        assertEquals(
                438,
                alice.allocateRequest().nonce(new byte[Nonces.LENGTH]).send().error());
        byte[] altered = alice.nonce.clone();
        altered[NonceCookie.LENGTH + 3] ^= 1;
        assertEquals(438, alice.allocateRequest().nonce(altered).send().error());

        TestClient elsewhere = alice.sameUserAt("192.0.2.10", 50_001);
        assertEquals(438, elsewhere.allocateRequest().nonce(alice.nonce).send().error());

        server.pass(Duration.ofSeconds(3_600));
        Answer stale = alice.allocateRequest().send();
        assertEquals(438, stale.error());
        assertEquals(TestServer.REALM, stale.text(AttributeType.REALM));
        assertEquals(0, server.users.asked.size());

        alice.learn(stale);
        succeeded(alice.allocateRequest().send());
    }

    @Test
    @DisplayName("takes a nonce until its lifetime is over, across the hour in which its key is changed")
    void takesANonceAcrossTheChangeOfKeys() {
        server.pass(Duration.ofSeconds(3_000));
        alice.challenge();
        server.pass(Duration.ofSeconds(3_599));
        succeeded(alice.allocateRequest().send());
    }

    @Test
    @DisplayName(
            "challenges a wrong password, an unknown user, a refused one, a wrong realm and a short integrity with 401")
    void challengesWrongCredentials() {
        alice.challenge();
        server.users.put("mallory", new CredentialAnswer.Refused("blocked"));
        assertEquals(401, alice.allocateRequest().as("alice", "guess").send().error());
        assertEquals(401, alice.allocateRequest().as("nobody", "guess").send().error());
        assertEquals(401, alice.allocateRequest().as("mallory", "guess").send().error());
        assertEquals(401, alice.allocateRequest().realm("elsewhere").send().error());
        Answer shortOne = alice.allocateRequest()
                .unsigned()
                .with(writer -> writer.bytes(AttributeType.MESSAGE_INTEGRITY, new byte[8]))
                .send();
        assertEquals(401, shortOne.error());
        assertEquals(0, server.worker().allocations().size());
        assertEquals(0, server.state.userCounts().of("alice"));
    }

    @Test
    @DisplayName("takes only the full MESSAGE-INTEGRITY-SHA256")
    void takesOnlyTheFullSha256() {
        alice.challenge();
        byte[] key = alice.key();
        Answer truncated = alice.allocateRequest()
                .unsigned()
                .with(writer -> writer.string(AttributeType.USERNAME, "alice")
                        .string(AttributeType.REALM, alice.realm)
                        .bytes(AttributeType.NONCE, alice.nonce)
                        .messageIntegritySha256(new Integrity(), key, 16))
                .send();
        assertEquals(401, truncated.error());
    }

    @Test
    @DisplayName("answers 500 where a source is unavailable, and where there is none; Binding is served all the same")
    void answers500WithoutASource() {
        alice.challenge();
        server.users.put("alice", new CredentialAnswer.Unavailable("database is down"));
        assertEquals(500, alice.allocateRequest().send().error());

        TestServer bare = TestServer.with().withoutSources().start();
        TestClient client = bare.alice();
        assertEquals(500, client.allocateRequest().unsigned().send().error());
        assertTrue(client.request(Method.BINDING).unsigned().send().isSuccess());
    }

    @Test
    @DisplayName("serves a live allocation by its own key when the sources have gone")
    void servesALiveAllocationWithoutSources() {
        alice.allocate();
        server.state.credentialSources().remove(server.users);
        succeeded(alice.refresh(600));
    }

    @Test
    @DisplayName("waits for a slow source: silence, then the answer; a retransmission does not ask twice")
    void waitsForASlowSource() {
        alice.challenge();
        server.users.later = new CompletableFuture<>();
        byte[] request = alice.allocateRequest().bytes();
        assertNull(alice.send(request));
        assertNull(alice.send(request));
        assertEquals(1, server.users.asked.size());

        server.users.later.complete(new CredentialAnswer.Password("alice", "alice-secret", 0));
        server.runTasks();
        Answer answer = succeeded(alice.takeOne());
        assertNotNull(answer.relayed());
        assertNotNull(alice.allocation());
    }

    @Test
    @DisplayName("finds the password that fits among several")
    void findsThePasswordThatFits() {
        server.users.put("alice", new CredentialAnswer.Passwords("alice", List.of("new", "old"), 0));
        alice.challenge();
        succeeded(alice.allocateRequest().as("alice", "old").send());
        assertArrayEquals(
                LongTermKey.md5("alice", TestServer.REALM, "old"),
                alice.allocation().key());
    }

    @Test
    @DisplayName("takes ready keys, and refuses SHA-256 where there is only one of MD5")
    void takesReadyKeys() {
        server.users.sha256 = true;
        byte[] md5 = LongTermKey.md5("alice", TestServer.REALM, "alice-secret");
        server.users.put("alice", new CredentialAnswer.Keys("alice", md5, null, 0));
        alice.challenge();
        assertEquals(
                401,
                alice.allocateRequest()
                        .algorithm(PasswordAlgorithms.SHA256)
                        .send()
                        .error());
        succeeded(alice.allocateRequest().algorithm(PasswordAlgorithms.MD5).send());
    }

    @Test
    @Tag("RFC8489§9.2.1")
    @DisplayName("offers SHA-256 where every source has it, and answers with MESSAGE-INTEGRITY-SHA256")
    void offersSha256() {
        server.users.sha256 = true;
        Answer challenge = alice.challenge();
        assertArrayEquals(
                PasswordAlgorithms.value(PasswordAlgorithms.SHA256, PasswordAlgorithms.MD5),
                challenge.value(AttributeType.PASSWORD_ALGORITHMS));
        assertEquals(NonceCookie.PASSWORD_ALGORITHMS, NonceCookie.features(challenge.text(AttributeType.NONCE)));
        Answer answer = succeeded(
                alice.allocateRequest().algorithm(PasswordAlgorithms.SHA256).send());
        byte[] key = LongTermKey.sha256("alice", TestServer.REALM, "alice-secret");
        assertTrue(answer.isSigned(AttributeType.MESSAGE_INTEGRITY_SHA256, key));
        assertFalse(answer.has(AttributeType.MESSAGE_INTEGRITY));
        succeeded(alice.request(Method.REFRESH)
                .algorithm(PasswordAlgorithms.SHA256)
                .send());
    }

    @Test
    @Tag("RFC8489§9.2.1")
    @DisplayName("serves an RFC 5389 client, which knows no algorithms, where SHA-256 is offered")
    void servesAnOldClientWhereSha256IsOffered() {
        server.users.sha256 = true;
        server.users.userhash = true;
        alice.challenge();
        Answer answer = succeeded(alice.allocateRequest().send());
        assertTrue(answer.isSigned(AttributeType.MESSAGE_INTEGRITY, alice.key()));
    }

    @Test
    @Tag("RFC8489§9.2.1")
    @DisplayName(
            "answers 400 to a list of algorithms that somebody has shortened on the way, and to one of the two alone")
    void answers400ToAnAlteredList() {
        server.users.sha256 = true;
        alice.challenge();
        Answer shortened = alice.allocateRequest()
                .algorithm(PasswordAlgorithms.MD5)
                .offered(PasswordAlgorithms.value(PasswordAlgorithms.MD5))
                .send();
        assertEquals(400, shortened.error());
        assertEquals(
                400,
                alice.allocateRequest()
                        .algorithm(PasswordAlgorithms.SHA256)
                        .offered(null)
                        .send()
                        .error());
        assertEquals(400, alice.allocateRequest().algorithm(3).send().error());
    }

    @Test
    @Tag("RFC8489§14.4")
    @DisplayName("finds a user by USERHASH where every source can, for Allocate and for the allocation's refresh")
    void findsAUserByUserhash() {
        server.users.sha256 = true;
        server.users.userhash = true;
        Answer challenge = alice.challenge();
        assertEquals(
                NonceCookie.PASSWORD_ALGORITHMS | NonceCookie.USERNAME_ANONYMITY,
                NonceCookie.features(challenge.text(AttributeType.NONCE)));
        succeeded(alice.allocateRequest()
                .userhash()
                .algorithm(PasswordAlgorithms.SHA256)
                .send());
        assertEquals("alice", alice.allocation().username());
        succeeded(alice.request(Method.REFRESH)
                .userhash()
                .algorithm(PasswordAlgorithms.SHA256)
                .send());
        assertEquals(1, server.users.asked.size());
    }

    @Test
    @Tag("RFC8656§5")
    @DisplayName(
            "answers 441 to another user of the server, signed with that user's key, and 401 to one who only says so")
    void answers441ToAnotherUser() {
        alice.allocate();
        for (int method : new int[] {Method.REFRESH, Method.CREATE_PERMISSION, Method.CHANNEL_BIND}) {
            Answer answer = alice.request(method)
                    .lifetime(0)
                    .channel(0x4000)
                    .peer(TestServer.address("203.0.113.5", 9))
                    .as("bob", "bob-secret")
                    .send();
            assertEquals(441, answer.error());
            assertTrue(answer.isSigned(
                    AttributeType.MESSAGE_INTEGRITY, LongTermKey.md5("bob", TestServer.REALM, "bob-secret")));
        }
        assertEquals(
                401, alice.request(Method.REFRESH).as("bob", "guess").send().error());
        assertEquals(
                401, alice.request(Method.REFRESH).as("alice", "guess").send().error());
        assertNotNull(alice.allocation());
        assertEquals(0, alice.allocation().permissionCount());
    }

    @Test
    @DisplayName("refuses an expired credential for a new Allocate and lets a live allocation go on")
    void refusesAnExpiredCredential() {
        expiringAlice(server);
        alice.allocate();
        server.wallClock.now = server.wallClock.now.plusSeconds(60);
        succeeded(alice.refresh(600));
        succeeded(alice.createPermission(TestServer.address("203.0.113.5", 9)));

        TestClient again = alice.sameUserAt("192.0.2.10", 50_001);
        again.challenge();
        assertEquals(401, again.allocateRequest().send().error());
    }

    @Test
    @DisplayName("cuts a live allocation at the expiry of its credential where the configuration says so")
    void cutsALiveAllocationStrictly() {
        expiringAlice(server);
        server.configure(Map.of("strictCredentialExpiry", "true"));
        alice.allocate();
        succeeded(alice.refresh(600));
        server.wallClock.now = server.wallClock.now.plusSeconds(60);
        assertEquals(401, alice.refresh(600).error());
        assertEquals(
                401,
                alice.createPermission(TestServer.address("203.0.113.5", 9)).error());
        assertEquals(
                401,
                alice.channelBind(0x4000, TestServer.address("203.0.113.5", 9)).error());
    }

    private static void expiringAlice(TestServer server) {
        long expires = server.wallClock.now.getEpochSecond() + 60;
        server.users.put("alice", new CredentialAnswer.Password("alice", "alice-secret", expires));
    }
}
