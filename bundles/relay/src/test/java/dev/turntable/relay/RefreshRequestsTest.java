package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Method;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Refresh")
@Tag("RFC8656§8.2")
class RefreshRequestsTest {
    private static final int IPV4 = 1;
    private static final int IPV6 = 2;
    private static final InetSocketAddress PEER = TestServer.address("203.0.113.5", 49_170);

    private final TestServer server = TestServer.start();
    private final TestClient alice = server.alice();

    @Test
    @DisplayName("moves the deadline to the granted lifetime from now, and the allocation ends at it")
    void movesTheDeadline() {
        alice.allocate();
        server.pass(Duration.ofSeconds(599));
        assertEquals(600, succeeded(alice.refresh(5)).lifetimeSeconds());
        server.pass(Duration.ofSeconds(599));
        assertNotNull(alice.allocation());
        server.pass(Duration.ofSeconds(1));
        assertNull(alice.allocation());
        assertEquals(437, alice.refresh(600).error());
        assertEquals(1, alice.path.ended);
    }

    @Test
    @DisplayName("with lifetime 0 ends the allocation at once; the same datagram again is answered 437")
    void endsWithLifetimeZero() {
        alice.allocate();
        succeeded(alice.createPermission(PEER));
        byte[] request = alice.request(Method.REFRESH).lifetime(0).bytes();
        assertEquals(0, succeeded(alice.send(request)).lifetimeSeconds());
        assertEquals(0, server.network.openSockets());
        assertEquals(0, server.state.ports().inUse());
        assertEquals(437, alice.send(request).error());
        alice.sendIndication(PEER, new byte[] {1});
        assertEquals(List.of(), server.receivedBy(PEER));
        assertEquals(1, server.drops("no-allocation"));
    }

    @Test
    @DisplayName("answers 443 to a family that the allocation has not, and 400 to a malformed one or lifetime")
    void answers443ToAnotherFamily() {
        alice.allocate();
        assertEquals(443, alice.request(Method.REFRESH).family(IPV6).send().error());
        assertEquals(443, alice.request(Method.REFRESH).family(3).send().error());
        succeeded(alice.request(Method.REFRESH).family(IPV4).send());
        Answer malformed = alice.request(Method.REFRESH)
                .with(writer -> writer.uint8(AttributeType.REQUESTED_ADDRESS_FAMILY, 1))
                .send();
        assertEquals(400, malformed.error());
        Answer shortLifetime = alice.request(Method.REFRESH)
                .with(writer -> writer.uint16(AttributeType.LIFETIME, 600))
                .send();
        assertEquals(400, shortLifetime.error());
    }

    @Test
    @DisplayName("refreshes and ends one family of a dual allocation alone")
    void servesOneFamilyOfADualAllocation() {
        alice.challenge();
        succeeded(alice.allocateRequest().additionalFamily(IPV6).send());
        server.pass(Duration.ofSeconds(300));
        succeeded(alice.request(Method.REFRESH).family(IPV6).lifetime(600).send());
        server.pass(Duration.ofSeconds(300));
        assertNull(alice.allocation().relayed(false), "IPv4 was not refreshed");
        assertNotNull(alice.allocation().relayed(true));
        assertEquals(443, alice.request(Method.REFRESH).family(IPV4).send().error());

        TestClient bob = server.bob();
        bob.challenge();
        succeeded(bob.allocateRequest().additionalFamily(IPV6).send());
        succeeded(bob.request(Method.REFRESH).family(IPV4).lifetime(0).send());
        assertNull(bob.allocation().relayed(false));
        assertNotNull(bob.allocation().relayed(true));
        assertEquals(0, bob.path.ended);
        succeeded(bob.request(Method.REFRESH).family(IPV6).lifetime(0).send());
        assertNull(bob.allocation());
        assertEquals(1, bob.path.ended);
    }

    @Test
    @Tag("RFC8656§5")
    @DisplayName("and its like are answered 437 without an allocation, after authentication")
    void answers437WithoutAnAllocation() {
        alice.challenge();
        assertEquals(437, alice.refresh(600).error());
        assertEquals(437, alice.createPermission(PEER).error());
        assertEquals(437, alice.channelBind(0x4000, PEER).error());
        assertEquals(401, alice.request(Method.REFRESH).unsigned().send().error());
        alice.channelData(0x4000, new byte[] {1});
        assertEquals(1, server.drops("no-allocation"));
    }
}
