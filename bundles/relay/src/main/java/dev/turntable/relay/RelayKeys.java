package dev.turntable.relay;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** The keys of PID {@code dev.turntable.relay}, for tools that show a form. {@link ConfigurationKeys} reads and checks them. */
@ObjectClassDefinition(
        name = "Turntable relay",
        description = "What the relay engine offers to clients. Every change applies at once; calls go on.")
@interface RelayKeys {
    @AttributeDefinition(
            name = "Realm",
            description = "Realm of credentials, 1 to 127 characters. A change makes clients authenticate anew.")
    String realm() default "turntable";

    @AttributeDefinition(
            name = "Allocation lifetime",
            description = "Seconds that an allocation lives without a refresh, and the least that a client gets.")
    int allocationLifetimeSeconds() default 600;

    @AttributeDefinition(
            name = "Longest allocation lifetime",
            description = "Seconds; what a client asks for beyond is cut.")
    int maxAllocationLifetimeSeconds() default 3_600;

    @AttributeDefinition(name = "Permission lifetime", description = "Seconds; 300 by RFC 8656.")
    int permissionLifetimeSeconds() default 300;

    @AttributeDefinition(name = "Channel lifetime", description = "Seconds; 600 by RFC 8656.")
    int channelLifetimeSeconds() default 600;

    @AttributeDefinition(
            name = "Channel holds permission",
            description =
                    "Whether a ChannelBind holds the permission of its peer as long as the binding. Clients in the"
                            + " field need it; false is the strict reading of RFC 8656.")
    boolean channelHoldsPermission() default true;

    @AttributeDefinition(
            name = "Legacy channel numbers",
            description = "Whether clients may bind the channel numbers 0x5000 to 0x7FFE of RFC 5766 too. False is"
                    + " RFC 8656: 0x4000 to 0x4FFF, and 400 for others.")
    boolean legacyChannelNumbers() default false;

    @AttributeDefinition(name = "Permissions per allocation", description = "More are answered 508.")
    int permissionsPerAllocation() default 1_024;

    @AttributeDefinition(name = "Channels per allocation", description = "More are answered 508; at most 4096.")
    int channelsPerAllocation() default 1_024;

    @AttributeDefinition(
            name = "Connections per allocation",
            description = "TCP connections of an allocation to its peers (RFC 6062); more are answered 508.")
    int connectionsPerAllocation() default 64;

    @AttributeDefinition(name = "Allocations per user", description = "More are answered 486; 0 for no limit.")
    int allocationsPerUser() default 0;

    @AttributeDefinition(
            name = "Shared peers per allocation",
            description = "Peer endpoints of an allocation where relayed sockets are shared; more are answered 508.")
    int sharedPeersPerAllocation() default 256;

    @AttributeDefinition(
            name = "Peers to allow",
            description = "Addresses and CIDR blocks that clients may reach although they are refused by default:"
                    + " loopback, link-local, cloud metadata, multicast, broadcast, unspecified.")
    String[] peersAllow() default {};

    @AttributeDefinition(name = "Nonce lifetime", description = "Seconds, 1 to 3600.")
    int nonceLifetimeSeconds() default 3_600;

    @AttributeDefinition(
            name = "Strict credential expiry",
            description = "Whether refreshes of a live allocation are refused once its credential has expired.")
    boolean strictCredentialExpiry() default false;

    @AttributeDefinition(
            name = "Sweep budget",
            description = "Microseconds that one slice of the expiry sweep may hold a worker.")
    int sweepBudgetMicros() default 250;

    @AttributeDefinition(name = "Software", description = "Told to clients in SOFTWARE; empty for nothing.")
    String software() default "";
}
