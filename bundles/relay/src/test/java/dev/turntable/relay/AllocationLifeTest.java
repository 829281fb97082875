package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Method;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("An allocation")
@Tag("RFC8656§7.2")
class AllocationLifeTest {
    private static final int IPV4 = 1;
    private static final int IPV6 = 2;
    private static final InetSocketAddress PEER = TestServer.address("203.0.113.5", 49_170);

    private TestServer server = TestServer.start();
    private TestClient alice = server.alice();

    private void restart(TestServer other) {
        server = other;
        alice = server.alice();
    }

    @ParameterizedTest
    @ValueSource(ints = {IPV4, IPV6})
    @DisplayName(
            "can be had once for each port of the range, not one less; then 508; and all again when they have expired")
    void canBeHadForEachPort(int family) {
        restart(TestServer.with().ports(50_001, 50_100).start());
        for (int round = 0; round < 2; round++) {
            Set<Integer> ports = new HashSet<>();
            for (int i = 0; i < 100; i++) {
                TestClient client = alice.sameUserAt("192.0.2.10", 2_000 + i);
                client.challenge();
                ports.add(succeeded(client.allocateRequest().family(family).send())
                        .relayed()
                        .getPort());
            }
            assertEquals(100, ports.size());
            alice.challenge();
            assertEquals(508, alice.allocateRequest().family(family).send().error());
            server.pass(Duration.ofSeconds(600));
            assertEquals(0, server.state.ports().inUse());
        }
    }

