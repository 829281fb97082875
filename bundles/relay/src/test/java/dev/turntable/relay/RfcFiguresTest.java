package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.codec.AttributeType;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.Method;
import dev.turntable.codec.NonceCookie;
import dev.turntable.codec.PasswordAlgorithms;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The exchanges that RFC 8656 draws, with its names, addresses and transactions. A line of dots is where time passes. */
@DisplayName("The figures of RFC 8656")
class RfcFiguresTest {
    private static final InetSocketAddress CLIENT = TestServer.address("192.0.2.1", 7_000);
    private static final InetSocketAddress RELAYED = TestServer.address("192.0.2.15", 50_000);
    private static final InetSocketAddress PEER_A = TestServer.address("192.0.2.150", 32_102);
    private static final InetSocketAddress PEER_B = TestServer.address("192.0.2.210", 49_191);

    private final TestServer server = TestServer.with()
            .relay("realm", "example.com")
            .relay("software", "Example server, version 1.17")
            .relay("maxAllocationLifetimeSeconds", 1_200)
            .relayed("192.0.2.15", null)
            .ports(50_000, 50_000)
            .start();
    private final TestClient client = server.client("192.0.2.1", 7_000, "George", "secret");

    @BeforeEach
    void georgeIsKnown() {
        server.users.sha256 = true;
        server.users.put("George", new CredentialAnswer.Password("George", "secret", 0));
    }

    private byte[] key() {
        return LongTermKey.sha256("George", "example.com", "secret");
    }

    private Request signed(int method) {
        return client.request(method).algorithm(PasswordAlgorithms.SHA256);
    }

    private void assertSigned(Answer answer) {
        assertTrue(answer.isSigned(AttributeType.MESSAGE_INTEGRITY_SHA256, key()));
        assertFalse(answer.has(AttributeType.MESSAGE_INTEGRITY));
    }

    private static void assertTransaction(int high, long low, Answer answer) {
        assertEquals(high, answer.message().transactionIdHigh());
        assertEquals(low, answer.message().transactionIdLow());
    }

    private void allocated() {
        client.challenge();
        succeeded(signed(Method.ALLOCATE).transport(17).lifetime(3_600).send());
    }

    @Test
    @Tag("RFC8656§20")
    @Tag("RFC8489§9.2.4")
    @DisplayName("§20: the challenge, and the Allocate that answers it")
    void challengeAndAllocate() {
        // client                                                server
        //   |--- Allocate request ------------------------------->|
        Answer challenge = client.request(Method.ALLOCATE)
                .transaction(0xA56250D3, 0xF17ABE679422DE85L)
                .with(writer -> writer.string(AttributeType.SOFTWARE, "Example client, version 1.03"))
                .lifetime(3_600)
                .transport(17)
                .dontFragment()
                .unsigned()
                .send();
        //   |<-- Allocate error response -------------------------|
        assertTransaction(0xA56250D3, 0xF17ABE679422DE85L, challenge);
        assertEquals("Example server, version 1.17", challenge.text(AttributeType.SOFTWARE));
        assertEquals(401, challenge.error());
        assertEquals("example.com", challenge.text(AttributeType.REALM));
        assertEquals(NonceCookie.PASSWORD_ALGORITHMS, NonceCookie.features(challenge.text(AttributeType.NONCE)));
        byte[] both = PasswordAlgorithms.value(PasswordAlgorithms.SHA256, PasswordAlgorithms.MD5);
        assertArrayEquals(both, challenge.value(AttributeType.PASSWORD_ALGORITHMS));
        client.learn(challenge);
        //   |--- Allocate request, with DONT-FRAGMENT as drawn -->|   which this server cannot honour, and says so
        //   |<-- Allocate error response -------------------------|
        Answer refused = signed(Method.ALLOCATE)
                .lifetime(3_600)
                .transport(17)
                .dontFragment()
                .send();
        assertEquals(420, refused.error());
        assertEquals(List.of(AttributeType.DONT_FRAGMENT), refused.unknownAttributes());
        //   |--- Allocate request ------------------------------->|
        Answer allocated = signed(Method.ALLOCATE)
                .transaction(0xC271E932, 0xAD7446A32C234492L)
                .with(writer -> writer.string(AttributeType.SOFTWARE, "Example client 1.03"))
                .lifetime(3_600)
                .transport(17)
                .send();
        //   |<-- Allocate success response -----------------------|
        succeeded(allocated);
        assertTransaction(0xC271E932, 0xAD7446A32C234492L, allocated);
        assertEquals("Example server, version 1.17", allocated.text(AttributeType.SOFTWARE));
        assertEquals(1_200, allocated.lifetimeSeconds());
        assertEquals(RELAYED, allocated.relayed());
        assertEquals(CLIENT, allocated.address(AttributeType.XOR_MAPPED_ADDRESS));
        assertSigned(allocated);
    }

