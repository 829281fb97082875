package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;

/** Messages and lines that several tests read. */
final class Samples {
    static final String PASSWORD = "VOkJxbRl1RmTxUk/WvJxBt";
    static final String MATRIX = "マトリックス";

    /** RFC 5769 §2.1; its padding is of spaces. */
    static final byte[] REQUEST = hex("000100582112a442b7e7a701bc34d686fa87dfae"
            + "802200105354554e207465737420636c69656e74"
            + "002400046e0001ff"
            + "80290008932ff9b151263b36"
            + "000600096576746a3a68367659202020"
            + "000800149aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2"
            + "80280004e57a3bcf");

    /** RFC 5769 §2.2. */
    static final byte[] IPV4_RESPONSE = hex("0101003c2112a442b7e7a701bc34d686fa87dfae"
            + "8022000b7465737420766563746f7220" + "002000080001a147e112a643"
            + "000800142b91f599fd9e90c38c7489f92af9ba53f06be7d7" + "80280004c07d4c96");

    /** RFC 5769 §2.3. */
    static final byte[] IPV6_RESPONSE = hex("010100482112a442b7e7a701bc34d686fa87dfae"
            + "8022000b7465737420766563746f7220" + "002000140002a1470113a9faa5d3f179bc25f4b5bed2b9d9"
            + "00080014a382954e4be67bf11784c97c8292c275bfe3ed41" + "80280004c8fb0b4c");

    /** RFC 5769 §2.4; its padding is zero. */
    static final byte[] LONG_TERM_REQUEST = hex("000100602112a44278ad3433c6ad72c029da412e"
            + "00060012e3839ee38388e383aae38383e382afe382b90000"
            + "0015001c662f2f3439396b39353464364f4c33346f4c39465354767936347341"
            + "0014000b6578616d706c652e6f726700"
            + "00080014f67024656dd64a3e02b8e0712e85c9a28ca89666");

    /** RFC 8489 appendix B.1 as erratum 6268 corrects it: with PASSWORD-ALGORITHM, and the right length. */
    static final byte[] SHA256_REQUEST = hex("000100902112a44278ad3433c6ad72c029da412e"
            + "001e00204a3cf38fef6992bda952c6780417da0f24819415569e60b205c46e41407f1704"
            + "001500296f624d61744a6f733241414143662f2f3439396b39353464364f4c33346f4c39465354767936347341000000"
            + "0014000b6578616d706c652e6f726700"
            + "001d000400020000"
            + "001c0020b5c7bf005b6c52a21c51c5e892f81924136296cb927c43149309278cc6518e65");

    /** RFC 8489 appendix B.1 as printed: its length is not that of the message, and its code is not right. */
    static final byte[] SHA256_REQUEST_AS_PRINTED = hex("0001009c2112a44278ad3433c6ad72c029da412e"
            + "001e00204a3cf38fef6992bda952c6780417da0f24819415569e60b205c46e41407f1704"
            + "001500296f624d61744a6f733241414143662f2f3439396b39353464364f4c33346f4c39465354767936347341000000"
            + "0014000b6578616d706c652e6f726700"
            + "001c0020e4686c8f0edeb59013e07090010a93efccbccc544c0a45d9f830aa6d6f735a01");

    private Samples() {}

    static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    static StunMessage decoded(byte[] bytes) {
        StunMessage message = new StunMessage();
        assertEquals(Verdict.OK, message.decode(ByteBuffer.wrap(bytes), 0, bytes.length));
        return message;
    }

    static byte[] copy(ByteBuffer buffer, int offset, int length) {
        byte[] bytes = new byte[length];
        buffer.get(offset, bytes);
        return bytes;
    }

    /** A buffer full of what another message might have left there. */
    static ByteBuffer dirty(int size) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(size);
        for (int i = 0; i < size; i++) {
            buffer.put(i, (byte) 0xEE);
        }
        return buffer;
    }

    /** The lines of a file beside this class that are not comments. */
    static List<String> lines(String file) {
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(Samples.class.getResourceAsStream(file), StandardCharsets.UTF_8))) {
            return reader.lines()
                    .filter(line -> !line.startsWith("#") && !line.isBlank())
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Reads everything that can be read of a decoded message, as a careless caller would. */
    static long readAll(StunMessage message) {
        long sum = message.type() + message.method() + message.messageClass() + message.transactionIdLow();
        TransportAddress address = new TransportAddress();
        for (int i = 0; i < message.count(); i++) {
            sum += message.typeAt(i) + message.value(i).length;
            sum += message.uint8(i) + message.uint16(i) + message.uint32(i) + message.errorCode(i);
            sum += message.xorAddress(i, address) ? address.port() : 0;
            sum += message.address(i, address) ? address.lo() : 0;
            sum += message.valueLength(i) == 8 ? message.int64(i) : 0;
            sum += String.valueOf(message.string(i)).length();
            sum += String.valueOf(message.reasonPhrase(i)).length();
            sum += PasswordAlgorithms.algorithm(message, i) + PasswordAlgorithms.count(message, i);
            sum += PasswordAlgorithms.contains(message, i, PasswordAlgorithms.SHA256) ? 1 : 0;
            sum += message.valueEquals(i, new byte[4]) ? 1 : 0;
        }
        return sum + message.unknownRequired(AttributeSet.of(), new int[8]);
    }
}
