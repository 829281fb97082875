package dev.turntable.transport;

import dev.turntable.state.DropReasons;

/**
 * Numbers of the reasons for which DTLS discards in silence.
 *
 * @param cookieAsked a hello without a good cookie, which was sent one and left nothing behind (RFC 6347 §4.2.1)
 * @param stray a record from a client without an association, or a hello that is none
 * @param handshakesFull a hello above the limit of handshakes at one time; the client repeats it
 * @param capped a hello above the listener's limits
 * @param handshakeFailed a handshake that came to nothing
 * @param idle an association without an allocation whose time was over
 * @param unusable of an association: not authentic, seen before, too long, or without data
 * @param tooLong for a client: more than a record holds
 */
record DtlsDrops(
        int cookieAsked,
        int stray,
        int handshakesFull,
        int capped,
        int handshakeFailed,
        int idle,
        int unusable,
        int tooLong) {
    static DtlsDrops registeredWith(DropReasons reasons) {
        return new DtlsDrops(
                reasons.register("dtls-cookie-asked"),
                reasons.register("dtls-stray"),
                reasons.register("dtls-handshakes-full"),
                reasons.register("dtls-associations-capped"),
                reasons.register("dtls-handshake-failed"),
                reasons.register("dtls-idle"),
                reasons.register("dtls-record-unusable"),
                reasons.register("dtls-too-long"));
    }
}
