package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.codec.AttributeType;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A call from challenge to goodbye")
class RelayLadderTest {
    private static final InetSocketAddress PEER = TestServer.address("203.0.113.5", 49_170);

    private final TestServer server = TestServer.start();
    private final TestClient alice = server.alice();

    @Test
    @Tag("RFC8489§3")
    @DisplayName("a Binding request is answered with the reflexive address in 32 bytes, without credentials")
    void bindingIsAnsweredIn32Bytes() {
        Answer answer =
                alice.request(dev.turntable.codec.Method.BINDING).unsigned().send();
        assertTrue(answer.isSuccess());
        assertEquals(32, answer.bytes().length);
        assertEquals(TestServer.address("192.0.2.10", 50_000), answer.address(AttributeType.XOR_MAPPED_ADDRESS));
    }

    @Test
    @Tag("RFC8656§20")
    @DisplayName(
            "challenge, Allocate, CreatePermission, Send, Data, ChannelBind, ChannelData, Refresh: each as the figure has it")
    void theWholeLadder() {
        // client                                server                                peer
        Answer challenge = alice.challenge();
        assertEquals(401, challenge.error());
        assertEquals(TestServer.REALM, challenge.text(AttributeType.REALM));
        assertFalse(challenge.has(AttributeType.MESSAGE_INTEGRITY));

        Answer allocated = succeeded(alice.allocateRequest().lifetime(600).send());
        assertEquals(600, allocated.lifetimeSeconds());
        assertEquals(TestServer.address("192.0.2.10", 50_000), allocated.address(AttributeType.XOR_MAPPED_ADDRESS));
        assertTrue(allocated.isSigned(AttributeType.MESSAGE_INTEGRITY, alice.key()));
        InetSocketAddress relayed = allocated.relayed();

        succeeded(alice.createPermission(PEER));
        alice.sendIndication(PEER, bytes("hello"));
        assertEquals(List.of("hello"), server.receivedBy(PEER));

        server.peerSends(PEER, relayed, bytes("hello, too"));
        Answer data = alice.takeOne();
        assertTrue(data.isDataIndication());
        assertEquals(PEER, data.peer());
        assertArrayEquals(bytes("hello, too"), data.data());

        succeeded(alice.channelBind(0x4001, PEER));
        alice.channelData(0x4001, bytes("by channel"));
        assertEquals(List.of("by channel"), server.receivedBy(PEER));

        server.peerSends(PEER, relayed, bytes("so am I"));
        Answer channelData = alice.takeOne();
        assertEquals(0x4001, channelData.channelNumber());
        assertArrayEquals(bytes("so am I"), channelData.data());
        assertEquals(4 + 7, channelData.bytes().length, "no padding over UDP");

        assertEquals(600, succeeded(alice.refresh(600)).lifetimeSeconds());
        assertEquals(0, succeeded(alice.refresh(0)).lifetimeSeconds());
        assertEquals(0, server.network.openSockets());
        assertEquals(437, alice.refresh(0).error());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
