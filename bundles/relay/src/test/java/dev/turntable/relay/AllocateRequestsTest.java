package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Method;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Allocate")
@Tag("RFC8656§7.2")
class AllocateRequestsTest {
    private static final int IPV4 = 1;
    private static final int IPV6 = 2;

    private TestServer server = TestServer.start();
    private TestClient alice = server.alice();

    private void restart(TestServer other) {
        server = other;
        alice = server.alice();
    }

    @AfterEach
    void allIsGivenBackInTheEnd() {
        server.pass(Duration.ofHours(2));
        assertEquals(0, server.worker().allocations().size());
        assertEquals(0, server.state.ports().inUse());
        assertEquals(0, server.state.userCounts().of("alice"));
        assertEquals(0, server.state.reservations().size());
        assertEquals(0, server.drops("engine-fault"));
    }

    @Test
    @Tag("RFC8656§5")
    @DisplayName("answers the same datagram again with the same bytes, and counts it once")
    void answersARetransmissionWithTheSameBytes() {
        alice.challenge();
        byte[] request = alice.allocateRequest().bytes();
        Answer first = succeeded(alice.send(request));
        server.pass(Duration.ofSeconds(3));
        assertArrayEquals(first.bytes(), alice.send(request).bytes());
        assertEquals(1, server.worker().allocations().size());
        assertEquals(1, server.state.userCounts().of("alice"));
        assertEquals(1, server.network.openSockets());
    }

    @Test
    @DisplayName("answers 437 to another Allocate on the five-tuple, and leaves the allocation alone")
    void answers437WhenTheFiveTupleIsInUse() {
        InetSocketAddress relayed = alice.allocate().relayed();
        Answer again = alice.allocateRequest().send();
        assertEquals(437, again.error());
        assertTrue(again.isSigned(AttributeType.MESSAGE_INTEGRITY, alice.key()));
        assertEquals(437, alice.allocateRequest().as("bob", "bob-secret").send().error());
        assertEquals(401, alice.allocateRequest().unsigned().send().error());
        assertEquals(relayed, alice.allocation().relayed(false).localAddress());
    }

    @Test
    @DisplayName("makes a new allocation where the old one has expired and was not swept yet")
    void makesANewOneAfterAnUnsweptExpiry() {
        alice.allocate();
        server.passUnswept(Duration.ofSeconds(600));
        succeeded(alice.allocateRequest().send());
        assertEquals(1, server.network.openSockets());
    }

    @Test
    @DisplayName("answers 400 without or with a malformed REQUESTED-TRANSPORT, 442 to another than UDP")
    void checksTheTransport() {
        alice.challenge();
        assertEquals(400, alice.request(Method.ALLOCATE).send().error());
        assertEquals(
                400,
                alice.request(Method.ALLOCATE)
                        .with(writer -> writer.bytes(AttributeType.REQUESTED_TRANSPORT, new byte[] {17, 0, 0}))
                        .send()
                        .error());
        assertEquals(442, alice.request(Method.ALLOCATE).transport(6).send().error());
        assertEquals(442, alice.request(Method.ALLOCATE).transport(132).send().error());
    }

    @Test
    @DisplayName("grants the lesser of the requested lifetime and the maximum, but not less than the default")
    void grantsLifetimes() {
        long[][] requestedAndGranted = {
            {0, 600}, {5, 600}, {599, 600}, {601, 601}, {3_600, 3_600}, {3_601, 3_600}, {0xFFFF_FFFFL, 3_600}
        };
        for (long[] pair : requestedAndGranted) {
            TestClient client = alice.sameUserAt("192.0.2.10", 1_024 + (int) (pair[0] % 50_000));
            client.challenge();
            Answer answer = succeeded(client.allocateRequest().lifetime(pair[0]).send());
            assertEquals(pair[1], answer.lifetimeSeconds());
        }
        alice.challenge();
        Answer malformed = alice.allocateRequest()
                .with(writer -> writer.bytes(AttributeType.LIFETIME, new byte[3]))
                .send();
        assertEquals(400, malformed.error());
    }

    @Test
    @Tag("RFC8656§13")
    @DisplayName("answers 420 that lists DONT-FRAGMENT, which it ignores where IPv6 is on either side")
    void answers420ToDontFragment() {
        alice.challenge();
        Answer answer = alice.allocateRequest().dontFragment().send();
        assertEquals(420, answer.error());
        assertEquals(List.of(AttributeType.DONT_FRAGMENT), answer.unknownAttributes());
        succeeded(alice.allocateRequest().dontFragment().family(IPV6).send());
        TestClient overIPv6 = alice.sameUserAt("2001:db8:a::1", 50_000);
        overIPv6.challenge();
        succeeded(overIPv6.allocateRequest().dontFragment().send());
    }

