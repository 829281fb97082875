package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Method;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Permissions and channels")
class PermissionsAndChannelsTest {
    private static final InetSocketAddress PEER = TestServer.address("203.0.113.5", 49_170);
    private static final InetSocketAddress OTHER_PORT = TestServer.address("203.0.113.5", 7);
    private static final InetSocketAddress OTHER = TestServer.address("203.0.113.6", 49_170);
    private static final InetSocketAddress IPV6_PEER = TestServer.address("2001:db8:b::5", 49_170);
    private static final byte[] PAYLOAD = "payload".getBytes(StandardCharsets.UTF_8);

    private TestServer server = TestServer.start();
    private TestClient alice = server.alice();

    private void restart(TestServer other) {
        server = other;
        alice = server.alice();
    }

    private void assertPasses(InetSocketAddress peer, InetSocketAddress relayed, boolean passes) {
        alice.sendIndication(peer, PAYLOAD);
        assertEquals(passes ? 1 : 0, server.receivedBy(peer).size(), "to the peer");
        server.peerSends(peer, relayed, PAYLOAD);
        assertEquals(passes ? 1 : 0, alice.take().size(), "to the client");
    }

    @Test
    @Tag("RFC8656§9")
    @DisplayName("a permission is for an IP address, whatever the port, both ways, for 300 seconds")
    void aPermissionIsForAnIpAddress() {
        InetSocketAddress relayed = alice.allocate().relayed();
        assertPasses(PEER, relayed, false);
        succeeded(alice.createPermission(PEER));
        assertPasses(PEER, relayed, true);
        assertPasses(OTHER_PORT, relayed, true);
        assertPasses(OTHER, relayed, false);
        server.passUnswept(Duration.ofSeconds(299));
        assertPasses(PEER, relayed, true);
        server.passUnswept(Duration.ofSeconds(1));
        assertPasses(PEER, relayed, false);
        assertEquals(2, server.drops("permission-expired"));
        succeeded(alice.createPermission(PEER));
        assertPasses(PEER, relayed, true);
    }

    @Test
    @Tag("RFC8656§10.2")
    @DisplayName("CreatePermission installs all of its peers or none: 400, 403, 443 and 508 leave nothing")
    void installsAllOrNone() {
        restart(TestServer.with().relay("permissionsPerAllocation", 3).start());
        alice.allocate();
        InetSocketAddress[] five = new InetSocketAddress[5];
        for (int i = 0; i < five.length; i++) {
            five[i] = TestServer.address("203.0.113." + (10 + i), 9);
        }
        assertEquals(400, alice.createPermission().error());
        assertEquals(508, alice.createPermission(five).error());
        assertEquals(
                403,
                alice.createPermission(PEER, TestServer.address("0.0.0.0", 0)).error());
        assertEquals(443, alice.createPermission(PEER, IPV6_PEER).error());
        Answer malformed = alice.request(Method.CREATE_PERMISSION)
                .peer(PEER)
                .with(writer -> writer.uint32(AttributeType.XOR_PEER_ADDRESS, 1))
                .send();
        assertEquals(400, malformed.error());
        assertEquals(0, server.worker().permissions().size());
        succeeded(alice.createPermission(five[0], five[1], five[2], five[1]));
        assertEquals(3, alice.allocation().permissionCount());
    }

    @Test
    @Tag("RFC8656§10.2")
    @DisplayName("at the cap the present ones are refreshed, and those that have expired make room")
    void refreshesAtTheCap() {
        restart(TestServer.with().relay("permissionsPerAllocation", 2).start());
        alice.allocate();
        succeeded(alice.createPermission(PEER, OTHER));
        InetSocketAddress third = TestServer.address("203.0.113.7", 9);
        assertEquals(508, alice.createPermission(PEER, third).error());
        server.passUnswept(Duration.ofSeconds(299));
        succeeded(alice.createPermission(PEER));
        server.passUnswept(Duration.ofSeconds(1));
        succeeded(alice.createPermission(PEER, third));
        assertEquals(2, alice.allocation().permissionCount());
    }

