package dev.turntable.state;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.osgi.service.metatype.annotations.Option;

/** Keys of PID {@code dev.turntable.server}, as they are written. */
@ObjectClassDefinition(name = "Turntable server", description = "Workers, relayed addresses and ports, waits")
public @interface ServerKeys {
    @AttributeDefinition(
            name = "Workers",
            description = "Event loops; 0 for as many as there are processors. At restart.")
    int workers() default 0;

    @AttributeDefinition(
            name = "Relayed IPv4 address",
            description = "Local address of relayed sockets: auto, none, or an address of this host. At restart.")
    String relayedAddressIPv4() default "auto";

    @AttributeDefinition(
            name = "Relayed IPv6 address",
            description = "Local address of relayed sockets: auto, none, or an address of this host. At restart.")
    String relayedAddressIPv6() default "auto";

    @AttributeDefinition(
            name = "External IPv4 address",
            description = "Told to clients in place of the relayed address (1:1 NAT); empty for none.",
            required = false)
    String externalAddressIPv4() default "";

    @AttributeDefinition(
            name = "External IPv6 address",
            description = "Told to clients in place of the relayed address; empty for none.",
            required = false)
    String externalAddressIPv6() default "";

    @AttributeDefinition(name = "First relayed port", description = "1024 to 65535. At restart.")
    int relayedPortMin() default 49152;

    @AttributeDefinition(name = "Last relayed port", description = "Inclusive, to 65535. At restart.")
    int relayedPortMax() default 65535;

    @AttributeDefinition(
            name = "Relayed sockets",
            description = "One for each allocation, or shared by the allocations of a worker. At restart.",
            options = {@Option("dedicated"), @Option("shared")})
    String relayedSockets() default "dedicated";

    @AttributeDefinition(
            name = "Shared sockets per worker",
            description = "And address family, 1 to 16. For shared sockets. At restart.")
    int sharedSocketsPerWorker() default 1;

    @AttributeDefinition(
            name = "First shared port",
            description = "Two ports for each worker and shared socket from here on. For shared sockets. At restart.")
    int sharedPortBase() default 49152;

    @AttributeDefinition(name = "Allocations per worker", description = "More are answered 508. 1 to 10000000.")
    int maxAllocationsPerWorker() default 100_000;

    @AttributeDefinition(
            name = "Receive buffer of listeners",
            description =
                    "Bytes asked for each socket, and for each shared relayed socket: what waits there during a swap. At restart.")
    int receiveBufferBytes() default 4_194_304;

    @AttributeDefinition(
            name = "Receive buffer of relayed sockets",
            description = "Bytes asked for each that is not shared; 0 for the system's default. At restart.")
    int relayedReceiveBufferBytes() default 0;

    @AttributeDefinition(
            name = "I/O transport",
            description = "auto takes epoll where it loads. At restart.",
            options = {@Option("auto"), @Option("epoll"), @Option("nio")})
    String ioTransport() default "auto";

    @AttributeDefinition(
            name = "UDP segmentation",
            description = "auto: several datagrams come and leave as one message where the kernel can. At restart.",
            options = {@Option("auto"), @Option("off")})
    String udpSegmentation() default "auto";

    @AttributeDefinition(
            name = "Wait of a swap",
            description = "Milliseconds that a swap of the relay waits for the workers, 0 to 60000.")
    int swapWaitMillis() default 2_000;

    @AttributeDefinition(
            name = "Absence of the relay",
            description = "Seconds without a relay before it is a warning, 1 to 3600.")
    int engineAbsentWarnSeconds() default 10;

    @AttributeDefinition(
            name = "Wait for a credential source",
            description = "Milliseconds that a request waits, 1 to 60000.")
    int credentialWaitMillis() default 5_000;

    @AttributeDefinition(
            name = "Waiting requests",
            description = "Of a worker, for a credential source, at one time; 0 to 100000.")
    int maxWaitingRequests() default 1_024;

    @AttributeDefinition(
            name = "Queue between client and peer",
            description = "Bytes that may wait in each direction of a relayed TCP connection, 1024 to 16777216.")
    int peerQueueBytes() default 65_536;
}
