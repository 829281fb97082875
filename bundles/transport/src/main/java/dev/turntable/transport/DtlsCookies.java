package dev.turntable.transport;

import java.util.concurrent.TimeUnit;
import org.bouncycastle.tls.DTLSRequest;
import org.bouncycastle.tls.DTLSVerifier;
import org.bouncycastle.tls.DatagramSender;
import org.bouncycastle.tls.crypto.TlsCrypto;

/**
 * Lets in clients that receive what is sent to them (RFC 6347 §4.2.1). A cookie is a digest of the client's address and port, the server's
 * end and the hello under a key; a key is in use for ten minutes and believed for ten more. Nothing is kept of whoever asks. Any thread.
 */
final class DtlsCookies {
    static final long KEY_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final DatagramSender NOBODY = new DatagramSender() {
        @Override
        public int getSendLimit() {
            return 0;
        }

        @Override
        public void send(byte[] bytes, int offset, int length) {}
    };

    private record Keys(DTLSVerifier current, DTLSVerifier previous, long sinceNanos) {}

    private final TlsCrypto crypto;
    private volatile Keys keys;

    DtlsCookies(TlsCrypto crypto, long nowNanos) {
        this.crypto = crypto;
        keys = new Keys(new DTLSVerifier(crypto), new DTLSVerifier(crypto), nowNanos);
    }

    /**
     * The handshake that a hello may begin; null where it has no good cookie, which it is then sent, or is none.
     *
     * @param identity what the cookie is bound to besides the hello
     * @param hello that begins with a ClientHello
     * @param answers takes the HelloVerifyRequest, which is shorter than the hello
     */
    DTLSRequest verify(byte[] identity, byte[] hello, int length, DatagramSender answers, long nowNanos) {
        Keys now = keys;
        if (nowNanos - now.sinceNanos >= KEY_NANOS) {
            now = rotate(nowNanos);
        }
        if (DtlsRecords.hasCookie(hello, length)) {
            DTLSRequest request = now.previous.verifyRequest(identity, hello, 0, length, NOBODY);
            if (request != null) {
                return request;
            }
        }
        return now.current.verifyRequest(identity, hello, 0, length, answers);
    }

    private synchronized Keys rotate(long nowNanos) {
        if (nowNanos - keys.sinceNanos >= KEY_NANOS) {
            keys = new Keys(new DTLSVerifier(crypto), keys.current, nowNanos);
        }
        return keys;
    }
}
