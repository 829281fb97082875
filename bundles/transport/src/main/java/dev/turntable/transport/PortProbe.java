package dev.turntable.transport;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;

/**
 * Binds a port alone for a moment. With SO_REUSEPORT a second server of the same user would bind without an error and get a part of the
 * clients; without the option the kernel says that the port is taken.
 */
final class PortProbe {
    private PortProbe() {}

    /**
     * The same for TCP. Connections that are coming to their end do not count.
     *
     * @throws IOException where it cannot be bound
     */
    static void probeTcp(InetSocketAddress address) throws IOException {
        StandardProtocolFamily family =
                IpNumbers.isIPv6(address) ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
        try (ServerSocketChannel alone = ServerSocketChannel.open(family)) {
            alone.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            alone.bind(address, 1);
        }
    }

    /** @throws IOException where it cannot be bound */
    static void probe(InetSocketAddress address) throws IOException {
        StandardProtocolFamily family =
                IpNumbers.isIPv6(address) ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET;
        try (DatagramChannel alone = DatagramChannel.open(family)) {
            alone.bind(address);
        }
    }
}
