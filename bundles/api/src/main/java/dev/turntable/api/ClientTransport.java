package dev.turntable.api;

/** How a client reaches the server: the transport element of the five-tuple (RFC 8656 §2). */
public enum ClientTransport {
    UDP(false),
    TCP(true),
    TLS(true),
    DTLS(false);

    private final boolean stream;

    ClientTransport(boolean stream) {
        this.stream = stream;
    }

    /** Whether messages come as a byte stream that must be cut into frames (RFC 8656 §12.5). */
    public boolean isStream() {
        return stream;
    }
}
