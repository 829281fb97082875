package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.codec.AttributeType;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.Method;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Credentials")
@Tag("RFC8489§9.2.4")
class CredentialsTest {
    private static final InetSocketAddress PEER = TestServer.address("203.0.113.5", 49_170);

    private TestServer server = TestServer.start();
    private TestClient alice = server.alice();

    private void restart(TestServer other) {
        server = other;
        alice = server.alice();
    }

    @ParameterizedTest
    @ValueSource(ints = {Method.ALLOCATE, Method.REFRESH, Method.CREATE_PERMISSION, Method.CHANNEL_BIND})
    @DisplayName("that are cut, old, made up or another realm's are never let through, whatever the method")
    void areNeverLetThroughWhereTheyAreWrong(int method) {
        alice.challenge();
        byte[] old = alice.nonce;
        server.pass(Duration.ofHours(1));
        alice.challenge();
        for (int length = 0; length <= 64; length++) {
            assertEquals(401, withIntegrity(method, AttributeType.MESSAGE_INTEGRITY, length));
            assertEquals(401, withIntegrity(method, AttributeType.MESSAGE_INTEGRITY_SHA256, length));
        }
        Answer withoutNonce =
                complete(alice.request(method)).without(AttributeType.NONCE).send();
        assertEquals(400, withoutNonce.error());
        for (int secret : new int[] {AttributeType.NONCE, AttributeType.REALM, AttributeType.MESSAGE_INTEGRITY}) {
            assertFalse(withoutNonce.has(secret));
        }
        byte[] garbage = "garbage".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        for (byte[] nonce : List.of(garbage, old)) {
            Request wrongKey = complete(alice.request(method)).nonce(nonce).as("alice", "guess");
            assertEquals(438, wrongKey.send().error());
        }
        Answer stale = complete(alice.request(method)).nonce(old).send();
        assertEquals(438, stale.error());
        assertEquals(TestServer.REALM, stale.text(AttributeType.REALM));
        assertTrue(stale.has(AttributeType.NONCE));
        for (String realm : List.of("example.com", "example.orgs", "EXAMPLE.ORG")) {
            assertEquals(
                    401, complete(alice.request(method)).realm(realm).send().error());
        }
        assertNull(alice.allocation());
        assertEquals(0, server.state.userCounts().of("alice"));
    }

    private int withIntegrity(int method, int type, int length) {
        return complete(alice.request(method))
                .unsigned()
                .with(writer -> writer.string(AttributeType.USERNAME, "alice")
                        .string(AttributeType.REALM, alice.realm)
                        .bytes(AttributeType.NONCE, alice.nonce)
                        .bytes(type, new byte[length]))
                .send()
                .error();
    }

    /** All that the method wants but the credentials. */
    private static Request complete(Request request) {
        return request.transport(17).channel(0x4000).peer(PEER);
    }

    @Test
    @Tag("RFC8656§5")
    @DisplayName("of another user do not get at an allocation, not even by the transaction that made it")
    void ofAnotherUserDoNotGetAtAnAllocation() {
        alice.challenge();
        InetSocketAddress relayed =
                succeeded(alice.allocateRequest().transaction(7, 9).send()).relayed();
        succeeded(alice.createPermission(PEER));
        long deadline = alice.allocation().deadlineNanos(false);
        server.passUnswept(Duration.ofSeconds(10));

        Answer again = alice.allocateRequest()
                .transaction(7, 9)
                .as("bob", "bob-secret")
                .send();
        assertEquals(437, again.error());
        assertFalse(again.has(AttributeType.XOR_RELAYED_ADDRESS));
        assertTrue(again.isSigned(
                AttributeType.MESSAGE_INTEGRITY, LongTermKey.md5("bob", TestServer.REALM, "bob-secret")));
        for (long lifetime : new long[] {0, 3_600}) {
            Request refresh = alice.request(Method.REFRESH).lifetime(lifetime).as("bob", "bob-secret");
            assertEquals(441, refresh.send().error());
        }
        assertEquals(deadline, alice.allocation().deadlineNanos(false));
        assertEquals("alice", alice.allocation().username());
        assertEquals(1, alice.allocation().permissionCount());
        server.peerSends(PEER, relayed, new byte[1]);
        assertEquals(1, alice.take().size());
    }

