package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The path of a packet makes no garbage. Seen to fail: with one {@code new TransportAddress()} in a round. */
class AllocationTest {
    private static final int ROUNDS = 20_000;
    private static final AttributeSet KNOWN =
            AttributeSet.of(AttributeType.XOR_PEER_ADDRESS, AttributeType.DATA, AttributeType.DONT_FRAGMENT);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final StunMessage message = new StunMessage();
    private final TransportAddress peer = new TransportAddress();
    private final int[] unknown = new int[4];
    private final ByteBuffer header = ByteBuffer.allocateDirect(64);
    private long sum;

    @Test
    @Tag("RFC8656§11")
    void readingASendIndicationAndWritingADataIndicationAllocatesNothing() {
        ByteBuffer packet = sendIndication();
        assertAllocatesNothing(() -> relaySend(packet));
    }

    @Test
    @Tag("RFC8656§12")
    void readingAndWritingChannelDataAllocatesNothing() {
        ByteBuffer packet = ByteBuffer.allocateDirect(200);
        ChannelData.writeHeader(packet, 0, 0x4001, 160);
        assertAllocatesNothing(() -> {
            sum += ChannelData.payloadLength(packet, 0, 164) + ChannelData.channel(packet, 0);
            sum += StreamFraming.frameLength(packet, 0, 164, 2000);
            ChannelData.writeHeader(header, 0, 0x4002, 160);
        });
    }

    private void relaySend(ByteBuffer packet) {
        assertTrue(message.decode(packet, 0, packet.limit()) == Verdict.OK);
        assertTrue(message.unknownRequired(KNOWN, unknown) == 0);
        assertTrue(message.xorAddress(message.indexOf(AttributeType.XOR_PEER_ADDRESS), peer));
        int data = message.indexOf(AttributeType.DATA);
        sum += message.valueOffset(data) + message.valueLength(data);
        sum += DataIndication.writeHeader(header, 0, 1, 2, peer.hi(), peer.lo(), peer.port(), 160);
    }

    private static ByteBuffer sendIndication() {
        ByteBuffer packet = ByteBuffer.allocateDirect(300);
        int length = new StunWriter()
                .begin(packet, 0, MessageType.type(Method.SEND, MessageClass.INDICATION), 1, 2)
                .xorAddress(AttributeType.XOR_PEER_ADDRESS, 0x20010db800000000L, 1, 5000)
                .bytes(AttributeType.DATA, new byte[160])
                .finish();
        return packet.limit(length);
    }

    private void assertAllocatesNothing(Runnable round) {
        // Warm until compiled; the least of several measurements, because the compiler itself may interfere with one.
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 10 && least > 0; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < ROUNDS; i++) {
                round.run();
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertEquals(0, least, "bytes in " + ROUNDS + " rounds");
        assertTrue(sum > 0);
    }
}