    @Test
    @Tag("RFC8656§20")
    @Tag("RFC8656§9")
    @DisplayName("§20: CreatePermission for peer A, a Send and what comes back as Data")
    void permissionSendAndData() {
        allocated();
        // client                                                server                       peer A
        //   |--- CreatePermission request ----------------------->|                            |
        //   |<-- CreatePermission success response ---------------|                            |
        Answer permitted = signed(Method.CREATE_PERMISSION)
                .transaction(0xE5913A8F, 0x460956CA277D3319L)
                .peer(new InetSocketAddress(PEER_A.getAddress(), 0))
                .send();
        succeeded(permitted);
        assertTransaction(0xE5913A8F, 0x460956CA277D3319L, permitted);
        assertSigned(permitted);
        //   |--- Send indication -------------------------------->|-- UDP datagram ----------->|
        client.sendIndication(PEER_A, bytes("to A"));
        assertEquals(RELAYED, server.network.sent().get(0).from());
        assertEquals(List.of("to A"), server.receivedBy(PEER_A));
        //   |<-- Data indication ---------------------------------|<- UDP datagram ------------|
        server.peerSends(PEER_A, RELAYED, bytes("from A"));
        Answer data = client.takeOne();
        assertTrue(data.isDataIndication());
        assertEquals(PEER_A, data.peer());
        assertArrayEquals(bytes("from A"), data.data());
    }

    @Test
    @Tag("RFC8656§20")
    @Tag("RFC8656§12")
    @DisplayName("§20: a channel for peer B, and ChannelData both ways")
    void channelBindAndChannelData() {
        allocated();
        // client                                                server                       peer B
        //   |--- ChannelBind request ---------------------------->|                            |
        //   |<-- ChannelBind success response --------------------|                            |
        Answer bound = signed(Method.CHANNEL_BIND)
                .transaction(0x6490D3BC, 0x175AFF3D84513212L)
                .channel(0x4000)
                .peer(PEER_B)
                .send();
        succeeded(bound);
        assertTransaction(0x6490D3BC, 0x175AFF3D84513212L, bound);
        assertSigned(bound);
        //   |--- ChannelData ------------------------------------>|-- UDP datagram ----------->|
        client.channelData(0x4000, bytes("to B"));
        assertEquals(RELAYED, server.network.sent().get(0).from());
        assertEquals(List.of("to B"), server.receivedBy(PEER_B));
        //   |<-- ChannelData -------------------------------------|<- UDP datagram ------------|
        server.peerSends(PEER_B, RELAYED, bytes("from B"));
        Answer channelData = client.takeOne();
        assertEquals(0x4000, channelData.channelNumber());
        assertArrayEquals(bytes("from B"), channelData.data());
    }

