package dev.turntable.transport;

import java.util.Arrays;

/** What can be told of a datagram of DTLS records without a key (RFC 6347 §4.1, §4.2.2). Pure. */
final class DtlsRecords {
    /** Bytes of a record that is not too long, its header included: a plaintext of 2^14 and what a cipher may add (RFC 6347 §4.1). */
    static final int LONGEST = 13 + 16_384 + 2_048;

    /** Bytes of the longest plaintext (RFC 5246 §6.2.1). */
    static final int LONGEST_PLAINTEXT = 16_384;

    static final int RANDOM_BYTES = 32;

    private static final int HANDSHAKE = 22;
    private static final int CLIENT_HELLO = 1;
    private static final int RECORD_HEADER = 13;
    private static final int MESSAGE_HEADER = 12;
    private static final int RANDOM = RECORD_HEADER + MESSAGE_HEADER + 2;
    private static final int SESSION_LENGTH = RANDOM + RANDOM_BYTES;

    private DtlsRecords() {}

    /** Whether it begins with a ClientHello in the clear, of which at least the random is there. */
    static boolean isHello(byte[] datagram, int length) {
        return length > SESSION_LENGTH
                && datagram[0] == HANDSHAKE
                && epoch(datagram) == 0
                && datagram[RECORD_HEADER] == CLIENT_HELLO
                && uint24(datagram, RECORD_HEADER + 6) == 0;
    }

    /** Of the first record. There must be one. */
    static int epoch(byte[] datagram) {
        return uint16(datagram, 3);
    }

    static boolean isWhole(int length) {
        return length >= RECORD_HEADER;
    }

    static byte[] random(byte[] hello) {
        return Arrays.copyOfRange(hello, RANDOM, SESSION_LENGTH);
    }

    static boolean hasRandom(byte[] hello, byte[] random) {
        return Arrays.equals(hello, RANDOM, SESSION_LENGTH, random, 0, RANDOM_BYTES);
    }

    static boolean hasCookie(byte[] hello, int length) {
        int at = SESSION_LENGTH + 1 + (hello[SESSION_LENGTH] & 0xff);
        return at < length && hello[at] != 0;
    }

    /**
     * Whether no handshake message in the clear claims to be longer than that: memory for all of it is taken when its first fragment
     * comes.
     */
    static boolean isBounded(byte[] datagram, int length, int mostBytes) {
        int record = 0;
        while (record + RECORD_HEADER <= length) {
            int end = Math.min(length, record + RECORD_HEADER + uint16(datagram, record + 11));
            if (datagram[record] == HANDSHAKE && uint16(datagram, record + 3) == 0) {
                int message = record + RECORD_HEADER;
                while (message + MESSAGE_HEADER <= end) {
                    if (uint24(datagram, message + 1) > mostBytes) {
                        return false;
                    }
                    message += MESSAGE_HEADER + uint24(datagram, message + 9);
                }
            }
            record = end;
        }
        return true;
    }

    private static int uint16(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 8 | bytes[at + 1] & 0xff;
    }

    static int uint24(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 16 | uint16(bytes, at + 1);
    }
}
