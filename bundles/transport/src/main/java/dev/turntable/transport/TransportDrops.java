package dev.turntable.transport;

import dev.turntable.state.DropReasons;

/**
 * Numbers of the reasons for which transport discards in silence.
 *
 * @param empty an empty datagram from a client
 * @param dtls a DTLS record where DTLS is not spoken (first byte 20 to 63, RFC 7983 §7)
 * @param foreign neither STUN nor ChannelData (RFC 7983 §7)
 * @param noEngine no engine to judge it
 * @param engineFailure the engine threw
 * @param sendBufferFull the kernel's send buffer of the socket is full
 * @param sendFailed the kernel refused the datagram: too long, no route, no memory
 * @param receiveFailed the kernel reported an error in place of a datagram
 * @param socketClosed the socket to send it from is closed
 * @param streamForeign a stream that is neither STUN nor ChannelData, or out of step; it is closed
 * @param streamFrameTooLong a frame above the limit; its stream is closed
 * @param streamChannelUnallocated ChannelData on a stream without an allocation, which is closed
 * @param streamQueueFull a frame for a client that does not read
 * @param streamIdle a stream without an allocation whose time was over
 * @param streamCapped a connection above the listener's limits
 * @param streamAdmissionLate a connection that had not said what it is, or was in its handshake, when its time was over
 * @param tlsHandshakeFailed a TLS handshake that came to nothing
 * @param proxyHeaderBad a connection or a datagram from a proxy without a PROXY header, or with one that is not understood
 */
record TransportDrops(
        int empty,
        int dtls,
        int foreign,
        int noEngine,
        int engineFailure,
        int sendBufferFull,
        int sendFailed,
        int receiveFailed,
        int socketClosed,
        int streamForeign,
        int streamFrameTooLong,
        int streamChannelUnallocated,
        int streamQueueFull,
        int streamIdle,
        int streamCapped,
        int streamAdmissionLate,
        int tlsHandshakeFailed,
        int proxyHeaderBad) {
    static TransportDrops registeredWith(DropReasons reasons) {
        return new TransportDrops(
                reasons.register("client-datagram-empty"),
                reasons.register("client-datagram-dtls"),
                reasons.register("client-datagram-foreign"),
                reasons.register("no-engine"),
                reasons.register("engine-failure"),
                reasons.register("send-buffer-full"),
                reasons.register("send-failed"),
                reasons.register("receive-failed"),
                reasons.register("socket-closed"),
                reasons.register("stream-foreign"),
                reasons.register("stream-frame-too-long"),
                reasons.register("stream-channel-unallocated"),
                reasons.register("stream-queue-full"),
                reasons.register("stream-idle"),
                reasons.register("stream-connections-capped"),
                reasons.register("stream-admission-late"),
                reasons.register("tls-handshake-failed"),
                reasons.register("proxy-header-bad"));
    }
}
