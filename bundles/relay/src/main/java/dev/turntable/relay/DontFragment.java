package dev.turntable.relay;

import dev.turntable.codec.TransportAddress;
import dev.turntable.state.ClientPath;

/** DONT-FRAGMENT (RFC 8656 §18.9). The DF bit cannot be set here, so where the attribute counts it is an unknown one. */
final class DontFragment {
    private DontFragment() {}

    /**
     * Whether the attribute counts: between datagrams with IPv6 on either side it has to be ignored (RFC 8656 §13).
     *
     * @param toIPv6 whether the relayed side is IPv6
     */
    static boolean counts(ClientPath path, boolean toIPv6) {
        boolean ipv4Only = !toIPv6 && TransportAddress.isIPv4(path.clientHi(), path.clientLo());
        return ipv4Only || path.transport().isStream();
    }
}
