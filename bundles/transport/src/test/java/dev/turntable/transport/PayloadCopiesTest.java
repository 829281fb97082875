package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A payload that is relayed is not copied: a copy would need a buffer, and the worker's thread takes none from any allocator of Netty, as
 * its events in the flight recorder tell. (A copy on the heap would exceed the budget of {@link AllocatedBytesTest}.)
 */
class PayloadCopiesTest {
    private static final String BUFFER_TAKEN = "io.netty.AllocateBuffer";

    private static final ByteBufAllocator ALLOCATOR = new PooledByteBufAllocator(true);
    /** Bytes of a buffer that the test takes itself. */
    private static final int CONTROL = 12_345;

    @TempDir
    Path directory;

    static Stream<Arguments> ways() {
        return Stream.of("epoll", "epoll-unsegmented", "nio")
                .flatMap(io -> Stream.of(Rig.IPV4, Rig.IPV6).map(address -> Arguments.of(io, address)));
    }

    @ParameterizedTest
    @MethodSource("ways")
    void datagramsLeaveFromTheMemoryTheyWereReadInto(String io, InetAddress address) throws Exception {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(address);
                TestClient peer = new TestClient(address)) {
            rig.listener("udp", Rig.PORT, address);
            InetSocketAddress server = Rig.at(address, Rig.PORT);
            InetSocketAddress relayed = Rig.at(address, client.allocate(server, peer.port()));
            relay(client, server, peer, relayed);
            assertEquals(Map.of(), buffersTaken(() -> relay(client, server, peer, relayed)));
        }
    }

    private static void relay(TestClient client, InetSocketAddress server, TestClient peer, InetSocketAddress relayed)
            throws IOException {
        for (int size : new int[] {0, 1, 160, 161, 1200, 9000}) {
            byte[] payload = TestClient.payload(size, size);
            for (int i = 0; i < 20; i++) {
                client.sendOnChannel(server, payload);
                peer.send(relayed, payload);
            }
            for (int i = 0; i < 20; i++) {
                assertArrayEquals(payload, peer.receive());
                assertArrayEquals(payload, client.receiveOnChannel());
            }
        }
    }

    /** What came as one message leaves as one, with and without headers. */
    @Test
    void neitherDoThoseThatTravelTogether() throws Exception {
        try (Rig rig = new Rig("epoll", 1);
                SegmentSender sender = new SegmentSender(Rig.IPV4);
                TestClient client = new TestClient(Rig.IPV4);
                TestClient peer = new TestClient(Rig.IPV4)) {
            rig.listener("udp", Rig.PORT, Rig.IPV4);
            InetSocketAddress relayed = Rig.at(Rig.IPV4, client.allocate(Rig.at(Rig.IPV4, Rig.PORT), peer.port()));
            relayTogether(sender, relayed, client);
            assertEquals(Map.of(), buffersTaken(() -> relayTogether(sender, relayed, client)));
        }
    }

    private static void relayTogether(SegmentSender sender, InetSocketAddress relayed, TestClient client)
            throws IOException {
        for (SegmentsTest.Run run : SegmentsTest.RUNS) {
            sender.send(relayed, run.bytes(), run.size());
            for (int i = 0; i < run.count(); i++) {
                assertArrayEquals(run.payload(i), client.receiveOnChannel(), run.toString());
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    /** How many of each size by the worker, for payloads. */
    private Map<Integer, Integer> buffersTaken(Work work) throws IOException {
        Path file = directory.resolve("buffers.jfr");
        try (Recording recording = new Recording()) {
            recording.enable(BUFFER_TAKEN).withoutThreshold().withoutStackTrace();
            recording.start();
            ALLOCATOR.directBuffer(CONTROL).release();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        Map<Integer, Integer> taken = new HashMap<>();
        boolean seesBuffers = false;
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            seesBuffers |= event.getInt("size") == CONTROL;
            if (event.getThread() != null && event.getThread().getJavaName().startsWith("turntable-worker")) {
                taken.merge(event.getInt("size"), 1, Integer::sum);
            }
        }
        // Runs are made as they are needed and kept; this memory is for headers alone.
        taken.remove(SegmentRun.HEADER_BYTES);
        assertTrue(seesBuffers, "the recorder does not see buffers");
        return taken;
    }
}