    @Test
    @Tag("RFC8656§7.2")
    @DisplayName(
            "with an even port can be had for each of them; with a pair, for each whole one; the odd ones are left for others")
    void canBeHadForEachEvenPort() {
        restart(TestServer.with().ports(50_001, 50_020).start());
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            TestClient client = alice.sameUserAt("192.0.2.10", 2_000 + i);
            client.challenge();
            clients.add(client);
        }
        for (int i = 0; i < 10; i++) {
            boolean pair = i < 4;
            Answer answer =
                    succeeded(clients.get(i).allocateRequest().evenPort(pair).send());
            assertEquals(0, answer.relayed().getPort() % 2);
            assertEquals(pair, answer.has(AttributeType.RESERVATION_TOKEN));
        }
        assertEquals(
                508, clients.get(10).allocateRequest().evenPort(false).send().error());
        assertEquals(
                508, clients.get(10).allocateRequest().evenPort(true).send().error());
        assertEquals(
                1, succeeded(clients.get(10).allocateRequest().send()).relayed().getPort() % 2);
    }

    @Test
    @DisplayName("is made by the same datagram once, even where its answer was lost for half a minute, and only by it")
    void isMadeOnce() {
        restart(TestServer.with().relay("allocationsPerUser", 1).start());
        alice.challenge();
        byte[] request = alice.allocateRequest().lifetime(900).bytes();
        byte[] response = succeeded(alice.send(request)).bytes();
        for (int i = 0; i < 7; i++) {
            server.pass(Duration.ofSeconds(6));
            assertArrayEquals(response, alice.send(request).bytes());
        }
        assertEquals(1, server.state.userCounts().of("alice"));
        assertEquals(1, server.state.ports().inUse());
        assertEquals(401, alice.allocateRequest().unsigned().send().error());
        assertEquals(437, alice.allocateRequest().lifetime(900).send().error());
        assertArrayEquals(response, alice.send(request).bytes());
        succeeded(alice.refresh(0));
        assertEquals(0, server.state.ports().inUse());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("RFC8656§5")
    @DisplayName("that has expired, swept or not, is none: 437 to its requests, and nothing goes through")
    void isNoneOnceExpired(boolean swept) {
        InetSocketAddress relayed = alice.allocate().relayed();
        server.pass(Duration.ofSeconds(500));
        // Channel and permission would live on.
        succeeded(alice.channelBind(0x4000, PEER));
        if (swept) {
            server.pass(Duration.ofSeconds(100));
        } else {
            server.passUnswept(Duration.ofSeconds(100));
        }
        alice.sendIndication(PEER, new byte[1]);
        alice.channelData(0x4000, new byte[1]);
        server.peerSends(PEER, relayed, new byte[1]);
        assertEquals(List.of(), server.network.sent());
        assertEquals(List.of(), alice.take());
        for (int method : new int[] {Method.REFRESH, Method.CREATE_PERMISSION, Method.CHANNEL_BIND}) {
            Answer answer =
                    alice.request(method).channel(0x4000).peer(PEER).lifetime(0).send();
            assertEquals(437, answer.error());
            assertTrue(answer.isSigned(AttributeType.MESSAGE_INTEGRITY, alice.key()));
        }
        assertEquals(0, server.network.openSockets());
    }

    @Test
    @Tag("RFC8656§8.2")
    @DisplayName("that a Refresh with lifetime 0 has ended passes nothing more, and its port is free at that moment")
    void isEndedByLifetimeZero() {
        restart(TestServer.with().ports(50_000, 50_000).start());
        InetSocketAddress relayed = alice.allocate().relayed();
        succeeded(alice.createPermission(PEER));
        succeeded(alice.channelBind(0x4000, PEER));
        byte[] refresh = alice.request(Method.REFRESH).lifetime(0).bytes();
        assertEquals(0, succeeded(alice.send(refresh)).lifetimeSeconds());
        assertNull(server.network.socketAt(relayed));
        assertEquals(437, alice.send(refresh).error());
        alice.sendIndication(PEER, new byte[1]);
        alice.channelData(0x4000, new byte[1]);
        assertEquals(List.of(), server.receivedBy(PEER));

        TestClient bob = server.bob();
        assertEquals(relayed, bob.allocate().relayed());
        server.peerSends(PEER, relayed, new byte[1]);
        assertEquals(List.of(), bob.take(), "permissions of the one before are gone");
        alice.channelData(0x4000, new byte[1]);
        assertEquals(List.of(), server.receivedBy(PEER));
    }

    @Test
    @DisplayName("is refused with 400 where a value has another length than its attribute's, whichever it is")
    void isRefusedWithAnotherLength() {
        alice.challenge();
        for (int length : new int[] {0, 1, 2, 3, 5, 7, 8, 12}) {
            byte[] value = new byte[length];
            if (length > 0) {
                value[0] = 17;
            }
            assertEquals(
                    400,
                    alice.request(Method.ALLOCATE)
                            .with(w -> w.bytes(AttributeType.REQUESTED_TRANSPORT, value))
                            .send()
                            .error());
            for (int type : new int[] {
                AttributeType.LIFETIME,
                AttributeType.REQUESTED_ADDRESS_FAMILY,
                AttributeType.ADDITIONAL_ADDRESS_FAMILY,
                AttributeType.EVEN_PORT,
                AttributeType.RESERVATION_TOKEN
            }) {
                int right = type == AttributeType.EVEN_PORT ? 1 : type == AttributeType.RESERVATION_TOKEN ? 8 : 4;
                if (length != right) {
                    Answer answer = alice.allocateRequest()
                            .with(w -> w.bytes(type, value))
                            .send();
                    assertEquals(400, answer.error(), AttributeType.name(type) + " of " + length);
                }
            }
        }
        assertNull(alice.allocation());
        assertEquals(0, server.state.ports().inUse());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 6, 16, 18, 58, 132, 255})
    @DisplayName("is refused with 442 for another transport than UDP")
    void isRefusedForAnotherTransport(int protocol) {
        alice.challenge();
        assertEquals(
                442, alice.request(Method.ALLOCATE).transport(protocol).send().error());
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.10", "10.1.2.3", "2001:db8:a::1", "fe80::1"})
    @Tag("RFC8656§7.3")
    @DisplayName("tells its client how the server sees it, in its own family")
    void tellsTheReflexiveAddress(String ip) {
        TestClient client = alice.sameUserAt(ip, 65_535);
        client.challenge();
        Answer answer = succeeded(client.allocateRequest().send());
        assertEquals(TestServer.address(ip, 65_535), answer.address(AttributeType.XOR_MAPPED_ADDRESS));
    }

    @Test
    @DisplayName("is not made by a token past its deadline, swept or not, and the port is the next client's")
    void isNotMadeByAnExpiredToken() {
        restart(TestServer.with().ports(50_000, 50_001).start());
        alice.challenge();
        byte[] token = succeeded(alice.allocateRequest().evenPort(true).send()).value(AttributeType.RESERVATION_TOKEN);
        TestClient bob = server.bob();
        bob.challenge();
        assertEquals(508, bob.allocateRequest().send().error(), "the other port is reserved");
        server.passUnswept(Duration.ofSeconds(30));
        assertEquals(508, bob.allocateRequest().token(token).send().error());
        server.sweep();
        assertEquals(508, bob.allocateRequest().token(token).send().error());
        assertEquals(50_001, succeeded(bob.allocateRequest().send()).relayed().getPort());
    }
}
