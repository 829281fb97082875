package dev.turntable.state;

import java.net.InetSocketAddress;
import java.util.function.LongSupplier;

/**
 * Everything of the server that outlives an engine: the workers and their tables, and what is server-wide. Registered as a service
 * by its component; made directly by tests and embedders. Any thread, unless a method says otherwise.
 */
public final class ServerState {
    public ServerState(ServerConfiguration configuration, LongSupplier nanoTime) {
        throw new UnsupportedOperationException();
    }

    public ServerConfiguration configuration() {
        throw new UnsupportedOperationException();
    }

    public int workerCount() {
        throw new UnsupportedOperationException();
    }

    public Worker worker(int index) {
        throw new UnsupportedOperationException();
    }

    /** Nanoseconds since this object was made, monotonic, never negative: the time that deadlines are in. */
    public long nanos() {
        throw new UnsupportedOperationException();
    }

    public EngineSlot engineSlot() {
        throw new UnsupportedOperationException();
    }

    public PortPool ports() {
        throw new UnsupportedOperationException();
    }

    public Reservations reservations() {
        throw new UnsupportedOperationException();
    }

    public NonceKeys nonceKeys() {
        throw new UnsupportedOperationException();
    }

    public UserCounts userCounts() {
        throw new UnsupportedOperationException();
    }

    public DropReasons dropReasons() {
        throw new UnsupportedOperationException();
    }

    public CredentialSources credentialSources() {
        throw new UnsupportedOperationException();
    }

    /** A number for a server's end of five-tuples: the same for the same transport, local address and port, never used for another. */
    public int localEnd(dev.turntable.api.ClientTransport transport, InetSocketAddress local) {
        throw new UnsupportedOperationException();
    }
}