    @Test
    @Tag("RFC8656§20")
    @Tag("RFC8656§8.2")
    @DisplayName("§20: a Refresh whose nonce is stale, and the one with the fresh nonce")
    void refreshWithAStaleNonce() {
        server.configure(java.util.Map.of(
                "realm", "example.com", "nonceLifetimeSeconds", 300, "software", "Example server, version 1.17"));
        allocated();
        // ......................................................
        server.pass(Duration.ofSeconds(300));
        //   |--- Refresh request -------------------------------->|
        //   |<-- Refresh error response --------------------------|
        Answer stale = signed(Method.REFRESH)
                .transaction(0x0864B3C2, 0x7ADE9354B4312414L)
                .send();
        assertTransaction(0x0864B3C2, 0x7ADE9354B4312414L, stale);
        assertEquals(438, stale.error());
        assertEquals("Example server, version 1.17", stale.text(AttributeType.SOFTWARE));
        assertEquals("example.com", stale.text(AttributeType.REALM));
        assertTrue(stale.has(AttributeType.PASSWORD_ALGORITHMS));
        client.learn(stale);
        //   |--- Refresh request -------------------------------->|
        //   |<-- Refresh success response ------------------------|
        Answer refreshed = signed(Method.REFRESH)
                .transaction(0x427BD3E6, 0x25A85FC731DC4191L)
                .send();
        succeeded(refreshed);
        assertTransaction(0x427BD3E6, 0x25A85FC731DC4191L, refreshed);
        assertEquals(600, refreshed.lifetimeSeconds());
        assertSigned(refreshed);
    }

    @Test
    @Tag("RFC8656§3.4")
    @DisplayName(
            "§3.4: Send and Data pass for peer A, who has a permission; what peer B sends is dropped, and so is a Send to B")
    void sendMechanism() {
        allocated();
        // client                 server              peer A      peer B
        //   |-- CreatePerm (A) --->|                    |           |
        //   |<- success -----------|                    |           |
        succeeded(signed(Method.CREATE_PERMISSION).peer(PEER_A).send());
        //   |--- Send (A) -------->|=== data =========>|           |
        client.sendIndication(PEER_A, bytes("data"));
        assertEquals(List.of("data"), server.receivedBy(PEER_A));
        //   |<-- Data (A) ---------|<== data ==========|           |
        server.peerSends(PEER_A, RELAYED, bytes("data"));
        assertEquals(PEER_A, client.takeOne().peer());
        //   |--- Send (B) -------->| dropped            |           |
        client.sendIndication(PEER_B, bytes("data"));
        assertEquals(List.of(), server.receivedBy(PEER_B));
        //   |                      | dropped <== data ==|===========|
        server.peerSends(PEER_B, RELAYED, bytes("data"));
        assertEquals(List.of(), client.take());
        assertEquals(2, server.drops("no-permission"));
    }

    @Test
    @Tag("RFC8656§3.5")
    @DisplayName("§3.5: ChannelData for peer A, who has a channel, between Send and Data for peer B, who has none")
    void channels() {
        allocated();
        // client                        server               peer A      peer B
        //   |-- ChannelBind (A, 0x4001) ->|                     |           |
        //   |<- success ------------------|                     |           |
        succeeded(signed(Method.CHANNEL_BIND).channel(0x4001).peer(PEER_A).send());
        succeeded(signed(Method.CREATE_PERMISSION).peer(PEER_B).send());
        //   |-- (0x4001) data ----------->|=== data ==========>|           |
        client.channelData(0x4001, bytes("data"));
        assertEquals(List.of("data"), server.receivedBy(PEER_A));
        //   |<- (0x4001) data ------------|<== data ===========|           |
        server.peerSends(PEER_A, RELAYED, bytes("data"));
        assertEquals(0x4001, client.takeOne().channelNumber());
        //   |--- Send (A) --------------->|=== data ==========>|           |   the other way stays open
        client.sendIndication(PEER_A, bytes("data"));
        assertEquals(List.of("data"), server.receivedBy(PEER_A));
        //   |--- Send (B) --------------->|=== data ===========|==========>|
        client.sendIndication(PEER_B, bytes("data"));
        assertEquals(List.of("data"), server.receivedBy(PEER_B));
        //   |<-- Data (B) ----------------|<== data ===========|===========|
        server.peerSends(PEER_B, RELAYED, bytes("data"));
        assertEquals(PEER_B, client.takeOne().peer());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
