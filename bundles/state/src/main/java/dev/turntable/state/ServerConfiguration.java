package dev.turntable.state;

import java.net.InetAddress;

/**
 * Immutable values of PID {@code dev.turntable.server}. The component that owns the PID checks them.
 *
 * @param workers event loops, 1 to 256
 * @param relayedIPv4 local address of relayed sockets, or null where IPv4 is not served
 * @param relayedIPv6 the same for IPv6
 * @param externalIPv4 address told to clients in place of {@code relayedIPv4}, or null for no mapping
 * @param externalIPv6 the same for IPv6
 * @param relayedPortMin first port of the range, 1024 to 65535
 * @param relayedPortMax last port of the range, inclusive
 * @param sharedSockets whether allocations of a worker share sockets (multiplex-peer mode)
 * @param sharedSocketsPerWorker and address family, 1 to 16
 * @param sharedPortBase first port of the shared sockets
 * @param maxAllocationsPerWorker more are answered 508
 * @param receiveBufferBytes asked for each socket of a listener, and for each shared relayed socket
 * @param relayedReceiveBufferBytes asked for each dedicated relayed socket; 0 for the system's default
 * @param ioTransport {@code auto}, {@code epoll} or {@code nio}
 * @param udpSegmentation whether UDP_GRO and UDP_SEGMENT are used where the kernel has them
 * @param swapWaitMillis how long a swap waits for the workers
 * @param engineAbsentWarnSeconds without an engine before it is a warning
 * @param credentialWaitMillis how long a request waits for a credential source
 * @param maxWaitingRequests requests of a worker that wait for a source at one time
 * @param peerQueueBytes that may wait in each direction between a client and a peer that are joined over TCP
 */
public record ServerConfiguration(
        int workers,
        InetAddress relayedIPv4,
        InetAddress relayedIPv6,
        InetAddress externalIPv4,
        InetAddress externalIPv6,
        int relayedPortMin,
        int relayedPortMax,
        boolean sharedSockets,
        int sharedSocketsPerWorker,
        int sharedPortBase,
        int maxAllocationsPerWorker,
        int receiveBufferBytes,
        int relayedReceiveBufferBytes,
        String ioTransport,
        boolean udpSegmentation,
        int swapWaitMillis,
        int engineAbsentWarnSeconds,
        int credentialWaitMillis,
        int maxWaitingRequests,
        int peerQueueBytes) {}
