package dev.turntable.benchmarks.load;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Writes one STUN message (RFC 8489 §5). The test client has a wire format of its own on purpose: a mistake in the
 * server's codec must not meet its mirror image here.
 */
final class MessageWriter {
    static final int HEADER_BYTES = 20;
    static final int MAGIC_COOKIE = 0x2112A442;

    private static final int MESSAGE_INTEGRITY_BYTES = 24;

    private final ByteBuffer message = ByteBuffer.allocate(2048);

    MessageWriter(int type, byte[] transactionId) {
        message.putShort((short) type).putShort((short) 0).putInt(MAGIC_COOKIE).put(transactionId);
    }

    MessageWriter bytes(int attribute, byte[] value) {
        return bytes(attribute, ByteBuffer.wrap(value));
    }

    MessageWriter bytes(int attribute, ByteBuffer value) {
        message.putShort((short) attribute).putShort((short) value.remaining()).put(value);
        while (message.position() % 4 != 0) {
            message.put((byte) 0);
        }
        return this;
    }

    MessageWriter number(int attribute, int value) {
        message.putShort((short) attribute).putShort((short) 4).putInt(value);
        return this;
    }

    /** RFC 8489 §14.2: an address whose port and bits are crossed with the cookie and the transaction. */
    MessageWriter xorAddress(int attribute, InetSocketAddress address) {
        byte[] raw = address.getAddress().getAddress();
        int family = address.getAddress() instanceof Inet6Address ? 2 : 1;
        message.putShort((short) attribute)
                .putShort((short) (4 + raw.length))
                .put((byte) 0)
                .put((byte) family);
        message.putShort((short) (address.getPort() ^ (MAGIC_COOKIE >>> 16)));
        for (int i = 0; i < raw.length; i++) {
            // The cookie and the transaction id stand side by side in the header.
            message.put((byte) (raw[i] ^ message.get(4 + i)));
        }
        return this;
    }

    byte[] unsigned() {
        message.putShort(2, (short) (message.position() - HEADER_BYTES));
        return Arrays.copyOf(message.array(), message.position());
    }

    /** Appends MESSAGE-INTEGRITY: the length in the header counts it while the HMAC is taken (RFC 8489 §14.5). */
    byte[] signed(byte[] key) {
        message.putShort(2, (short) (message.position() - HEADER_BYTES + MESSAGE_INTEGRITY_BYTES));
        byte[] hmac = hmacSha1(key, message.array(), message.position());
        return bytes(Attribute.MESSAGE_INTEGRITY, hmac).unsigned();
    }

    static byte[] hmacSha1(byte[] key, byte[] message, int length) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(key, "HmacSHA1"));
            mac.update(message, 0, length);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
