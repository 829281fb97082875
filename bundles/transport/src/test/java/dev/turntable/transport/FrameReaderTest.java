package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import org.junit.jupiter.api.Test;

/** Fails when {@link FrameReader} keeps one byte too few, or hands over while its taker may not take. */
class FrameReaderTest {
    /** Remembers messages; takes none now and then. */
    private static final class Memory implements FrameReader.Taker {
        final List<byte[]> messages = new ArrayList<>();
        boolean takes = true;
        int refused;
        FrameReader reader;

        @Override
        public boolean mayTake() {
            return takes;
        }

        @Override
        public int frameLength(ByteBuf bytes) {
            return FrameCutter.frameLength(bytes, true, FrameCutter.LONGEST);
        }

        @Override
        public boolean take(ByteBuf bytes, ByteBuffer memory) {
            int start = bytes.readerIndex();
            byte[] message = new byte[FrameCutter.messageLength(memory.getInt(start))];
            memory.get(start, message);
            messages.add(message);
            return true;
        }

        @Override
        public void refuse(int why) {
            refused = why;
            reader.close();
        }
    }

    private static FrameReader reader(Memory memory) {
        memory.reader = new FrameReader(memory, UnpooledByteBufAllocator.DEFAULT);
        return memory.reader;
    }

    @Provide
    Arbitrary<byte[]> frames() {
        Arbitrary<byte[]> stun = Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.integers().between(0, 40))
                .as((type, words) -> stun(type, 4 * words));
        Arbitrary<byte[]> channelData = Combinators.combine(
                        Arbitraries.integers().between(0x40, 0x7f),
                        Arbitraries.integers().between(0, 300))
                .as(FrameReaderTest::channelData);
        Arbitrary<byte[]> longest =
                Arbitraries.integers().between(0xfff0, 0xffff).map(length -> channelData(0x40, length));
        return Arbitraries.frequencyOf(
                net.jqwik.api.Tuple.of(10, stun),
                net.jqwik.api.Tuple.of(10, channelData),
                net.jqwik.api.Tuple.of(1, longest));
    }

    private static byte[] stun(int type, int length) {
        ByteBuffer message = ByteBuffer.allocate(20 + length);
        new Random(length).nextBytes(message.array());
        message.put((byte) type).put((byte) 1).putShort((short) length).putInt(0x2112_a442);
        return message.array();
    }

    private static byte[] channelData(int first, int length) {
        ByteBuffer message = ByteBuffer.allocate(4 + length);
        new Random(length).nextBytes(message.array());
        message.put((byte) first).put((byte) 0).putShort((short) length);
        return message.array();
    }

    private static byte[] stream(List<byte[]> messages) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (byte[] message : messages) {
            stream.writeBytes(message);
            stream.writeBytes(new byte[-message.length & 3]);
        }
        return stream.toByteArray();
    }

    @Property(tries = 300, edgeCases = net.jqwik.api.EdgeCasesMode.NONE)
    @Tag("RFC8489§6.2.2")
    @Tag("RFC8656§12.5")
    void handsOverEachMessageOnceAndInOrderHoweverTheStreamIsCut(
            @ForAll("streams") List<byte[]> messages, @ForAll long seed) {
        byte[] stream = stream(messages);
        Random random = new Random(seed);
        int most = 1 + random.nextInt(stream.length < 5_000 && random.nextBoolean() ? 3 : 20_000);
        boolean pauses = random.nextBoolean();
        Memory memory = new Memory();
        FrameReader reader = reader(memory);
        for (int at = 0; at < stream.length; ) {
            int length = Math.min(stream.length - at, 1 + random.nextInt(most));
            memory.takes = !pauses || random.nextInt(4) > 0;
            int before = memory.messages.size();
            reader.read(Unpooled.wrappedBuffer(stream, at, length));
            assertEquals(true, memory.takes || memory.messages.size() == before, "handed over in a pause");
            at += length;
        }
        memory.takes = true;
        reader.takeHeld();
        assertEquals(0, memory.refused);
        assertEquals(0, reader.heldBytes(), "kept behind the last frame");
        assertEquals(messages.size(), memory.messages.size());
        for (int i = 0; i < messages.size(); i++) {
            assertArrayEquals(messages.get(i), memory.messages.get(i));
        }
    }

    @Provide
    Arbitrary<List<byte[]>> streams() {
        return frames().list().ofMinSize(1).ofMaxSize(8);
    }

    @Test
    @org.junit.jupiter.api.Tag("RFC8489§6.2.2")
    void keepsNoMoreThanTheFrameThatIsNotWhole() {
        Memory memory = new Memory();
        FrameReader reader = reader(memory);
        byte[] first = channelData(0x40, 1000);
        ByteBuf half = Unpooled.directBuffer().writeBytes(first, 0, 500);
        reader.read(half);
        half.release();
        assertEquals(500, reader.heldBytes());
        ByteBuf rest = Unpooled.directBuffer().writeBytes(first, 500, 504).writeBytes(stun(0, 8));
        reader.read(rest);
        rest.release();
        assertEquals(0, reader.heldBytes());
        assertEquals(2, memory.messages.size());
    }

    @Test
    void handsOverNothingBehindForeignBytes() {
        Memory memory = new Memory();
        FrameReader reader = reader(memory);
        ByteBuf bytes = Unpooled.directBuffer()
                .writeBytes(stun(0, 4))
                .writeBytes("HTTP".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                .setByte(24, 0x80)
                .writeBytes(stun(0, 4));
        reader.read(bytes);
        bytes.release();
        assertEquals(FrameCutter.FOREIGN, memory.refused);
        assertEquals(1, memory.messages.size());
    }
}
