package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Method;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Peer addresses")
class PeerAddressesTest {
    private static final int IPV6 = 2;
    private static final byte[] PAYLOAD = "payload".getBytes(StandardCharsets.UTF_8);

    private TestServer server = TestServer.start();
    private TestClient alice = server.alice();
    private TestClient bob = server.bob();

    private void restart(TestServer other) {
        server = other;
        alice = server.alice();
        bob = server.bob();
    }

    private void allocateBothFamilies() {
        alice.challenge();
        succeeded(alice.allocateRequest().additionalFamily(IPV6).send());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "127.0.0.1",
                "127.255.0.9",
                "169.254.169.254",
                "100.100.100.200",
                "168.63.129.16",
                "224.0.0.1",
                "239.255.255.255",
                "255.255.255.255",
                "::",
                "::1",
                "::7f00:1",
                "fe80::1",
                "febf:ffff::1",
                "fec0::1",
                "fc00::1",
                "fdff:ffff::1",
                "ff02::1",
                "fd00:ec2::254",
                "fd20:ce::254",
                "64:ff9b::7f00:1",
                "64:ff9b:1::a9fe:a9fe",
                "::ffff:0:7f00:1",
                "::ffff:0:0:0",
                "2002:7f00:1::1",
                "2002:a9fe:a9fe:ffff::254"
            })
    @Tag("RFC8656§10.2")
    @DisplayName(
            "that are this host's, its link's, many hosts', a site's or a cloud's are answered 403, and Send is silent")
    void refusesByDefault(String ip) {
        allocateBothFamilies();
        InetSocketAddress peer = TestServer.address(ip, 80);
        assertEquals(403, alice.createPermission(peer).error());
        assertEquals(403, alice.channelBind(0x4000, peer).error());
        alice.sendIndication(peer, PAYLOAD);
        assertEquals(List.of(), server.network.sent());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.0.0.0",
                "10.0.0.1",
                "126.255.255.255",
                "128.0.0.1",
                "169.253.255.255",
                "172.16.0.1",
                "192.168.0.1",
                "223.255.255.255",
                "2001:db8:b::5",
                "2002:cb00:7105::1",
                "64:ff9b::cb00:7105",
                "fbff::1",
                "fe00::1"
            })
    @Tag("RFC8656§10.2")
    @DisplayName("next to those, and private ones of IPv4, are reached")
    void reachesTheRest(String ip) {
        allocateBothFamilies();
        InetSocketAddress peer = TestServer.address(ip, 80);
        succeeded(alice.createPermission(peer));
        alice.sendIndication(peer, PAYLOAD);
        assertEquals(List.of("payload"), server.receivedBy(peer));
    }

    @Test
    @DisplayName("of IPv4 in the clothes of IPv6 are refused, even where everything is allowed")
    void refusesMappedAddresses() {
        restart(TestServer.with().relay("peersAllow", "0.0.0.0/0, ::/0").start());
        allocateBothFamilies();
        for (int last : new int[] {1, 0}) {
            byte[] mapped = new byte[20];
            mapped[1] = IPV6;
            mapped[14] = (byte) 0xFF;
            mapped[15] = (byte) 0xFF;
            mapped[16] = (byte) (last == 1 ? 127 : 0);
            mapped[19] = (byte) last;
            Answer answer = alice.request(Method.CREATE_PERMISSION)
                    .transaction(1, 2)
                    .with(writer -> writer.bytes(AttributeType.XOR_PEER_ADDRESS, xor(mapped, 1, 2)))
                    .send();
            assertEquals(403, answer.error());
        }
        succeeded(alice.createPermission(TestServer.address("127.0.0.1", 9)));
    }

    private static byte[] xor(byte[] value, int idHigh, long idLow) {
        byte[] mask = java.nio.ByteBuffer.allocate(16)
                .putInt(0x2112A442)
                .putInt(idHigh)
                .putLong(idLow)
                .array();
        byte[] xored = value.clone();
        xored[2] ^= mask[0];
        xored[3] ^= mask[1];
        for (int i = 0; i < 16; i++) {
            xored[4 + i] ^= mask[i];
        }
        return xored;
    }

    @Test
    @DisplayName("that are refused by default are opened by peersAllow, while the server runs")
    void opensByConfiguration() {
        alice.allocate();
        InetSocketAddress loopback = TestServer.address("127.0.0.1", 9);
        assertEquals(403, alice.createPermission(loopback).error());
        server.configure(Map.of("peersAllow", new String[] {"127.0.0.1", "10.0.0.0/8"}));
        succeeded(alice.createPermission(loopback));
        alice.sendIndication(loopback, PAYLOAD);
        assertEquals(1, server.receivedBy(loopback).size());
        assertEquals(
                403, alice.createPermission(TestServer.address("127.0.0.2", 9)).error());
    }

    @Test
    @DisplayName(
            "of a live allocation of this server are reached although denied otherwise; no other port of the host is")
    void reachesOwnRelayedAddresses() {
        restart(TestServer.with().relayed("127.0.0.1", "::1").start());
        InetSocketAddress aliceRelayed = alice.allocate().relayed();
        InetSocketAddress bobRelayed = bob.allocate().relayed();
        succeeded(alice.createPermission(bobRelayed));
        succeeded(bob.createPermission(aliceRelayed));
        alice.sendIndication(bobRelayed, PAYLOAD);
        assertEquals(aliceRelayed, bob.takeOne().peer());

        InetSocketAddress ssh = TestServer.address("127.0.0.1", 22);
        alice.sendIndication(ssh, PAYLOAD);
        assertEquals(List.of(), server.receivedBy(ssh));
        server.peerSends(ssh, aliceRelayed, PAYLOAD);
        assertEquals(List.of(), alice.take());
        assertEquals(2, server.drops("peer-forbidden"));
        assertEquals(403, alice.channelBind(0x4000, ssh).error());
        succeeded(alice.channelBind(0x4000, bobRelayed));
        bob.refresh(0);
        alice.channelData(0x4000, PAYLOAD);
        assertEquals(List.of(), server.receivedBy(bobRelayed));
        assertEquals(
                403, alice.createPermission(TestServer.address("127.0.0.2", 9)).error());
    }

    @Test
    @Tag("RFC8656§12.7")
    @DisplayName("two clients of one server, each with its own channel number to the other's relayed address")
    void twoClientsByChannels() {
        InetSocketAddress aliceRelayed = alice.allocate().relayed();
        InetSocketAddress bobRelayed = bob.allocate().relayed();
        succeeded(alice.channelBind(0x4000, bobRelayed));
        succeeded(bob.channelBind(0x4ABC, aliceRelayed));
        alice.channelData(0x4000, PAYLOAD);
        assertEquals(0x4ABC, bob.takeOne().channelNumber());
        bob.channelData(0x4ABC, PAYLOAD);
        assertEquals(0x4000, alice.takeOne().channelNumber());
    }

    @Test
    @DisplayName("outside are told as the external ones, and lead back inside without a router's help")
    void translatesExternalAddresses() {
        restart(TestServer.with()
                .relayed("10.0.0.5", "fd00::5")
                .external("203.0.113.99", "2001:db8::99")
                .start());
        InetSocketAddress aliceRelayed = alice.allocate().relayed();
        InetSocketAddress bobRelayed = bob.allocate().relayed();
        assertEquals("203.0.113.99", aliceRelayed.getAddress().getHostAddress());
        succeeded(alice.createPermission(bobRelayed));
        alice.sendIndication(bobRelayed, PAYLOAD);
        assertEquals(List.of(), bob.take(), "bob's permissions are checked");
        succeeded(bob.createPermission(aliceRelayed));
        alice.sendIndication(bobRelayed, PAYLOAD);
        assertEquals(aliceRelayed, bob.takeOne().peer(), "bob sees the external address");
        succeeded(bob.channelBind(0x4001, aliceRelayed));
        bob.channelData(0x4001, PAYLOAD);
        assertEquals(bobRelayed, alice.takeOne().peer());

        InetSocketAddress behindTheRouter = TestServer.address("203.0.113.99", 22);
        alice.sendIndication(behindTheRouter, PAYLOAD);
        assertEquals(1, server.receivedBy(behindTheRouter).size(), "another port of it is the router's business");
    }

    @Test
    @DisplayName("on a shared socket belong to the first that claims them: 508, and Send is silent; never stolen")
    void belongToTheFirstOnASharedSocket() {
        restart(TestServer.with()
                .sharedSockets()
                .relay("sharedPeersPerAllocation", 2)
                .start());
        Answer allocated = alice.allocate();
        assertEquals(40_000, allocated.relayed().getPort());
        assertEquals(allocated.relayed(), bob.allocate().relayed());
        TestClient carol = server.client("192.0.2.30", 50_000, "carol", "carol-secret");
        carol.challenge();
        assertEquals(508, carol.allocateRequest().evenPort(false).send().error());

        InetSocketAddress peer = TestServer.address("203.0.113.5", 1_000);
        InetSocketAddress sameHost = TestServer.address("203.0.113.5", 1_001);
        succeeded(alice.channelBind(0x4000, peer));
        assertEquals(508, bob.createPermission(peer).error());
        assertEquals(508, bob.channelBind(0x4000, peer).error());
        succeeded(bob.createPermission(sameHost));
        bob.sendIndication(peer, PAYLOAD);
        assertEquals(1, server.drops("shared-peer-taken"));

        server.peerSends(peer, allocated.relayed(), PAYLOAD);
        assertEquals(1, alice.take().size());
        server.peerSends(sameHost, allocated.relayed(), PAYLOAD);
        assertEquals(1, bob.take().size());
        server.peerSends(TestServer.address("203.0.113.5", 1_002), allocated.relayed(), PAYLOAD);
        assertEquals(1, server.drops("shared-peer-unknown"));

        assertEquals(508, alice.createPermission(allocated.relayed()).error(), "the socket itself");
        succeeded(alice.createPermission(TestServer.address("203.0.113.6", 1)));
        assertEquals(
                508,
                alice.createPermission(TestServer.address("203.0.113.7", 1)).error());
        InetSocketAddress free = TestServer.address("203.0.113.8", 1);
        TestClient dave = alice.sameUserAt("192.0.2.40", 50_000);
        dave.allocate();
        InetSocketAddress[] three = {free, TestServer.address("203.0.113.8", 2), TestServer.address("203.0.113.8", 3)};
        assertEquals(508, dave.createPermission(three).error(), "more than it may have");
        succeeded(bob.createPermission(free));
        succeeded(dave.createPermission(three[1], three[1], three[2]));

        alice.refresh(0);
        bob.refresh(0);
        bob.allocate();
        succeeded(bob.createPermission(peer));
        server.peerSends(peer, allocated.relayed(), PAYLOAD);
        assertEquals(1, bob.take().size());
    }

    @Test
    @Tag("RFC8656§12.2")
    @DisplayName(
            "on two shared sockets are each other's for one pair of clients: the next pair on the same two is answered 508")
    void onTwoSharedSocketsOnePairOfClientsReachesEachOther() {
        restart(TestServer.with().sharedSockets().start());
        server.worker().sharedPeers().addSocket(server.network.open(TestServer.address("198.51.100.1", 40_002), null));
        InetSocketAddress first = alice.allocate().relayed();
        InetSocketAddress second = bob.allocate().relayed();
        assertEquals(40_000, first.getPort());
        assertEquals(40_002, second.getPort());
        succeeded(alice.channelBind(0x4000, second));
        succeeded(bob.channelBind(0x4000, first));
        alice.channelData(0x4000, PAYLOAD);
        assertEquals(1, bob.take().size());
        bob.channelData(0x4000, PAYLOAD);
        assertEquals(1, alice.take().size());

        TestClient carol = server.client("192.0.2.30", 50_000, "carol", "carol-secret");
        TestClient dave = alice.sameUserAt("192.0.2.40", 50_000);
        assertEquals(first, carol.allocate().relayed());
        assertEquals(second, dave.allocate().relayed());
        assertEquals(508, carol.channelBind(0x4000, second).error());
        assertEquals(508, dave.channelBind(0x4000, first).error());
        alice.channelData(0x4000, PAYLOAD);
        assertEquals(1, bob.take().size());
    }
}
