package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Peers and what they and clients say")
class PeersAndPayloadsTest {
    private static final int IPV6 = 2;
    private static final InetSocketAddress PEER = TestServer.address("203.0.113.5", 49_170);
    private static final InetSocketAddress OTHER = TestServer.address("203.0.113.6", 49_170);
    private static final InetSocketAddress IPV6_PEER = TestServer.address("2001:db8:b::5", 49_170);
    private static final byte[] PAYLOAD = "payload".getBytes(StandardCharsets.UTF_8);

    private TestServer server = TestServer.start();
    private TestClient alice = server.alice();

    private void restart(TestServer other) {
        server = other;
        alice = server.alice();
    }

    @Test
    @Tag("RFC8656§10.2")
    @Tag("RFC8656§9")
    @DisplayName(
            "five peers in one CreatePermission are five permissions, each for every port of its address, both ways")
    void fivePeersInOneRequest() {
        InetSocketAddress relayed = alice.allocate().relayed();
        InetSocketAddress[] five = new InetSocketAddress[5];
        for (int i = 0; i < five.length; i++) {
            five[i] = TestServer.address("203.0.113." + (10 + i), i == 0 ? 0 : 9);
        }
        succeeded(alice.createPermission(five));
        assertEquals(5, alice.allocation().permissionCount());
        for (InetSocketAddress named : five) {
            for (int port : new int[] {1, 9, 10, 65_535}) {
                InetSocketAddress peer = new InetSocketAddress(named.getAddress(), port);
                server.peerSends(peer, relayed, PAYLOAD);
                assertEquals(peer, alice.takeOne().peer());
                alice.sendIndication(peer, PAYLOAD);
                assertEquals(List.of("payload"), server.receivedBy(peer));
            }
        }
        alice.sendIndication(new InetSocketAddress(five[0].getAddress(), 0), PAYLOAD);
        assertEquals(1, server.drops("send-incomplete"), "nobody listens at port 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "255.255.255.255", "::", "::ffff:0:0:0"})
    @Tag("RFC8656§10.2")
    @DisplayName("a peer that means everybody is 403, alone or among others, and opens nothing")
    void everybodyIsForbidden(String everybody) {
        alice.challenge();
        InetSocketAddress relayed =
                succeeded(alice.allocateRequest().additionalFamily(IPV6).send()).relayed();
        for (int port : new int[] {0, 9}) {
            InetSocketAddress all = TestServer.address(everybody, port);
            assertEquals(403, alice.createPermission(all).error());
            assertEquals(403, alice.createPermission(PEER, all, OTHER).error());
        }
        assertEquals(0, server.worker().permissions().size());
        server.peerSends(PEER, relayed, PAYLOAD);
        assertEquals(List.of(), alice.take());
    }

    @Test
    @Tag("RFC8656§10.2")
    @DisplayName(
            "a hundred thousand peers of one allocation are as many permissions as it may have; then 508, which refuses all of a request")
    void tooManyPeers() {
        int most = 1_024;
        alice.allocate();
        int refused = 0;
        for (int first = 0; first < 100_000; first += 50) {
            Answer answer = alice.createPermission(peersFrom(first, 50));
            refused += answer.error() == 508 ? 1 : 0;
            assertEquals(first + 50 <= most ? 0 : 508, answer.error());
        }
        assertEquals(2_000 - most / 50, refused);
        assertEquals(most / 50 * 50, server.worker().permissions().size());
        succeeded(alice.createPermission(peersFrom(90_000, most % 50)));
        assertEquals(508, alice.createPermission(peersFrom(0, 1)[0], PEER).error());
        assertEquals(508, alice.channelBind(0x4000, PEER).error());
        assertEquals(most, server.worker().permissions().size());

        server.passUnswept(Duration.ofSeconds(299));
        succeeded(alice.createPermission(peersFrom(0, 50)));
        server.passUnswept(Duration.ofSeconds(1));
        succeeded(alice.createPermission(peersFrom(50_000, 50)));
        assertEquals(100, server.worker().permissions().size(), "those that had expired made room");
    }

    @Test
    @Tag("RFC8656§10.2")
    @DisplayName(
            "a request may name as many peers as a datagram of 1,500 bytes holds, or a thousand in a frame of a stream")
    void manyPeersInOneRequest() {
        alice.allocate();
        // Header, USERNAME, REALM, NONCE and integrity take less than 200 bytes.
        int inADatagram = (1_500 - 200) / 12;
        succeeded(alice.createPermission(peersFrom(0, inADatagram)));
        assertEquals(inADatagram, server.worker().permissions().size());
        succeeded(alice.createPermission(peersFrom(0, 1_000)));
        assertEquals(1_000, server.worker().permissions().size());
        assertEquals(508, alice.createPermission(peersFrom(50_000, 500)).error());
        assertEquals(1_000, server.worker().permissions().size());
        assertEquals(400, alice.createPermission(peersFrom(0, 1_024)).error(), "with the others, too many attributes");
    }

    private static InetSocketAddress[] peersFrom(int first, int count) {
        InetSocketAddress[] peers = new InetSocketAddress[count];
        for (int i = 0; i < count; i++) {
            int number = first + i;
            peers[i] =
                    TestServer.address("20." + (number >>> 16) + "." + (number >>> 8 & 255) + "." + (number & 255), 9);
        }
        return peers;
    }

    @Test
    @Tag("RFC8656§9")
    @DisplayName("a permission of CreatePermission ends after 300 seconds although data flows both ways all the time")
    void dataRefreshesNoPermission() {
        InetSocketAddress relayed = alice.allocate().relayed();
        succeeded(alice.createPermission(PEER));
        for (int second = 0; second < 320; second += 10) {
            alice.sendIndication(PEER, PAYLOAD);
            server.peerSends(PEER, relayed, PAYLOAD);
            int expected = second < 300 ? 1 : 0;
            assertEquals(expected, server.receivedBy(PEER).size(), "after " + second);
            assertEquals(expected, alice.take().size(), "after " + second);
            server.pass(Duration.ofSeconds(10));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("RFC8656§12")
    @DisplayName(
            "ChannelData alone passes for ten minutes, not for eleven; a ChannelBind in between gives ten more, permission included")
    void channelDataRefreshesNothing(boolean rebinds) {
        alice.allocate();
        alice.refresh(3_600);
        succeeded(alice.channelBind(0x4000, PEER));
        for (int second = 0; second < 1_300; second += 20) {
            if (rebinds && second == 580) {
                succeeded(alice.channelBind(0x4000, PEER));
            }
            alice.channelData(0x4000, PAYLOAD);
            int end = rebinds ? 1_180 : 600;
            assertEquals(second < end ? 1 : 0, server.receivedBy(PEER).size(), "after " + second);
            server.pass(Duration.ofSeconds(20));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0x0000, 0x3FFF, 0x5000, 0x6000, 0x7FFF, 0x8000, 0xFFFF})
    @Tag("RFC8656§12.2")
    @DisplayName("a channel number out of range is 400, whatever the two bytes after it; in range they do not matter")
    void channelNumbersOutOfRange(int number) {
        alice.allocate();
        for (int reserved : new int[] {0, 1, 0xFFFF}) {
            assertEquals(400, bind((long) number << 16 | reserved));
            assertEquals(0, bind((0x4000L + (number & 0xFFF)) << 16 | reserved));
        }
        assertEquals(1, alice.allocation().channelBindingCount());
    }

    private int bind(long value) {
        return alice.request(Method.CHANNEL_BIND)
                .with(writer -> writer.uint32(AttributeType.CHANNEL_NUMBER, value))
                .peer(PEER)
                .send()
                .error();
    }

    @Test
    @Tag("RFC8656§12")
    @DisplayName("datagrams whose first byte is that of a reserved channel, or of nothing, are dropped")
    void reservedFirstBytes() {
        alice.allocate();
        succeeded(alice.channelBind(0x4000, PEER));
        for (int first = 0x41; first <= 0xFF; first++) {
            assertNull(alice.send(new byte[] {(byte) first, 0, 0, 4, 1, 2, 3, 4}));
        }
        assertEquals(List.of(), server.network.sent());
        assertEquals(0x3F, server.drops("no-channel"));
        assertEquals(0x80, server.drops("malformed"));
        assertEquals(0, server.drops("engine-fault"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("RFC8656§12")
    @DisplayName(
            "a pair of channel and peer whose binding has expired is bound again whole; so is the peer on another number")
    void boundAgainAfterExpiry(boolean swept) {
        InetSocketAddress relayed = alice.allocate().relayed();
        alice.refresh(3_600);
        for (int number : new int[] {0x4000, 0x4000, 0x4001, 0x4000}) {
            succeeded(alice.channelBind(number, PEER));
            assertEquals(1, alice.allocation().channelBindingCount());
            alice.channelData(number, PAYLOAD);
            assertEquals(List.of("payload"), server.receivedBy(PEER));
            server.peerSends(PEER, relayed, PAYLOAD);
            assertEquals(number, alice.takeOne().channelNumber());
            if (swept) {
                server.pass(Duration.ofSeconds(700));
            } else {
                server.passUnswept(Duration.ofSeconds(700));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 1_200, 65_000})
    @Tag("RFC8656§11.2")
    @Tag("RFC8656§12.6")
    @Tag("RFC8656§12.7")
    @DisplayName("payloads of every length, empty ones too, go both ways, by Send, Data and ChannelData")
    void payloadsOfEveryLength(int length) {
        InetSocketAddress relayed = alice.allocate().relayed();
        byte[] payload = new byte[length];
        java.util.Arrays.fill(payload, (byte) 0x40);
        succeeded(alice.createPermission(PEER));
        alice.sendIndication(PEER, payload);
        assertPayload(payload, PEER);
        server.peerSends(PEER, relayed, payload);
        Answer data = alice.takeOne();
        assertTrue(data.isDataIndication());
        assertArrayEquals(payload, data.data());

        succeeded(alice.channelBind(0x4000, PEER));
        alice.channelData(0x4000, payload);
        assertPayload(payload, PEER);
        server.peerSends(PEER, relayed, payload);
        Answer channelData = alice.takeOne();
        assertArrayEquals(payload, channelData.data());
        assertEquals(4 + length, channelData.bytes().length);
    }

    private void assertPayload(byte[] payload, InetSocketAddress peer) {
        List<TestNetwork.Datagram> received = server.network.take(peer);
        assertEquals(1, received.size());
        assertArrayEquals(payload, received.get(0).payload());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 9})
    @Tag("RFC8656§12.7")
    @DisplayName(
            "a client on this server gets another's ChannelData on its own number, or as Data where it has no channel")
    void fromOneClientToAnother(int length) {
        TestClient bob = server.bob();
        InetSocketAddress aliceRelayed = alice.allocate().relayed();
        InetSocketAddress bobRelayed = bob.allocate().relayed();
        byte[] payload = new byte[length];
        succeeded(alice.channelBind(0x4000, bobRelayed));
        alice.channelData(0x4000, payload);
        assertEquals(List.of(), bob.take(), "bob has not permitted it");
        succeeded(bob.createPermission(aliceRelayed));
        alice.channelData(0x4000, payload);
        Answer data = bob.takeOne();
        assertTrue(data.isDataIndication());
        assertEquals(aliceRelayed, data.peer());
        assertArrayEquals(payload, data.data());
        succeeded(bob.channelBind(0x4ABC, aliceRelayed));
        alice.channelData(0x4000, payload);
        Answer channelData = bob.takeOne();
        assertEquals(0x4ABC, channelData.channelNumber());
        assertArrayEquals(payload, channelData.data());
    }

    @Test
    @Tag("RFC8656§13")
    @Tag("RFC8656§11.2")
    @DisplayName("DONT-FRAGMENT in a Send discards it between IPv4 and IPv4, and is ignored with IPv6 on either side")
    void dontFragmentInASend() {
        TestClient overIPv6 = alice.sameUserAt("2001:db8:a::1", 50_000);
        for (TestClient client : List.of(alice, overIPv6)) {
            client.challenge();
            succeeded(client.allocateRequest().additionalFamily(IPV6).send());
            succeeded(client.createPermission(PEER, IPV6_PEER));
            for (InetSocketAddress peer : List.of(PEER, IPV6_PEER)) {
                assertNull(client.indication(Method.SEND)
                        .peer(peer)
                        .data(PAYLOAD)
                        .dontFragment()
                        .send());
                boolean ignored = client == overIPv6 || peer == IPV6_PEER;
                assertEquals(ignored ? 1 : 0, server.receivedBy(peer).size());
            }
        }
        assertEquals(1, server.drops("dont-fragment"));
    }

    @Test
    @Tag("RFC8656§7.2")
    @DisplayName(
            "a client over IPv6 gets IPv4 unless it asks, 440 where that is not served; peers of another family are 443, and Send to them is dropped")
    void familiesOfClientsRelaysAndPeers() {
        for (String from : List.of("192.0.2.10", "2001:db8:a::1")) {
            for (int served = 1; served <= 3; served++) {
                restart(TestServer.with()
                        .relayed((served & 1) == 0 ? null : "198.51.100.1", (served & 2) == 0 ? null : "2001:db8::1")
                        .start());
                for (int family = 0; family <= 2; family++) {
                    TestClient client = alice.sameUserAt(from, 50_000 + family);
                    client.challenge();
                    Request request = client.allocateRequest();
                    Answer answer = (family == 0 ? request : request.family(family)).send();
                    int wanted = Math.max(1, family);
                    assertEquals((served & wanted) == 0 ? 440 : 0, answer.error());
                    if (answer.isSuccess()) {
                        assertPeersOfTheFamily(client, wanted == IPV6);
                    }
                }
            }
        }
    }

    private void assertPeersOfTheFamily(TestClient client, boolean ipv6) {
        InetSocketAddress same = ipv6 ? IPV6_PEER : PEER;
        InetSocketAddress other = ipv6 ? PEER : IPV6_PEER;
        assertEquals(443, client.createPermission(other).error());
        assertEquals(443, client.createPermission(same, other).error());
        assertEquals(443, client.channelBind(0x4000, other).error());
        client.sendIndication(other, PAYLOAD);
        assertEquals(List.of(), server.receivedBy(other));
        assertEquals(0, client.allocation().permissionCount());
        succeeded(client.channelBind(0x4000, same));
        client.sendIndication(same, PAYLOAD);
        assertEquals(1, server.receivedBy(same).size());
    }
}
