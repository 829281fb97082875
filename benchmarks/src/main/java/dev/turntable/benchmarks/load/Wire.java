package dev.turntable.benchmarks.load;

import dev.turntable.api.ClientTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;

/**
 * What carries whole messages to a server and back: datagrams, or frames of a stream (RFC 8656 §12.5). It blocks until its channel is set
 * not to. Not thread-safe.
 */
interface Wire extends AutoCloseable {
    /** @throws IllegalArgumentException for DTLS */
    static Wire open(ClientTransport transport, InetSocketAddress server) throws IOException {
        return switch (transport) {
            case UDP -> new DatagramWire(server);
            case TCP -> new StreamWire(server, false);
            case TLS -> new StreamWire(server, true);
            case DTLS -> throw new IllegalArgumentException("no load over DTLS");
        };
    }

    /** Sends a message, which has been read at the return; false where there is no room for it. */
    boolean send(ByteBuffer message) throws IOException;

    /** Sends what had no room before. */
    void flush() throws IOException;

    /** Waits for a message, and leaves it between position and limit; false where none comes in time. For one that blocks. */
    boolean receive(ByteBuffer in, int waitMillis) throws IOException;

    /** The same without waiting. For one that does not block. */
    boolean poll(ByteBuffer in) throws IOException;

    /** Whether nothing gets lost, so that nothing is sent again (RFC 8489 §6.2.2). */
    boolean isReliable();

    SelectableChannel channel();

    @Override
    void close() throws IOException;
}