    @Test
    @Tag("RFC8489§6.3.1")
    @DisplayName("answers 420 that lists each unknown required attribute once, after authentication")
    void answers420ToUnknownAttributes() {
        Request request = alice.allocateRequest().unsigned();
        assertEquals(401, withUnknown(request).send().error());
        alice.challenge();
        Answer answer = withUnknown(alice.allocateRequest()).send();
        assertEquals(420, answer.error());
        assertEquals(List.of(0x7F01, 0x7F02, 0x7F03), answer.unknownAttributes());
        assertTrue(answer.isSigned(AttributeType.MESSAGE_INTEGRITY, alice.key()));
    }

    private static Request withUnknown(Request request) {
        return request.with(writer -> {
            for (int type : new int[] {0x7F01, 0x7F02, 0x7F03, 0x7F02, 0x7F01, 0xFFF0}) {
                writer.uint32(type, 7);
            }
        });
    }

    @Test
    @DisplayName("gives IPv4 where no family is named, also over IPv6; IPv6 where it is; 440 to what is not served")
    void givesTheFamily() {
        TestClient overIPv6 = alice.sameUserAt("2001:db8:a::1", 50_000);
        assertFalse(overIPv6.allocate().relayed().getAddress() instanceof Inet6Address);
        alice.challenge();
        assertEquals(440, alice.allocateRequest().family(3).send().error());
        Answer answer = succeeded(alice.allocateRequest().family(IPV6).send());
        assertEquals(
                TestServer.address("2001:db8::1", 1).getAddress(),
                answer.relayed().getAddress());
        alice.refresh(0);

        restart(TestServer.with().relayed("198.51.100.1", null).start());
        alice.challenge();
        assertEquals(440, alice.allocateRequest().family(IPV6).send().error());

        restart(TestServer.with().relayed(null, "2001:db8::1").start());
        alice.challenge();
        assertEquals(440, alice.allocateRequest().send().error());
    }

    @Test
    @DisplayName("makes a dual allocation with two relayed addresses of the two families")
    void makesADualAllocation() {
        alice.challenge();
        Answer answer = succeeded(alice.allocateRequest().additionalFamily(IPV6).send());
        List<InetSocketAddress> relayed = answer.addresses(AttributeType.XOR_RELAYED_ADDRESS);
        assertEquals(2, relayed.size());
        assertFalse(relayed.get(0).getAddress() instanceof Inet6Address);
        assertTrue(relayed.get(1).getAddress() instanceof Inet6Address);
        assertFalse(answer.has(AttributeType.ADDRESS_ERROR_CODE));
    }

    @Test
    @DisplayName(
            "answers 400 to ADDITIONAL-ADDRESS-FAMILY for IPv4, with REQUESTED-ADDRESS-FAMILY, and with a pair of ports")
    void answers400ToABadAdditionalFamily() {
        alice.challenge();
        assertEquals(400, alice.allocateRequest().additionalFamily(IPV4).send().error());
        assertEquals(400, alice.allocateRequest().additionalFamily(3).send().error());
        assertEquals(
                400,
                alice.allocateRequest()
                        .family(IPV4)
                        .additionalFamily(IPV6)
                        .send()
                        .error());
        assertEquals(
                400,
                alice.allocateRequest()
                        .evenPort(true)
                        .additionalFamily(IPV6)
                        .send()
                        .error());
    }

    @Test
    @Tag("RFC8656§18.12")
    @DisplayName(
            "succeeds in part, with ADDRESS-ERROR-CODE 440 for a family that is not served and 508 for one that is full")
    void succeedsInPart() {
        restart(TestServer.with().relayed("198.51.100.1", null).start());
        alice.challenge();
        Answer answer = succeeded(alice.allocateRequest().additionalFamily(IPV6).send());
        assertEquals(1, answer.addresses(AttributeType.XOR_RELAYED_ADDRESS).size());
        assertEquals(440, answer.message().errorCode(answer.message().indexOf(AttributeType.ADDRESS_ERROR_CODE)));
        assertEquals(IPV6, answer.value(AttributeType.ADDRESS_ERROR_CODE)[0]);

        restart(TestServer.with().ports(50_000, 50_000).start());
        TestClient first = server.bob();
        first.challenge();
        succeeded(first.allocateRequest().family(IPV4).send());
        alice.challenge();
        Answer onlyIPv6 =
                succeeded(alice.allocateRequest().additionalFamily(IPV6).send());
        assertTrue(onlyIPv6.relayed().getAddress() instanceof Inet6Address);
        assertEquals(508, onlyIPv6.message().errorCode(onlyIPv6.message().indexOf(AttributeType.ADDRESS_ERROR_CODE)));
        assertEquals(IPV4, onlyIPv6.value(AttributeType.ADDRESS_ERROR_CODE)[0]);
    }

