package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ChannelData;
import dev.turntable.codec.Fingerprint;
import dev.turntable.codec.Integrity;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.Method;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.TransportAddress;
import dev.turntable.codec.Verdict;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a client got from the server: a STUN message or ChannelData, and questions about it. */
final class Answer {
    private final byte[] bytes;
    private final StunMessage message = new StunMessage();

    Answer(byte[] bytes) {
        this.bytes = bytes;
        if (!isChannelData()) {
            Verdict verdict = message.decode(ByteBuffer.wrap(bytes), 0, bytes.length);
            if (verdict != Verdict.OK) {
                throw new AssertionError("the server sent what is no message: " + verdict);
            }
            checkPadding();
        }
    }

    /** RFC 8489 §14: padding is zero. What a buffer held before is nobody's business. */
    private void checkPadding() {
        ByteBuffer all = ByteBuffer.wrap(bytes);
        int at = 20;
        while (at < bytes.length) {
            int end = at + 4 + (all.getShort(at + 2) & 0xFFFF);
            at = end + 3 & ~3;
            for (int i = end; i < at; i++) {
                if (bytes[i] != 0) {
                    throw new AssertionError("padding that is not zero: " + this);
                }
            }
        }
    }

    byte[] bytes() {
        return bytes;
    }

    StunMessage message() {
        return message;
    }

    boolean isChannelData() {
        return (bytes[0] & 0xC0) == 0x40;
    }

    int channelNumber() {
        return ChannelData.channel(ByteBuffer.wrap(bytes), 0);
    }

    /** Payload of ChannelData, or the value of DATA. */
    byte[] data() {
        if (isChannelData()) {
            int length = ChannelData.length(ByteBuffer.wrap(bytes), 0);
            return Arrays.copyOfRange(bytes, 4, 4 + length);
        }
        return value(AttributeType.DATA);
    }

    boolean isSuccess() {
        return !isChannelData() && message.messageClass() == MessageClass.SUCCESS;
    }

    boolean isDataIndication() {
        return !isChannelData() && message.method() == Method.DATA && message.messageClass() == MessageClass.INDICATION;
    }

    /** The error code; 0 where it is no error response. */
    int error() {
        boolean error = !isChannelData() && message.messageClass() == MessageClass.ERROR;
        return error ? message.errorCode(message.indexOf(AttributeType.ERROR_CODE)) : 0;
    }

    boolean has(int type) {
        return message.has(type);
    }

    byte[] value(int type) {
        int index = message.indexOf(type);
        return index < 0 ? null : message.value(index);
    }

    String text(int type) {
        int index = message.indexOf(type);
        return index < 0 ? null : message.string(index);
    }

    long lifetimeSeconds() {
        return message.uint32(message.indexOf(AttributeType.LIFETIME));
    }

    long connectionId() {
        return message.uint32(message.indexOf(AttributeType.CONNECTION_ID));
    }

    InetSocketAddress address(int type) {
        return addresses(type).get(0);
    }

    List<InetSocketAddress> addresses(int type) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int i = message.indexOf(type); i >= 0; i = message.indexOf(type, i + 1)) {
            TransportAddress address = new TransportAddress();
            if (!message.xorAddress(i, address)) {
                throw new AssertionError("malformed address");
            }
            addresses.add(address.toInetSocketAddress());
        }
        return addresses;
    }

    /** The first XOR-RELAYED-ADDRESS. */
    InetSocketAddress relayed() {
        return address(AttributeType.XOR_RELAYED_ADDRESS);
    }

    InetSocketAddress peer() {
        return address(AttributeType.XOR_PEER_ADDRESS);
    }

    /** The types in UNKNOWN-ATTRIBUTES. */
    List<Integer> unknownAttributes() {
        ByteBuffer value = ByteBuffer.wrap(value(AttributeType.UNKNOWN_ATTRIBUTES));
        List<Integer> types = new ArrayList<>();
        while (value.hasRemaining()) {
            types.add(value.getShort() & 0xFFFF);
        }
        return types;
    }

    /** Whether the integrity of that type is there and right for the key. */
    boolean isSigned(int type, byte[] key) {
        int index = message.indexOf(type);
        return index >= 0 && new Integrity().verify(message, index, key);
    }

    boolean hasRightFingerprint() {
        return Fingerprint.verify(message);
    }

    @Override
    public String toString() {
        return isChannelData()
                ? "ChannelData 0x" + Integer.toHexString(channelNumber())
                : dev.turntable.codec.MessageType.name(message.type()) + (error() == 0 ? "" : " " + error());
    }
}
