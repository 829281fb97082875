package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A TCP listener: for each address one socket at the door, whose connections are spread over the workers. */
final class StreamListener extends Listener {
    private static final Logger LOG = LoggerFactory.getLogger(StreamListener.class);

    private final Map<InetSocketAddress, Channel> open = new LinkedHashMap<>();
    private final List<InetSocketAddress> closed = new ArrayList<>();
    private final ConnectionCounts connections = new ConnectionCounts();
    private volatile StreamLimits limits = StreamLimits.DEFAULTS;

    StreamListener(String name, EventLoops loops, ListenerRegistry registry) {
        super(name, ClientTransport.TCP, loops, registry);
    }

    /** What a new connection may take. Any thread. */
    StreamLimits limits() {
        return limits;
    }

    ConnectionCounts connections() {
        return connections;
    }

    @Override
    void changed(ListenerConfiguration before) {
        limits = configuration().limits();
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
        limits = configuration().limits();
        for (InetSocketAddress address : addresses) {
            closed.remove(address);
            open.put(address, loops().door().listen(address, new AcceptGate(this, loops(), protocol(), address)));
        }
    }

    @Override
    void closeSockets(InetSocketAddress address) {
        Channel channel = open.remove(address);
        if (channel == null) {
            return;
        }
        closed.add(address);
        try {
            loops().door().close(channel);
        } catch (IOException e) {
            LOG.warn("Listener {}: the socket on {} was not closed in order: {}", name(), address, e.getMessage());
        }
    }

    @Override
    void endAllocationsOfClosed() {
        List<InetSocketAddress> ended = List.copyOf(closed);
        closed.clear();
        for (NettyLoop loop : loops().all()) {
            try {
                loop.call(() -> {
                    ended.forEach(address -> loop.streams().closeAt(protocol(), address));
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
                "Listener {} on {} over {}: tcp, {} addresses",
                name(),
                configuration().text(),
                loops().io().label(),
                open.size());
    }
}
