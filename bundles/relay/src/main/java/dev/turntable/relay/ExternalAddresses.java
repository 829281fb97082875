package dev.turntable.relay;

import dev.turntable.codec.TransportAddress;
import dev.turntable.state.ServerConfiguration;
import dev.turntable.state.ServerState;
import java.net.InetAddress;

/**
 * The server's relayed addresses, as sockets are bound to them (local) and as clients are told of them (external). All that the engine
 * keeps, permissions and channel bindings included, is in the form that clients know. Only what goes to, or comes from, a live relayed
 * port of this server crosses over, so that two clients of one server reach each other without help of a router. Hot path: allocates
 * nothing.
 */
final class ExternalAddresses {
    private final ServerState server;
    private volatile Mappings mappings;

    /** Both families, as one configuration of the server has them. */
    private record Mappings(ServerConfiguration of, Mapping ipv4, Mapping ipv6) {
        static Mappings of(ServerConfiguration configuration) {
            return new Mappings(
                    configuration,
                    Mapping.of(configuration.relayedIPv4(), configuration.externalIPv4()),
                    Mapping.of(configuration.relayedIPv6(), configuration.externalIPv6()));
        }
    }

    /** One family; {@code mapped} is false where both forms are the same. */
    private record Mapping(long localHi, long localLo, long externalHi, long externalLo, boolean mapped) {
        static Mapping of(InetAddress local, InetAddress external) {
            if (local == null) {
                return null;
            }
            InetAddress told = external == null ? local : external;
            return new Mapping(
                    TransportAddress.hi(local),
                    TransportAddress.lo(local),
                    TransportAddress.hi(told),
                    TransportAddress.lo(told),
                    !told.equals(local));
        }

        boolean isLocal(long hi, long lo) {
            return hi == localHi && lo == localLo;
        }

        boolean isExternal(long hi, long lo) {
            return hi == externalHi && lo == externalLo;
        }
    }

    ExternalAddresses(ServerState server) {
        this.server = server;
        mappings = Mappings.of(server.configuration());
    }

    /** Whether relayed addresses of this family are served. */
    boolean serves(boolean isIPv6) {
        return of(isIPv6) != null;
    }

    /** Whether clients know relayed addresses of this server by this IP address. */
    boolean isOwn(long hi, long lo) {
        Mapping mapping = of(!TransportAddress.isIPv4(hi, lo));
        return mapping != null && mapping.isExternal(hi, lo);
    }

    /** The same, or relayed sockets are bound to this IP address. */
    boolean isOwnOrLocal(long hi, long lo) {
        Mapping mapping = of(!TransportAddress.isIPv4(hi, lo));
        return mapping != null && (mapping.isExternal(hi, lo) || mapping.isLocal(hi, lo));
    }

    /** First 8 bytes of the IP address that clients are told. */
    long toldHi(boolean isIPv6) {
        return of(isIPv6).externalHi();
    }

    /** Last 8 bytes of the same. */
    long toldLo(boolean isIPv6) {
        return of(isIPv6).externalLo();
    }

    /** Turns a peer as a client names it into where the datagram goes. */
    void toLocal(TransportAddress peer) {
        toLocal(peer, server.ports().isLive(!peer.isIPv4(), peer.port()));
    }

    /** The same for a connection. */
    void toLocalListener(TransportAddress peer) {
        toLocal(peer, server.ports().isListening(!peer.isIPv4(), peer.port()));
    }

    private void toLocal(TransportAddress peer, boolean isLive) {
        boolean isIPv6 = !peer.isIPv4();
        Mapping mapping = of(isIPv6);
        if (mapping != null && mapping.mapped() && mapping.isExternal(peer.hi(), peer.lo()) && isLive) {
            peer.set(mapping.localHi(), mapping.localLo(), peer.port());
        }
    }

    /** Turns where a datagram came from into the peer as the client knows it. */
    void toExternal(TransportAddress peer) {
        toExternal(peer, server.ports().isLive(!peer.isIPv4(), peer.port()));
    }

    /** The same for where a connection came from: one of this server comes from its listener's port. */
    void listenerToExternal(TransportAddress peer) {
        toExternal(peer, server.ports().isListening(!peer.isIPv4(), peer.port()));
    }

    private void toExternal(TransportAddress peer, boolean isLive) {
        boolean isIPv6 = !peer.isIPv4();
        Mapping mapping = of(isIPv6);
        if (mapping != null && mapping.mapped() && mapping.isLocal(peer.hi(), peer.lo()) && isLive) {
            peer.set(mapping.externalHi(), mapping.externalLo(), peer.port());
        }
    }

    private Mapping of(boolean isIPv6) {
        Mappings current = mappings;
        if (current.of() != server.configuration()) {
            // The mapping may change while calls go on. Workers that see it at the same time compute the same.
            current = Mappings.of(server.configuration());
            mappings = current;
        }
        return isIPv6 ? current.ipv6() : current.ipv4();
    }
}
