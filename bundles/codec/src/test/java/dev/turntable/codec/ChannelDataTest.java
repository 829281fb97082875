package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ChannelDataTest {
    @Test
    @Tag("RFC8656§12")
    void onlyNumbersFrom4000To4FFFAreChannels() {
        assertFalse(ChannelData.isChannel(0x3FFF));
        assertTrue(ChannelData.isChannel(0x4000));
        assertTrue(ChannelData.isChannel(0x4FFF));
        assertFalse(ChannelData.isChannel(0x5000));
        assertFalse(ChannelData.isChannel(0x8000));
        assertFalse(ChannelData.isFirstByte(0x3F));
        assertTrue(ChannelData.isFirstByte(0x40));
        assertTrue(ChannelData.isFirstByte((byte) 0x4F));
        assertFalse(ChannelData.isFirstByte(0x50));
        assertFalse(ChannelData.isFirstByte((byte) 0xC4));
    }

    @Test
    @Tag("RFC8656§12.6")
    void readsThePayloadOfADatagramAndLeavesItsPadding() {
        assertEquals(0, payloadLength("40000000"));
        assertEquals(1, payloadLength("4fff0001" + "41"));
        assertEquals(1, payloadLength("40000001" + "41000000"));
        assertEquals(-1, payloadLength("40000002" + "41"), "longer than the datagram");
        assertEquals(-1, payloadLength("4000ffff" + "41"));
        assertEquals(-1, payloadLength("400000"));
        assertEquals(-1, payloadLength(""));
        assertEquals(-1, payloadLength("5000000141"), "reserved number");
        assertEquals(-1, payloadLength("3fff000141"));
    }

    @Test
    @Tag("RFC8656§12.6")
    void theWiderRangeOfRfc5766HasToBeAskedFor() {
        ByteBuffer bytes = ByteBuffer.wrap(Samples.hex("654a000141"));
        assertEquals(-1, ChannelData.payloadLength(bytes, 0, 5));
        assertEquals(1, ChannelData.payloadLength(bytes, 0, 5, ChannelData.MAX_CHANNEL_RFC5766));
    }

    @Test
    @Tag("RFC8656§12.5")
    void sizesDoNotWrapAt16Bits() {
        assertEquals(4, ChannelData.paddedFrameLength(0));
        assertEquals(8, ChannelData.paddedFrameLength(1));
        assertEquals(8, ChannelData.paddedFrameLength(4));
        assertEquals(0x10004, ChannelData.paddedFrameLength(0xFFFD));
        assertEquals(0x10004, ChannelData.paddedFrameLength(0xFFFF));
    }

    @Test
    @Tag("RFC8656§12.4")
    void writesTheHeaderThatItReads() {
        ByteBuffer bytes = Samples.dirty(20);
        ChannelData.writeHeader(bytes, 3, 0x4ABC, 0xFFFE);
        assertEquals(0x4ABC, ChannelData.channel(bytes, 3));
        assertEquals(0xFFFE, ChannelData.length(bytes, 3));
        assertEquals((byte) 0xEE, bytes.get(2));
        assertEquals((byte) 0xEE, bytes.get(7));
    }

    @Test
    @Tag("RFC8656§11.4")
    void writesWhatGoesInFrontOfThePayloadOfADataIndication() {
        long v6Hi = 0x20010db800000000L;
        for (boolean ipv4 : new boolean[] {true, false}) {
            TransportAddress peer = ipv4
                    ? new TransportAddress(0, TransportAddress.ipv4(0xC0000201), 32853)
                    : new TransportAddress(v6Hi, 0x1122334455667788L, 32853);
            for (int size = 0; size < 9; size++) {
                ByteBuffer target = Samples.dirty(100);
                int header = DataIndication.writeHeader(
                        target, 2, 0x01020304, 0x05060708090a0b0cL, peer.hi(), peer.lo(), peer.port(), size);
                assertEquals(DataIndication.headerLength(peer.hi(), peer.lo()), header);
                int end = 2 + header + size;
                for (int i = 0; i < DataIndication.padding(size); i++) {
                    target.put(end++, (byte) 0);
                }
                StunMessage message = Samples.decoded(Samples.copy(target, 2, end - 2));
                assertEquals("Data indication", MessageType.name(message.type()));
                TransportAddress read = new TransportAddress();
                assertTrue(message.xorAddress(message.indexOf(AttributeType.XOR_PEER_ADDRESS), read));
                assertEquals(peer, read);
                int data = message.indexOf(AttributeType.DATA);
                assertEquals(size, message.valueLength(data));
                assertEquals(header, message.valueOffset(data));
            }
        }
    }

    @Test
    @Tag("RFC8656§11.4")
    void aDataIndicationThatCannotBeIsAValue() {
        ByteBuffer target = Samples.dirty(60);
        long lo = TransportAddress.ipv4(1);
        assertEquals(-1, DataIndication.writeHeader(target, 0, 1, 2, 0, lo, 1, DataIndication.MAX_PAYLOAD + 1));
        assertEquals(-1, DataIndication.writeHeader(target, 0, 1, 2, 0, lo, 1, -1));
        assertEquals(-1, DataIndication.writeHeader(target, 25, 1, 2, 0, lo, 1, 1));
        assertEquals(-1, DataIndication.writeHeader(target, 13, 1, 2, 1, lo, 1, 1));
        assertEquals(-1, DataIndication.writeHeader(target, -1, 1, 2, 0, lo, 1, 1));
        for (int i = 0; i < 60; i++) {
            assertEquals((byte) 0xEE, target.get(i), "nothing is written");
        }
        assertEquals(36, DataIndication.writeHeader(target, 24, 1, 2, 0, lo, 1, DataIndication.MAX_PAYLOAD));
        assertEquals(48, DataIndication.writeHeader(target, 0, 1, 2, 1, lo, 1, DataIndication.MAX_PAYLOAD));
        assertEquals(0xFFFC, Wire.uint16(target, 2));
    }

    private static int payloadLength(String hex) {
        byte[] bytes = Samples.hex("eeee" + hex);
        return ChannelData.payloadLength(ByteBuffer.wrap(bytes), 2, bytes.length - 2);
    }
}
