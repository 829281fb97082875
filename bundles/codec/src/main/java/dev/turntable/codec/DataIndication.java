package dev.turntable.codec;

import java.nio.ByteBuffer;

/**
 * The bytes in front of the payload of a Data indication (RFC 8656 §11.4): header, XOR-PEER-ADDRESS and the header of
 * DATA, so that the payload itself can be sent from where it lies. After it go {@link #padding} zero bytes. Hot path:
 * allocates nothing.
 */
public final class DataIndication {
    /** Length in bytes of what goes in front of data of an IPv4 peer. */
    public static final int HEADER_LENGTH_IPV4 = StunMessage.HEADER_LENGTH + 4 + AddressValue.LENGTH_IPV4 + 4;

    /** Length in bytes of what goes in front of data of an IPv6 peer. */
    public static final int HEADER_LENGTH_IPV6 = StunMessage.HEADER_LENGTH + 4 + AddressValue.LENGTH_IPV6 + 4;

    /** The longest payload in bytes that the length of the message leaves room for, whichever family the peer has. */
    public static final int MAX_PAYLOAD = 0xFFFC - (HEADER_LENGTH_IPV6 - StunMessage.HEADER_LENGTH);

    private static final int TYPE = MessageType.type(Method.DATA, MessageClass.INDICATION);

    private DataIndication() {}

    /** Length in bytes of what goes in front of the payload from a peer. */
    public static int headerLength(long peerHi, long peerLo) {
        return TransportAddress.isIPv4(peerHi, peerLo) ? HEADER_LENGTH_IPV4 : HEADER_LENGTH_IPV6;
    }

    /** How many zero bytes go after a payload of so many bytes, 0..3. */
    public static int padding(int payloadLength) {
        return -payloadLength & 3;
    }

    /**
     * Writes {@link #headerLength} bytes.
     *
     * @param idHigh the first 4 bytes of the transaction ID, chosen by the caller
     * @param idLow the last 8 bytes of the transaction ID
     * @param payloadLength in bytes, 0..{@link #MAX_PAYLOAD}
     * @return how many bytes were written; -1, and nothing is written, if they or the payload do not fit
     */
    public static int writeHeader(
            ByteBuffer target,
            int offset,
            int idHigh,
            long idLow,
            long peerHi,
            long peerLo,
            int peerPort,
            int payloadLength) {
        int length = headerLength(peerHi, peerLo);
        if (payloadLength < 0 || payloadLength > MAX_PAYLOAD || offset < 0 || length > target.limit() - offset) {
            return -1;
        }
        int bodyLength = length - StunMessage.HEADER_LENGTH + Wire.padded(payloadLength);
        StunWriter.writeHeader(target, offset, TYPE, bodyLength, idHigh, idLow);
        int at = offset + StunMessage.HEADER_LENGTH;
        Wire.put32(target, at, AttributeType.XOR_PEER_ADDRESS << 16 | AddressValue.length(peerHi, peerLo));
        AddressValue.write(target, at + 4, StunMessage.MAGIC_COOKIE, idHigh, idLow, peerHi, peerLo, peerPort);
        Wire.put32(target, offset + length - 4, AttributeType.DATA << 16 | payloadLength);
        return length;
    }
}