    @Test
    @Tag("RFC8656§5")
    @DisplayName(
            "need a new nonce after ten seconds where that is its lifetime, as often as it takes, and the call goes on")
    void needANewNonceAfterItsLifetime() {
        restart(TestServer.with().relay("nonceLifetimeSeconds", 10).start());
        InetSocketAddress relayed = alice.allocate().relayed();
        byte[] first = alice.nonce;
        int stale = 0;
        for (int second = 5; second <= 60; second += 5) {
            server.pass(Duration.ofSeconds(5));
            Answer withTheFirst = alice.request(Method.REFRESH).nonce(first).send();
            assertEquals(second < 10 ? 0 : 438, withTheFirst.error());
            Answer answer = alice.refresh(600);
            if (answer.error() == 438) {
                stale++;
                assertEquals(TestServer.REALM, answer.text(AttributeType.REALM));
                alice.learn(answer);
                answer = alice.refresh(600);
            }
            succeeded(answer);
            assertEquals(relayed, alice.allocation().relayed(false).localAddress());
        }
        assertEquals(6, stale);
    }

    @Test
    @Tag("RFC8656§5")
    @DisplayName("and all else of a call do not follow the wall clock, two hours forward or back")
    void doNotFollowTheWallClock() {
        long inAnHour = server.wallClock.now.getEpochSecond() + 3_600;
        server.users.put("alice", new CredentialAnswer.Password("alice", "alice-secret", inAnHour));
        InetSocketAddress relayed = alice.allocate().relayed();
        succeeded(alice.channelBind(0x4000, PEER));
        for (int hours : new int[] {2, -4}) {
            server.wallClock.now = server.wallClock.now.plusSeconds(3_600L * hours);
            server.sweep();
            assertNotNull(alice.allocation());
            succeeded(alice.refresh(600));
            alice.channelData(0x4000, new byte[1]);
            assertEquals(1, server.receivedBy(PEER).size());
            server.peerSends(PEER, relayed, new byte[1]);
            assertEquals(0x4000, alice.takeOne().channelNumber());
            TestClient elsewhere = alice.sameUserAt("192.0.2.11", 50_000);
            elsewhere.challenge();
            // The credential's own expiry is the one thing that is told in wall time.
            assertEquals(hours > 0 ? 401 : 0, elsewhere.allocateRequest().send().error());
        }
        server.passUnswept(Duration.ofSeconds(599));
        alice.channelData(0x4000, new byte[1]);
        assertEquals(1, server.receivedBy(PEER).size());
        server.passUnswept(Duration.ofSeconds(1));
        alice.channelData(0x4000, new byte[1]);
        assertEquals(0, server.receivedBy(PEER).size());
        server.sweep();
        assertNull(alice.allocation());
    }

    @Test
    @Tag("RFC8656§5")
    @DisplayName(
            "come with nonces of which nobody can tell the next: no two alike, no bit constant, no linear relation")
    void comeWithNoncesThatCannotBeForetold() {
        int samples = 10_000;
        long[] seals = new long[samples];
        int[] ones = new int[64];
        for (int i = 0; i < samples; i++) {
            String nonce = alice.challenge().text(AttributeType.NONCE);
            byte[] facts = Base64.getDecoder().decode(nonce.substring(13));
            seals[i] = ByteBuffer.wrap(facts).getLong(facts.length - 8);
            for (int bit = 0; bit < 64; bit++) {
                ones[bit] += (int) (seals[i] >>> bit & 1);
            }
        }
        assertEquals(samples, java.util.Arrays.stream(seals).distinct().count());
        for (int bit = 0; bit < 64; bit++) {
            // Ten standard deviations: a good generator fails this once in 10^21 runs.
            assertTrue(Math.abs(ones[bit] - samples / 2) < 500, "bit " + bit + " is one in " + ones[bit]);
        }
        assertFalse(isLinear(seals), "each follows from the one before");
        long[] counted = java.util.stream.LongStream.iterate(42, x -> x * 0x5851F42D4C957F2DL + 1)
                .limit(100)
                .toArray();
        assertTrue(isLinear(counted), "the question finds a linear generator");
    }

    /** Whether x' = a x + c mod m for some m: then m divides all of t'' t - t' t', where t are the differences. */
    private static boolean isLinear(long[] values) {
        BigInteger common = BigInteger.ZERO;
        for (int i = 0; i + 3 < values.length; i++) {
            BigInteger first = difference(values, i);
            BigInteger second = difference(values, i + 1);
            BigInteger third = difference(values, i + 2);
            common = common.gcd(third.multiply(first).subtract(second.multiply(second)));
        }
        return common.bitLength() > 16;
    }

    private static BigInteger difference(long[] values, int i) {
        return new BigInteger(Long.toUnsignedString(values[i + 1]))
                .subtract(new BigInteger(Long.toUnsignedString(values[i])));
    }
}
