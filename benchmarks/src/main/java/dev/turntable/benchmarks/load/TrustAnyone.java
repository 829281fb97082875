package dev.turntable.benchmarks.load;

import java.net.Socket;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** Takes any certificate of a server: a load is not about whose it is. */
final class TrustAnyone extends X509ExtendedTrustManager {
    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {
        // Any.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) {
        // Any.
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {
        // Any.
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {
        throw new UnsupportedOperationException();
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
