package dev.turntable.transport;

import dev.turntable.state.ServerState;

/**
 * What the DTLS of all workers has in common: they share ports, so a cookie of one is good with another.
 *
 * @param handshakes the threads for them
 */
record DtlsShared(DtlsCrypto crypto, DtlsCookies cookies, DtlsHandshakes handshakes, DtlsDrops reasons) {
    DtlsShared(ServerState server, DtlsHandshakes handshakes) {
        this(new DtlsCrypto(), server, handshakes);
    }

    private DtlsShared(DtlsCrypto crypto, ServerState server, DtlsHandshakes handshakes) {
        this(
                crypto,
                new DtlsCookies(crypto, server.nanos()),
                handshakes,
                DtlsDrops.registeredWith(server.dropReasons()));
    }
}
