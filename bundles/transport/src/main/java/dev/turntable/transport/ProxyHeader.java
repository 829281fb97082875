package dev.turntable.transport;

import dev.turntable.api.AddressText;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a proxy says in front of a connection (the PROXY protocol, versions 1 and 2), or of each datagram (version 2).
 *
 * @param length of the header, in bytes
 * @param client whom the proxy speaks for; null where that is itself or not known
 */
record ProxyHeader(int length, InetSocketAddress client) {
    /** Not enough of it has come to tell. */
    static final ProxyHeader NEED_MORE = new ProxyHeader(0, null);

    /** None, or one that is not understood. */
    static final ProxyHeader BAD = new ProxyHeader(-1, null);

    private static final byte[] SIGNATURE_1 = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SIGNATURE_2 = {13, 10, 13, 10, 0, 13, 10, 'Q', 'U', 'I', 'T', 10};
    private static final int LONGEST_1 = 107;
    private static final int HEAD_2 = 16;
    private static final int LONGEST_2 = 536;
    private static final int LOCAL = 0x20;
    private static final int PROXIED = 0x21;
    private static final int UNSPECIFIED = 0x00;
    private static final int IPV4 = 0x10;
    private static final int IPV6 = 0x20;
    private static final int STREAM = 1;
    private static final int DATAGRAM = 2;
    private static final String PORT = "(0|[1-9][0-9]{0,4})";
    private static final Pattern LINE =
            Pattern.compile("(?:UNKNOWN(?: .*)?|(TCP[46]) (\\S+) (\\S+) " + PORT + " " + PORT + ")");

    /** Looks at the readable bytes of a connection, and leaves them as they are. */
    static ProxyHeader read(ByteBuf bytes) {
        int readable = bytes.readableBytes();
        if (readable == 0) {
            return NEED_MORE;
        }
        boolean second = bytes.getByte(bytes.readerIndex()) == SIGNATURE_2[0];
        byte[] signature = second ? SIGNATURE_2 : SIGNATURE_1;
        if (!begins(bytes, signature)) {
            return BAD;
        }
        if (readable < signature.length) {
            return NEED_MORE;
        }
        return second ? second(bytes, STREAM) : first(bytes);
    }

    /** Looks at a datagram, and leaves it as it is. All of the header is in it, or it is bad. */
    static ProxyHeader ofDatagram(ByteBuf datagram) {
        ProxyHeader header = begins(datagram, SIGNATURE_2) ? second(datagram, DATAGRAM) : BAD;
        return header == NEED_MORE ? BAD : header;
    }

    /** Whether as much as there is of a signature is right. */
    private static boolean begins(ByteBuf bytes, byte[] signature) {
        for (int i = 0; i < Math.min(bytes.readableBytes(), signature.length); i++) {
            if (bytes.getByte(bytes.readerIndex() + i) != signature[i]) {
                return false;
            }
        }
        return true;
    }

    private static ProxyHeader first(ByteBuf bytes) {
        int start = bytes.readerIndex();
        int longest = Math.min(bytes.readableBytes(), LONGEST_1);
        int newline = bytes.indexOf(start, start + longest, (byte) '\n');
        if (newline < 0) {
            return longest == LONGEST_1 ? BAD : NEED_MORE;
        }
        int text = newline - 1 - start - SIGNATURE_1.length;
        if (text < 0 || bytes.getByte(newline - 1) != '\r') {
            return BAD;
        }
        Matcher line = LINE.matcher(bytes.toString(start + SIGNATURE_1.length, text, StandardCharsets.ISO_8859_1));
        if (!line.matches()) {
            return BAD;
        }
        int length = newline + 1 - start;
        if (line.group(1) == null) {
            return new ProxyHeader(length, null);
        }
        boolean ipv6 = line.group(1).equals("TCP6");
        InetAddress client = AddressText.parse(line.group(2));
        InetAddress server = AddressText.parse(line.group(3));
        int port = Integer.parseInt(line.group(4));
        boolean ofItsFamily =
                line.group(2).indexOf(':') >= 0 == ipv6 && line.group(3).indexOf(':') >= 0 == ipv6;
        if (client == null || server == null || port > 0xffff || !ofItsFamily) {
            return BAD;
        }
        return new ProxyHeader(length, new InetSocketAddress(client, port));
    }

    private static ProxyHeader second(ByteBuf bytes, int transport) {
        int start = bytes.readerIndex();
        if (bytes.readableBytes() < HEAD_2) {
            return NEED_MORE;
        }
        int command = bytes.getUnsignedByte(start + 12);
        int family = bytes.getUnsignedByte(start + 13);
        int rest = bytes.getUnsignedShort(start + 14);
        if ((command != LOCAL && command != PROXIED) || rest > LONGEST_2) {
            return BAD;
        }
        int length = HEAD_2 + rest;
        if (bytes.readableBytes() < length) {
            return NEED_MORE;
        }
        if (command == LOCAL || family == UNSPECIFIED) {
            return new ProxyHeader(length, null);
        }
        int octets = family == (IPV4 | transport) ? 4 : family == (IPV6 | transport) ? 16 : 0;
        // Two addresses and two ports; what follows is for others.
        if (octets == 0 || rest < 2 * octets + 4) {
            return BAD;
        }
        byte[] address = new byte[octets];
        bytes.getBytes(start + HEAD_2, address);
        try {
            return new ProxyHeader(
                    length,
                    new InetSocketAddress(
                            InetAddress.getByAddress(address), bytes.getUnsignedShort(start + HEAD_2 + 2 * octets)));
        } catch (UnknownHostException e) {
            return BAD;
        }
    }
}
