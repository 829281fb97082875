package dev.turntable.transport;

/**
 * What the stream connections of a listener may take.
 *
 * @param maxConnections of the listener at one time
 * @param maxConnectionsPerSource of them from one address; over IPv6 from one network of 64 bits
 * @param unauthenticatedIdleSeconds that a connection may be without an allocation
 * @param streamQueueBytes that may wait for a client that does not read before datagrams for it are dropped
 * @param frameLimitBytes of a client's frame
 */
record StreamLimits(
        int maxConnections,
        int maxConnectionsPerSource,
        int unauthenticatedIdleSeconds,
        int streamQueueBytes,
        int frameLimitBytes) {
    static final StreamLimits DEFAULTS = new StreamLimits(20_000, 1_000, 60, 262_144, FrameCutter.LONGEST);

    /** Of a client that has no allocation: a request is far shorter. */
    static final int UNAUTHENTICATED_FRAME_BYTES = 4_096;
}