    @Test
    @Tag("RFC8656§12.2")
    @DisplayName("ChannelBind answers 400 to a number or peer that is bound to another, and to numbers out of range")
    void answers400ToAnotherBinding() {
        InetSocketAddress relayed = alice.allocate().relayed();
        succeeded(alice.channelBind(0x4000, PEER));
        long deadline = server.worker().channelBindings().deadlines()[0];
        server.passUnswept(Duration.ofSeconds(10));
        assertEquals(400, alice.channelBind(0x4001, PEER).error());
        assertEquals(400, alice.channelBind(0x4000, OTHER).error());
        assertEquals(deadline, server.worker().channelBindings().deadlines()[0]);
        for (int number : new int[] {0x3FFF, 0x5000, 0x7FFF, 0x8000}) {
            assertEquals(400, alice.channelBind(number, OTHER).error());
        }
        succeeded(alice.channelBind(0x4FFF, OTHER));
        assertEquals(
                400, alice.request(Method.CHANNEL_BIND).channel(0x4002).send().error());
        assertEquals(400, alice.request(Method.CHANNEL_BIND).peer(PEER).send().error());
        assertEquals(
                400,
                alice.channelBind(0x4002, TestServer.address("203.0.113.9", 0)).error());
        assertEquals(443, alice.channelBind(0x4002, IPV6_PEER).error());
        assertEquals(
                403,
                alice.channelBind(0x4002, TestServer.address("127.0.0.1", 80)).error());
        alice.channelData(0x4000, PAYLOAD);
        assertEquals(List.of("payload"), server.receivedBy(PEER));
        server.peerSends(OTHER, relayed, PAYLOAD);
        assertEquals(0x4FFF, alice.takeOne().channelNumber());
    }

    @Test
    @Tag("RFC5766§11")
    @DisplayName("the numbers of RFC 5766 are bound by option alone, and what comes on others is dropped and counted")
    void bindsLegacyNumbersByOption() {
        alice.allocate();
        assertEquals(400, alice.channelBind(0x5000, PEER).error());
        alice.channelData(0x5000, PAYLOAD);
        alice.channelData(0x7FFF, PAYLOAD);
        assertEquals(2, server.drops("no-channel"));

        restart(TestServer.with().relay("legacyChannelNumbers", "true").start());
        InetSocketAddress relayed = alice.allocate().relayed();
        succeeded(alice.channelBind(0x7FFE, PEER));
        alice.channelData(0x7FFE, PAYLOAD);
        assertEquals(List.of("payload"), server.receivedBy(PEER));
        server.peerSends(PEER, relayed, PAYLOAD);
        assertEquals(0x7FFE, alice.takeOne().channelNumber());
        succeeded(alice.channelBind(0x5000, OTHER));
        for (int number : new int[] {0x3FFF, 0x7FFF, 0x8000}) {
            assertEquals(
                    400,
                    alice.channelBind(number, TestServer.address("203.0.113.9", 9))
                            .error());
        }
        alice.channelData(0x7FFF, PAYLOAD);
        assertEquals(1, server.drops("no-channel"));
    }

    @Test
    @Tag("RFC8656§12")
    @DisplayName("a binding lasts 600 seconds and holds its peer's permission; data refreshes neither")
    void aBindingLasts600Seconds() {
        InetSocketAddress relayed = alice.allocate().relayed();
        alice.request(Method.REFRESH).lifetime(3_600).send();
        succeeded(alice.channelBind(0x4000, PEER));
        for (int minute = 0; minute < 10; minute++) {
            alice.channelData(0x4000, PAYLOAD);
            assertEquals(1, server.receivedBy(PEER).size(), "after minutes: " + minute);
            server.peerSends(PEER, relayed, PAYLOAD);
            assertTrue(alice.takeOne().isChannelData());
            server.passUnswept(Duration.ofMinutes(1));
        }
        alice.channelData(0x4000, PAYLOAD);
        server.peerSends(PEER, relayed, PAYLOAD);
        assertEquals(0, server.receivedBy(PEER).size());
        assertEquals(List.of(), alice.take());
        assertEquals(1, server.drops("channel-expired"));
    }

    @Test
    @Tag("RFC8656§12")
    @DisplayName("by the strict key the permission ends after 300 seconds although the channel is bound")
    void thePermissionEndsStrictly() {
        restart(TestServer.with().relay("channelHoldsPermission", "false").start());
        alice.allocate();
        succeeded(alice.channelBind(0x4000, PEER));
        server.pass(Duration.ofSeconds(299));
        alice.channelData(0x4000, PAYLOAD);
        assertEquals(1, server.receivedBy(PEER).size());
        server.pass(Duration.ofSeconds(1));
        alice.channelData(0x4000, PAYLOAD);
        assertEquals(0, server.receivedBy(PEER).size());
        succeeded(alice.createPermission(PEER));
        alice.channelData(0x4000, PAYLOAD);
        assertEquals(1, server.receivedBy(PEER).size());
    }

