package dev.turntable.transport;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Puts keys of older forms into PKCS#8 (RFC 5958), the only form that the JDK reads: a version and the algorithm in front. */
final class KeyDer {
    private static final int INTEGER = 0x02;
    private static final int OCTETS = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int PARAMETERS = 0xa0;

    private static final byte[] VERSION_0 = {INTEGER, 1, 0};
    /** rsaEncryption, and NULL (RFC 8017 §A.1). */
    private static final byte[] RSA = {
        0x06, 9, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 1, 1, 1, 0x05, 0
    };
    /** id-ecPublicKey (RFC 5480 §2.1.1). */
    private static final byte[] EC = {0x06, 7, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 2, 1};

    private KeyDer() {}

    static byte[] fromPkcs1(byte[] key) {
        return wrapped(RSA, new byte[0], key);
    }

    /** The curve is in the key itself: the parameters of RFC 5915 §3. */
    static byte[] fromSec1(byte[] key) {
        ByteBuffer fields = content(ByteBuffer.wrap(key), SEQUENCE);
        while (fields.hasRemaining()) {
            int tag = fields.get(fields.position()) & 0xff;
            ByteBuffer field = content(fields, tag);
            if (tag == PARAMETERS) {
                byte[] curve = new byte[field.remaining()];
                field.get(curve);
                return wrapped(EC, curve, key);
            }
        }
        throw new IllegalArgumentException("no curve");
    }

    private static byte[] wrapped(byte[] algorithm, byte[] parameters, byte[] key) {
        return element(SEQUENCE, VERSION_0, element(SEQUENCE, algorithm, parameters), element(OCTETS, key));
    }

    private static byte[] element(int tag, byte[]... parts) {
        int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
        ByteBuffer whole = ByteBuffer.allocate(4 + length).put((byte) tag);
        if (length < 0x80) {
            whole.put((byte) length);
        } else if (length < 0x100) {
            whole.put((byte) 0x81).put((byte) length);
        } else {
            whole.put((byte) 0x82).putShort((short) length);
        }
        for (byte[] part : parts) {
            whole.put(part);
        }
        return Arrays.copyOf(whole.array(), whole.position());
    }

    /** What is in the element at the position, which moves behind it. */
    private static ByteBuffer content(ByteBuffer bytes, int tag) {
        if ((bytes.get() & 0xff) != tag) {
            throw new IllegalArgumentException("another element");
        }
        int length = bytes.get() & 0xff;
        if (length > 0x80) {
            int octets = length & 0x7f;
            length = 0;
            for (int i = 0; i < octets; i++) {
                length = length << 8 | bytes.get() & 0xff;
            }
        }
        ByteBuffer content = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        return content;
    }
}
