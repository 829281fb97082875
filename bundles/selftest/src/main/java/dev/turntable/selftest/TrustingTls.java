package dev.turntable.selftest;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS that takes any certificate and asks for no name (no SNI): good for a server that calls itself, and for nothing else. What it
 * says to the server are credentials of one minute.
 */
final class TrustingTls {
    private TrustingTls() {}

    /** Returns after the handshake, each answer of which may take as long as the socket waits. */
    static SSLSocket handshake(Socket connected, InetSocketAddress server) throws IOException {
        SSLSocket socket = (SSLSocket) context()
                .getSocketFactory()
                .createSocket(connected, server.getAddress().getHostAddress(), server.getPort(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of());
        // RFC 7443 §3
        parameters.setApplicationProtocols(new String[] {"stun.turn"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static SSLContext context() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new AnyCertificate()}, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("this Java has no TLS: " + e.getMessage(), e);
        }
    }

    private static final class AnyCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