    @Test
    @Tag("RFC8656§12")
    @DisplayName("the same pair is bound anew after its expiry, swept or not; so is another pairing")
    void theSamePairIsBoundAnew() {
        alice.allocate();
        alice.request(Method.REFRESH).lifetime(3_600).send();
        succeeded(alice.channelBind(0x4000, PEER));
        server.passUnswept(Duration.ofSeconds(601));
        succeeded(alice.channelBind(0x4000, PEER));
        alice.channelData(0x4000, PAYLOAD);
        assertEquals(1, server.receivedBy(PEER).size());
        server.passUnswept(Duration.ofSeconds(601));
        succeeded(alice.channelBind(0x4001, PEER));
        alice.channelData(0x4001, PAYLOAD);
        alice.channelData(0x4000, PAYLOAD);
        assertEquals(1, server.receivedBy(PEER).size());
        assertEquals(1, alice.allocation().channelBindingCount());
    }

    @Test
    @Tag("RFC8656§12.2")
    @DisplayName("more channels than the cap are answered 508")
    void answers508AtTheCapOfChannels() {
        restart(TestServer.with().relay("channelsPerAllocation", 1).start());
        alice.allocate();
        succeeded(alice.channelBind(0x4000, PEER));
        assertEquals(508, alice.channelBind(0x4001, OTHER).error());
        succeeded(alice.channelBind(0x4000, PEER));
        assertEquals(1, server.worker().permissions().size());
    }

    @Test
    @Tag("RFC8656§12.6")
    @DisplayName("ChannelData: padding is not relayed, empty payloads are, what is too short or out of range is not")
    void channelDataIsTakenAsItSays() {
        alice.allocate();
        succeeded(alice.channelBind(0x4000, PEER));
        alice.send(new byte[] {0x40, 0, 0, 2, 'o', 'k', 0, 0});
        alice.send(new byte[] {0x40, 0, 0, 0});
        assertEquals(List.of("ok", ""), server.receivedBy(PEER));
        alice.send(new byte[] {0x40, 0, 0, 3, 'n', 'o'});
        alice.send(new byte[] {0x40, 0, 0});
        alice.send(new byte[] {0x50, 0, 0, 0});
        alice.send(new byte[] {0x40, 1, 0, 0});
        assertEquals(List.of(), server.receivedBy(PEER));
        assertEquals(1, server.drops("channel-data-too-short"));
        assertEquals(2, server.drops("no-channel"));
    }

    @Test
    @Tag("RFC8656§11.2")
    @DisplayName("Send: empty DATA is relayed, missing DATA or peer and unknown attributes are not")
    void sendIsRelayedWhereItIsWhole() {
        InetSocketAddress relayed = alice.allocate().relayed();
        succeeded(alice.createPermission(PEER));
        alice.sendIndication(PEER, new byte[0]);
        assertEquals(List.of(""), server.receivedBy(PEER));
        server.peerSends(PEER, relayed, new byte[0]);
        assertEquals(0, alice.takeOne().data().length);

        alice.indication(Method.SEND).peer(PEER).send();
        alice.indication(Method.SEND).data(PAYLOAD).send();
        assertEquals(2, server.drops("send-incomplete"));
        alice.indication(Method.SEND)
                .peer(PEER)
                .data(PAYLOAD)
                .with(writer -> writer.empty(0x7F01))
                .send();
        assertEquals(1, server.drops("unknown-attribute"));
        alice.indication(Method.SEND).peer(PEER).data(PAYLOAD).dontFragment().send();
        assertEquals(1, server.drops("dont-fragment"));
        assertEquals(List.of(), server.receivedBy(PEER));
    }

    @Test
    @Tag("RFC8656§11.5")
    @DisplayName("an ICMP error comes as a Data indication with ICMP and the MTU where it has one; other types do not")
    void icmpComesAsADataIndication() {
        InetSocketAddress relayed = alice.allocate().relayed();
        succeeded(alice.createPermission(PEER));
        server.icmp(relayed, PEER, 3, 4, 1_280);
        Answer tooBig = alice.takeOne();
        assertTrue(tooBig.isDataIndication());
        assertEquals(PEER, tooBig.peer());
        long value = tooBig.message().int64(tooBig.message().indexOf(AttributeType.ICMP));
        assertEquals(dev.turntable.codec.Icmp.value(3, 4, 1_280), value);
        server.icmp(relayed, PEER, 3, 3, 99);
        Answer unreachable = alice.takeOne();
        assertEquals(
                dev.turntable.codec.Icmp.value(3, 3, 0),
                unreachable.message().int64(unreachable.message().indexOf(AttributeType.ICMP)));
        server.icmp(relayed, PEER, 8, 0, 0);
        server.icmp(relayed, OTHER, 3, 3, 0);
        assertEquals(List.of(), alice.take());
        assertEquals(1, server.drops("icmp-type"));
        assertEquals(1, server.drops("no-permission"));
    }
}
