package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TCP and TLS of a listener: for each address one socket at the door, whose connections are spread over the workers. */
final class StreamListener extends Listener {
    private static final Logger LOG = LoggerFactory.getLogger(StreamListener.class);

    private final Map<InetSocketAddress, Channel> open = new LinkedHashMap<>();
    private final List<InetSocketAddress> closed = new ArrayList<>();
    private final ConnectionCounts connections = new ConnectionCounts();
    private volatile StreamLimits limits = StreamLimits.DEFAULTS;
    private volatile SourceNetworks proxies = SourceNetworks.NONE;
    private volatile Set<InetSocketAddress> accepting = Set.of();

    StreamListener(String name, EventLoops loops, ListenerRegistry registry, CertificateWatch certificates) {
        super(name, ClientTransport.TCP, ClientTransport.TLS, loops, registry, certificates);
    }

    /** Whether a connection from there must begin with a PROXY header. Any thread. */
    boolean isProxy(InetAddress source) {
        return proxies.contains(source);
    }

    /** Whether a connection that was accepted at an address may still come to its worker. Any thread. */
    boolean accepts(InetSocketAddress server) {
        return accepting.contains(server);
    }

    /** What a new connection may take. Any thread. */
    StreamLimits limits() {
        return limits;
    }

    ConnectionCounts connections() {
        return connections;
    }

    @Override
    void changing() {
        limits = configuration().limits();
        proxies = configuration().proxies();
    }

    @Override
    void changed(ListenerConfiguration before) {
        if (!offersPlain()) {
            open.keySet().forEach(address -> closeConnections(ClientTransport.TCP, List.of(address)));
        }
        if (!offersSecured()) {
            open.keySet().forEach(address -> closeConnections(ClientTransport.TLS, List.of(address)));
        }
    }

    @Override
    int connectionCount() {
        return connections.all();
    }

    @Override
    Set<InetSocketAddress> open() {
        return open.keySet();
    }

    @Override
    int countSockets() {
        return open.size();
    }

    /** The kernel sizes those of streams by itself. */
    @Override
    int receiveBufferBytes() {
        return 0;
    }

    @Override
    void openAll(Set<InetSocketAddress> addresses) throws IOException {
        for (InetSocketAddress address : addresses) {
            closed.remove(address);
            accepting = with(address);
            open.put(address, loops().door().listen(address, new AcceptGate(this, loops(), address)));
        }
    }

    @Override
    void closeSockets(InetSocketAddress address) {
        Channel channel = open.remove(address);
        if (channel == null) {
            return;
        }
        closed.add(address);
        accepting = without(address);
        try {
            loops().door().close(channel);
        } catch (IOException e) {
            LOG.warn("Listener {}: the socket on {} was not closed in order: {}", name(), address, e.getMessage());
        }
    }

    private Set<InetSocketAddress> with(InetSocketAddress address) {
        Set<InetSocketAddress> all = new HashSet<>(accepting);
        all.add(address);
        return Set.copyOf(all);
    }

    private Set<InetSocketAddress> without(InetSocketAddress address) {
        Set<InetSocketAddress> all = new HashSet<>(accepting);
        all.remove(address);
        return Set.copyOf(all);
    }

    @Override
    void endAllocationsOfClosed() {
        List<InetSocketAddress> ended = List.copyOf(closed);
        closed.clear();
        if (!ended.isEmpty()) {
            closeConnections(ClientTransport.TCP, ended);
            closeConnections(ClientTransport.TLS, ended);
        }
    }

    private void closeConnections(ClientTransport protocol, List<InetSocketAddress> addresses) {
        for (NettyLoop loop : loops().all()) {
            try {
                loop.call(() -> {
                    addresses.forEach(address -> loop.streams().closeAt(protocol, address));
                    return null;
                });
            } catch (IOException e) {
                LOG.warn("Listener {}: its connections were not closed: {}", name(), e.getMessage());
            }
        }
    }

    @Override
    void listening() {
        LOG.info(
                "Listener {} on {} over {}: {}, {} addresses",
                name(),
                configuration().text(),
                loops().io().label(),
                label(),
                open.size());
    }
}
