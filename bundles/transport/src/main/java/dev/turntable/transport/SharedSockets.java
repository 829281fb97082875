package dev.turntable.transport;

import dev.turntable.state.ServerConfiguration;
import dev.turntable.state.SocketOpening;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the relayed sockets that the allocations of a worker share (multiplex-peer mode). */
final class SharedSockets {
    private static final Logger LOG = LoggerFactory.getLogger(SharedSockets.class);

    private SharedSockets() {}

    /** Socket {@code i} of worker {@code w} has port {@code base + 2·(w·n + i)}, and the next one for IPv6. */
    static int port(ServerConfiguration configuration, int worker, int i, boolean ipv6) {
        int pair = worker * configuration.sharedSocketsPerWorker() + i;
        return configuration.sharedPortBase() + 2 * pair + (ipv6 ? 1 : 0);
    }

    static void open(EventLoops loops, ServerConfiguration configuration) throws IOException {
        if (!configuration.sharedSockets()) {
            return;
        }
        for (NettyLoop loop : loops.all()) {
            loop.call(() -> {
                for (int i = 0; i < configuration.sharedSocketsPerWorker(); i++) {
                    open(
                            loop,
                            configuration.relayedIPv4(),
                            port(configuration, loop.worker().index(), i, false));
                    open(
                            loop,
                            configuration.relayedIPv6(),
                            port(configuration, loop.worker().index(), i, true));
                }
                return null;
            });
        }
    }

    private static void open(NettyLoop loop, InetAddress address, int port) {
        if (address == null) {
            return;
        }
        InetSocketAddress local = new InetSocketAddress(address, port);
        SocketOpening opening = loop.openRelayedSocket(local, null);
        if (opening instanceof SocketOpening.Opened opened) {
            loop.worker().sharedPeers().addSocket(opened.socket());
        } else if (opening instanceof SocketOpening.Failed failed) {
            LOG.error("The shared relayed socket {} cannot be opened: {}", local, failed.reason());
        } else {
            LOG.error("The shared relayed socket {} cannot be opened: the port is in use", local);
        }
    }
}
