package dev.turntable.api;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * What can be told of one allocation at one moment. Lifetimes are seconds that remain, rounded up.
 *
 * @param clientAddress client's end of the five-tuple: the server-reflexive transport address
 * @param serverAddress server's end of the five-tuple
 * @param permissions empty in listings, filled by {@link Allocations#find}
 * @param channelBindings empty in listings, filled by {@link Allocations#find}
 * @param ageSeconds since it was made
 */
public record AllocationInfo(
        AllocationId id,
        String username,
        String realm,
        ClientTransport transport,
        InetSocketAddress clientAddress,
        InetSocketAddress serverAddress,
        List<Relayed> relayedAddresses,
        int permissionCount,
        int channelBindingCount,
        List<Permission> permissions,
        List<ChannelBinding> channelBindings,
        long ageSeconds,
        Traffic fromClient,
        Traffic fromPeers) {

    /**
     * A relayed transport address.
     *
     * @param relayedAddress as told to the client, after external address mapping
     * @param localAddress where the socket is bound
     */
    public record Relayed(InetSocketAddress relayedAddress, InetSocketAddress localAddress, long lifetimeSeconds) {}

    /** A permission: the IP address of a peer, as text. */
    public record Permission(String peerAddress, long lifetimeSeconds) {}

    /** A channel binding (RFC 8656 §12). */
    public record ChannelBinding(int channelNumber, InetSocketAddress peerAddress, long lifetimeSeconds) {}

    /** Relayed in one direction: datagrams and their payload bytes. */
    public record Traffic(long packets, long bytes) {}
}
