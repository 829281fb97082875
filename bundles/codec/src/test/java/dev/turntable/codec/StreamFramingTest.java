package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StreamFramingTest {
    private static final int LIMIT = 70_000;

    @Test
    @Tag("RFC8489§6.2.2")
    void everyFrameIsFoundOnceAndInOrderNoMatterHowItIsCut() {
        String refresh = Samples.hex(Samples.LONG_TERM_REQUEST);
        String channelData = "40000005" + "4142434445" + "000000";
        String stream = refresh + channelData + "40000000" + Samples.hex(Samples.SHA256_REQUEST);
        byte[] bytes = Samples.hex(stream);
        List<Integer> expected = List.of(116, 12, 4, 164);
        for (int step : new int[] {1, 2, 3, 5, 7, 19, 20, 21, 150, bytes.length}) {
            List<Integer> found = new ArrayList<>();
            int offset = 0;
            for (int received = step; offset < bytes.length; received = Math.min(received + step, bytes.length)) {
                int size = StreamFraming.frameLength(ByteBuffer.wrap(bytes), offset, received - offset, LIMIT);
                while (size > 0) {
                    found.add(size);
                    offset += size;
                    size = StreamFraming.frameLength(ByteBuffer.wrap(bytes), offset, received - offset, LIMIT);
                }
                assertEquals(0, size);
            }
            assertEquals(expected, found);
        }
    }

    @Test
    @Tag("RFC8489§6.2.2")
    void oneToNineteenBytesMeanWait() {
        for (int available = 0; available < 20; available++) {
            assertEquals(0, StreamFraming.frameLength(ByteBuffer.wrap(Samples.REQUEST), 0, available, LIMIT));
        }
        assertEquals(0, frameLength("40", LIMIT));
        assertEquals(0, frameLength("400000", LIMIT));
    }

    @Test
    @Tag("RFC8656§12.5")
    void aLengthNearTheEndOf16BitsDoesNotWrapToAHeaderAlone() {
        for (String length : new String[] {"fffd", "fffe", "ffff"}) {
            String forged = "4000" + length + Samples.hex(Samples.REQUEST);
            assertEquals(0, frameLength(forged, LIMIT), "waits for all of it");
            assertEquals(StreamFraming.TOO_LONG, frameLength(forged, 0x10003));
            assertEquals(0x10004, frameLength(forged + "00".repeat(0x10004), LIMIT));
        }
    }

    @Test
    @Tag("RFC8656§12.6")
    void aFrameWithAReservedNumberKeepsTheStreamInStep() {
        for (String number : new String[] {"5000", "7fff", "8000", "ffff"}) {
            assertEquals(8, frameLength(number + "000341424300" + "40000000", LIMIT));
        }
    }

    @Test
    @Tag("RFC8489§6.3")
    void whatBeginsAsStunAndCannotBeItEndsTheStream() {
        assertEquals(StreamFraming.NOT_A_FRAME, frameLength("00010001", LIMIT), "not a multiple of four");
        assertEquals(StreamFraming.NOT_A_FRAME, frameLength("000100002112a443", LIMIT), "no cookie");
        assertEquals(StreamFraming.NOT_A_FRAME, frameLength("160301020001000113", LIMIT), "a TLS ClientHello");
    }

    @Test
    void theLimitIsThatOfTheWholeFrame() {
        assertEquals(0, frameLength("00010fec", 4096));
        assertEquals(StreamFraming.TOO_LONG, frameLength("00010ff0", 4096));
        assertEquals(0, frameLength("40000ffc", 4096));
        assertEquals(StreamFraming.TOO_LONG, frameLength("40000ffd", 4096));
    }

    private static int frameLength(String hex, int limit) {
        byte[] bytes = Samples.hex("eeeeee" + hex);
        return StreamFraming.frameLength(ByteBuffer.wrap(bytes), 3, bytes.length - 3, limit);
    }
}
