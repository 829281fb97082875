package dev.turntable.state;

import dev.turntable.api.auth.CredentialAnswer;

/**
 * All TURN behaviour, as a service that {@code relay} provides. It owns nothing: all that outlives a call is in the {@link Worker}
 * and the {@link ServerState}. Every method but {@link #version()} is called on the worker's thread, for one worker at a time, and
 * must neither block nor throw nor keep its arguments. Two engines may be active for a moment, never in one call.
 */
public interface RelayEngine {
    /** Version of the engine's bundle, for listings. Any thread. */
    String version();

    /**
     * A packet from a client.
     *
     * @param allocation the one on this five-tuple, or null
     */
    void fromClient(Worker worker, ClientPath path, Allocation allocation, Packet packet);

    /** A datagram that a peer sent to a relayed transport address. */
    void fromPeer(Worker worker, RelayedSocket socket, long hi, long lo, int port, Packet packet);

    /**
     * An ICMP error that a datagram to a peer met (RFC 8656 §11.5).
     *
     * @param type ICMP type as received for the family of the socket, 0 to 127
     * @param code ICMP code, 0 to 511
     * @param data MTU or zero, as RFC 8656 §18.13 has it
     */
    void fromIcmp(Worker worker, RelayedSocket socket, long hi, long lo, int port, int type, int code, int data);

    /**
     * A credential source has answered for a request that waited.
     *
     * @param allocation the one on its five-tuple now, or null
     * @param request its bytes, as they came
     */
    void answered(Worker worker, ClientPath path, Allocation allocation, Packet request, CredentialAnswer answer);

    /**
     * A peer has connected to a relayed transport address (RFC 6062 §5.3). It is not read until it is joined. An engine that does not keep
     * it in {@link PeerConnections} closes it.
     *
     * @param listener of a TCP allocation
     */
    default void peerConnected(
            Worker worker, RelayedSocket listener, long hi, long lo, int port, RelayedConnection connection) {
        connection.close();
    }

    /** A connect to a peer has come to something or nothing (RFC 6062 §5.2): the phase is {@code CONNECTED} or {@code FAILED}. */
    default void connectEnded(Worker worker, PeerConnection connection) {}

    /**
     * Reaps what has expired, for at most the time budget of a slice. Called once a second after the worker's clock was renewed,
     * and again between packets for as long as it returns true.
     *
     * @return whether there is more to examine in this pass
     */
    boolean sweep(Worker worker);
}
