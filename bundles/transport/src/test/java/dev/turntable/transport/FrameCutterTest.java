package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameCutterTest {
    private static int frameLength(String hex, boolean channels, int limit) {
        ByteBuf bytes = Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex.replace(" ", "")));
        int frame = FrameCutter.frameLength(bytes, channels, limit);
        assertEquals(0, bytes.readerIndex());
        return frame;
    }

    @ParameterizedTest
    @CsvSource({
        "40000000, 4",
        "40000001, 8",
        "40000004, 8",
        "4000fffc, 65536",
        "4000fffd, 65540",
        "4000fffe, 65540",
        "4000ffff, 65540",
        "50000005, 12",
        "7fff0005, 12",
        "0001 0000 2112a442, 20",
        "0003 fffc 2112a442, 65552",
    })
    @Tag("RFC8656§12.5")
    @Tag("RFC8489§6.2.2")
    void sumsLengthsWithoutWrapping(String hex, int expected) {
        assertEquals(expected, frameLength(hex, true, FrameCutter.LONGEST));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "0001", "000100", "00010000", "00010000 2112a4", "40", "400000"})
    @Tag("RFC8489§6.2.2")
    void waitsForWhatItNeeds(String hex) {
        assertEquals(FrameCutter.NEED_MORE, frameLength(hex, true, FrameCutter.LONGEST));
    }

    @ParameterizedTest
    @ValueSource(strings = {"04", "14", "16", "3f", "80", "ff", "00010001", "00010000 00000000", "00000000 00000000"})
    @Tag("RFC8489§6.2.2")
    void knowsForeignBytesAsSoonAsTheyCannotBecomeAFrame(String hex) {
        assertEquals(FrameCutter.FOREIGN, frameLength(hex, true, FrameCutter.LONGEST));
        assertEquals(FrameCutter.FOREIGN, frameLength(hex, false, FrameCutter.LONGEST));
    }

    @Test
    @Tag("RFC8656§12.5")
    void takesNoChannelDataFromAClientWithoutAnAllocation() {
        // "GET " looks like it.
        assertEquals(FrameCutter.CHANNEL_WITHOUT_ALLOCATION, frameLength("47", false, FrameCutter.LONGEST));
    }

    @ParameterizedTest
    @CsvSource({"40000ffd, 4096", "40001000, 4096", "00010ff0 2112a442, 4096"})
    void refusesAFrameAboveTheLimitWhenItsLengthIsThere(String hex, int limit) {
        assertEquals(FrameCutter.TOO_LONG, frameLength(hex, true, limit));
    }

    @Test
    @Tag("RFC8656§12.5")
    void leavesPaddingOutOfTheMessage() {
        assertEquals(4 + 5, FrameCutter.messageLength(0x4000_0005));
        assertEquals(4 + 0xffff, FrameCutter.messageLength(0x4000_ffff));
        assertEquals(20 + 8, FrameCutter.messageLength(0x0001_0008));
    }
}