    @Test
    @DisplayName("gives an even port, reserves the next one for 30 seconds, and redeems its token once, from anywhere")
    void reservesTheNextPort() {
        alice.challenge();
        Answer answer = succeeded(alice.allocateRequest().evenPort(true).send());
        assertEquals(0, answer.relayed().getPort() % 2);
        byte[] token = answer.value(AttributeType.RESERVATION_TOKEN);

        TestClient second = alice.sameUserAt("192.0.2.99", 50_000);
        second.challenge();
        assertEquals(
                400,
                second.allocateRequest().token(token).evenPort(false).send().error());
        assertEquals(
                400, second.allocateRequest().token(token).family(IPV4).send().error());
        assertEquals(
                400,
                second.allocateRequest()
                        .token(token)
                        .additionalFamily(IPV6)
                        .send()
                        .error());
        assertEquals(400, second.allocateRequest().token(new byte[7]).send().error());
        assertEquals(508, second.allocateRequest().token(new byte[8]).send().error());

        Answer redeemed = succeeded(second.allocateRequest().token(token).send());
        assertEquals(answer.relayed().getPort() + 1, redeemed.relayed().getPort());
        TestClient third = alice.sameUserAt("192.0.2.98", 50_000);
        third.challenge();
        assertEquals(508, third.allocateRequest().token(token).send().error());
    }

    @Test
    @DisplayName("gives a reserved port back when nobody came for it")
    void givesAReservedPortBack() {
        alice.challenge();
        byte[] token = succeeded(alice.allocateRequest().evenPort(true).send()).value(AttributeType.RESERVATION_TOKEN);
        assertEquals(2, server.state.ports().inUse());
        server.pass(Duration.ofSeconds(30));
        assertEquals(1, server.state.ports().inUse());
        TestClient second = alice.sameUserAt("192.0.2.99", 50_000);
        second.challenge();
        assertEquals(508, second.allocateRequest().token(token).send().error());
    }

    @Test
    @DisplayName("tries another port where a process has it, and keeps the busy ones out only meanwhile")
    void triesAnotherPort() {
        restart(TestServer.with().ports(50_000, 50_007).start());
        IntStream.rangeClosed(50_000, 50_006).forEach(server.network.portsInUseElsewhere::add);
        alice.challenge();
        assertEquals(50_007, succeeded(alice.allocateRequest().send()).relayed().getPort());
        assertEquals(1, server.state.ports().inUse());
        assertEquals(
                server.network.portsTried.size(),
                server.network.portsTried.stream().distinct().count());
    }

    @Test
    @DisplayName("answers 508 where no socket can be had, and gives everything back")
    void answers508WithoutASocket() {
        server.network.openingFails = "too many open files";
        alice.challenge();
        for (Request request : List.of(
                alice.allocateRequest(),
                alice.allocateRequest().evenPort(true),
                alice.allocateRequest().additionalFamily(IPV6))) {
            assertEquals(508, request.send().error());
            assertEquals(0, server.state.ports().inUse());
            assertEquals(0, server.state.userCounts().of("alice"));
            assertNull(alice.allocation());
        }
        server.network.openingFails = null;
        succeeded(alice.allocateRequest().send());
    }

    @Test
    @DisplayName("answers 508 where ports or the worker are full, and serves again after expiry")
    void answers508WhenFull() {
        restart(TestServer.with().ports(50_000, 50_009).start());
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 10; i++) {
                alice.sameUserAt("192.0.2.10", 2_000 + i).allocate();
            }
            TestClient eleventh = alice.sameUserAt("192.0.2.10", 3_000);
            eleventh.challenge();
            assertEquals(508, eleventh.allocateRequest().send().error());
            server.pass(Duration.ofSeconds(600));
        }
        restart(TestServer.with().maxAllocations(1).start());
        alice.allocate();
        TestClient second = server.bob();
        second.challenge();
        assertEquals(508, second.allocateRequest().send().error());
    }

    @Test
    @DisplayName("answers 486 where the user has as many as it may; another user is not concerned")
    void answers486AtTheLimitOfTheUser() {
        restart(TestServer.with().relay("allocationsPerUser", 2).start());
        alice.allocate();
        alice.sameUserAt("192.0.2.10", 50_001).allocate();
        TestClient third = alice.sameUserAt("192.0.2.10", 50_002);
        third.challenge();
        assertEquals(486, third.allocateRequest().send().error());
        server.bob().allocate();
        alice.refresh(0);
        succeeded(third.allocateRequest().send());
    }
}
