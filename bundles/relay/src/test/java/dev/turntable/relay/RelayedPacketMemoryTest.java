package dev.turntable.relay;

import static dev.turntable.relay.TestClient.succeeded;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.management.ThreadMXBean;
import dev.turntable.codec.Method;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("A warm relayed packet allocates no memory")
@Tag("RFC8656§12.6")
class RelayedPacketMemoryTest {
    private static final InetSocketAddress PEER = TestServer.address("203.0.113.5", 49_170);
    private static final InetSocketAddress PEER_WITHOUT_CHANNEL = TestServer.address("203.0.113.6", 49_170);
    private static final int WARM_UP = 20_000;
    private static final int MEASURED = 10_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    @DisplayName("neither way, neither by ChannelData nor by Send and Data, on sockets of its own")
    void onDedicatedSockets() {
        measureAll(TestServer.start());
    }

    @Test
    @DisplayName("nor on shared sockets")
    void onSharedSockets() {
        measureAll(TestServer.with().sharedSockets().start());
    }

    @Test
    @DisplayName("nor where addresses are mapped")
    void whereAddressesAreMapped() {
        measureAll(TestServer.with().external("203.0.113.99", null).start());
    }

    private void measureAll(TestServer server) {
        TestClient alice = server.alice();
        alice.allocate();
        succeeded(alice.channelBind(0x4000, PEER));
        succeeded(alice.createPermission(PEER_WITHOUT_CHANNEL));
        Allocation allocation = alice.allocation();
        server.network.records = false;

        byte[] payload = new byte[173];
        TestPacket channelData = new TestPacket(ByteBuffer.allocate(177)
                .putShort((short) 0x4000)
                .putShort((short) 173)
                .array());
        TestPacket send = new TestPacket(
                alice.indication(Method.SEND).peer(PEER).data(payload).bytes());
        TestPacket datagram = new TestPacket(payload);

        Map<String, Runnable> kinds = Map.of(
                "ChannelData from the client",
                () -> server.engine.fromClient(server.worker(), alice.path, allocation, channelData),
                "Send from the client",
                () -> server.engine.fromClient(server.worker(), alice.path, allocation, send),
                "ChannelData to the client",
                () -> fromPeer(server, allocation, PEER, datagram),
                "Data to the client",
                () -> fromPeer(server, allocation, PEER_WITHOUT_CHANNEL, datagram));
        kinds.forEach((name, kind) -> {
            long before = server.network.datagramsSent + alice.path.messages;
            assertEquals(0, bytesPerPacket(kind), name);
            assertEquals(WARM_UP + MEASURED, server.network.datagramsSent + alice.path.messages - before, name);
        });
    }

    private static void fromPeer(TestServer server, Allocation allocation, InetSocketAddress peer, TestPacket packet) {
        long lo = peer.equals(PEER) ? TransportAddress.ipv4(0xCB007105) : TransportAddress.ipv4(0xCB007106);
        server.engine.fromPeer(server.worker(), allocation.relayed(false), 0, lo, peer.getPort(), packet);
    }

    /** Rounded down: the compiler may allocate a little on this thread's account when it is done. */
    private long bytesPerPacket(Runnable kind) {
        for (int i = 0; i < WARM_UP; i++) {
            kind.run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < MEASURED; i++) {
            kind.run();
        }
        return (threads.getCurrentThreadAllocatedBytes() - before) / MEASURED;
    }
}
