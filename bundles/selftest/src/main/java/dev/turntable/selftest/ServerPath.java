package dev.turntable.selftest;

import java.io.IOException;
import java.net.InetSocketAddress;

/** The way of one client to the server over one transport; of the thread that opened it. */
sealed interface ServerPath extends AutoCloseable permits DatagramPath, StreamPath {
    /** Whether this client has that transport: DTLS it has not, for the JDK has no socket for it. */
    static boolean offers(String protocol) {
        return protocol.equals("udp") || protocol.equals("tcp") || protocol.equals("tls");
    }

    /**
     * Connects. Over TLS any certificate is taken: the server is this one, and whether its certificate is good for the names that
     * clients use cannot be told from here.
     *
     * @param protocol {@code udp}, {@code tcp} or {@code tls}
     * @param millis for the connection and for each answer of a TLS handshake
     */
    static ServerPath open(String protocol, InetSocketAddress server, int millis) throws IOException {
        return switch (protocol) {
            case "udp" -> new DatagramPath(server);
            case "tcp" -> StreamPath.connect(server, false, millis);
            case "tls" -> StreamPath.connect(server, true, millis);
            default -> throw new IllegalArgumentException(protocol);
        };
    }

    /** Whether nothing is lost on it, so that no request is to be sent again (RFC 8489 §6.2.2). */
    boolean isReliable();

    /** Sends one message: the first {@code length} bytes. */
    void send(byte[] bytes, int length) throws IOException;

    /** Takes one message, at most {@code nanos} later: its length without padding, or -1 where none came. */
    int receive(byte[] into, long nanos) throws IOException;

    @Override
    void close();
}
