package dev.turntable.transport;

import dev.turntable.api.AddressText;
import dev.turntable.api.ClientTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** UDP and DTLS of a listener: for each address a socket on each worker. */
final class UdpListener extends Listener {
    private static final Logger LOG = LoggerFactory.getLogger(UdpListener.class);

    private final int defaultReceiveBufferBytes;
    private final Map<InetSocketAddress, List<ClientSocket>> open = new LinkedHashMap<>();
    private final ConnectionCounts associations = new ConnectionCounts();
    private volatile StreamLimits limits = StreamLimits.DEFAULTS;
    private volatile SourceNetworks proxies = SourceNetworks.NONE;
    private int grantedBytes;

    UdpListener(
            String name,
            EventLoops loops,
            ListenerRegistry registry,
            CertificateWatch certificates,
            int defaultReceiveBufferBytes) {
        super(name, ClientTransport.UDP, ClientTransport.DTLS, loops, registry, certificates);
        this.defaultReceiveBufferBytes = defaultReceiveBufferBytes;
    }

    /** What a new DTLS association may take. Any thread. */
    StreamLimits limits() {
        return limits;
    }

    /** Whose datagrams have a PROXY header. Any thread. */
    SourceNetworks proxies() {
        return proxies;
    }

    /** DTLS associations, in all and by source. */
    ConnectionCounts associations() {
        return associations;
    }

    @Override
    int connectionCount() {
        return associations.all();
    }

    @Override
    void changing() {
        limits = configuration().limits();
        proxies = configuration().proxies();
    }

    @Override
    void changed(ListenerConfiguration before) {
        if (!offersPlain() && before.protocols().contains(ClientTransport.UDP)) {
            onEachSocket(socket -> socket.loop().ends().endAllocationsAt(socket.end()));
        }
        if (!offersSecured() && before.protocols().contains(ClientTransport.DTLS)) {
            onEachSocket(socket -> socket.loop().dtls().closeAt(socket.end()));
        }
        if (configuration().receiveBufferBytes() != before.receiveBufferBytes()) {
            resizeBuffers();
        }
    }

    @Override
    Set<InetSocketAddress> open() {
        return open.keySet();
    }

    @Override
    int countSockets() {
        return open.values().stream().mapToInt(List::size).sum();
    }

    @Override
    int receiveBufferBytes() {
        return grantedBytes;
    }

    /** With SO_REUSEPORT each socket that joins moves clients to another one. */
    @Override
    void openAll(Set<InetSocketAddress> addresses) throws IOException {
        int wantedBytes = wantedReceiveBufferBytes();
        UdpSocket.Options options = new UdpSocket.Options(loops().io().balances(), wantedBytes, wantedBytes);
        for (InetSocketAddress address : addresses) {
            try {
                PortProbe.probe(address);
            } catch (IOException e) {
                throw new IOException(AddressText.of(address) + " cannot be bound: " + e.getMessage(), e);
            }
        }
        for (InetSocketAddress address : addresses) {
            List<ClientSocket> bound = new ArrayList<>();
            open.put(address, bound);
            for (NettyLoop loop : loops().forListener(configuration().port())) {
                bound.add(loop.call(() -> bind(loop, address, options)));
            }
        }
        for (InetSocketAddress address : addresses) {
            for (ClientSocket socket : open.get(address)) {
                grantedBytes = socket.loop().call(() -> {
                    socket.end().opened(socket);
                    socket.read();
                    return socket.receiveBufferBytes();
                });
            }
        }
    }

    private ClientSocket bind(NettyLoop loop, InetSocketAddress address, UdpSocket.Options options) throws IOException {
        ClientSocket socket = new ClientSocket(this, loop.ends().at(address));
        socket.open(options, true);
        return socket;
    }

    @Override
    void closeSockets(InetSocketAddress address) {
        List<ClientSocket> bound = open.remove(address);
        if (bound == null) {
            return;
        }
        for (ClientSocket socket : bound) {
            try {
                socket.loop().call(() -> {
                    socket.loop().dtls().closeAt(socket.end());
                    socket.close();
                    return null;
                });
            } catch (IOException e) {
                LOG.warn("Listener {}: a socket on {} was not closed in order: {}", name(), address, e.getMessage());
            }
        }
    }

    @Override
    void endAllocationsOfClosed() {
        for (NettyLoop loop : loops().all()) {
            try {
                loop.call(() -> {
                    loop.ends().endAllocationsOfClosed();
                    return null;
                });
            } catch (IOException e) {
                LOG.warn("Listener {}: its allocations were not ended: {}", name(), e.getMessage());
            }
        }
    }

    private void onEachSocket(Consumer<ClientSocket> task) {
        for (ClientSocket socket : open.values().stream().flatMap(List::stream).toList()) {
            try {
                socket.loop().call(() -> {
                    task.accept(socket);
                    return null;
                });
            } catch (IOException e) {
                LOG.warn("Listener {}: what its configuration ends was not ended: {}", name(), e.getMessage());
            }
        }
    }

    /** No socket needs to be bound anew for it. */
    private void resizeBuffers() {
        int wanted = wantedReceiveBufferBytes();
        try {
            for (List<ClientSocket> bound : open.values()) {
                for (ClientSocket socket : bound) {
                    grantedBytes = socket.loop().call(() -> socket.resizeBuffers(wanted));
                }
            }
            listening();
        } catch (IOException e) {
            LOG.warn("Listener {}: the receive buffers were not changed: {}", name(), e.getMessage());
        }
    }

    private int wantedReceiveBufferBytes() {
        int own = configuration().receiveBufferBytes();
        return own > 0 ? own : defaultReceiveBufferBytes;
    }

    @Override
    void listening() {
        int wanted = wantedReceiveBufferBytes();
        LOG.info(
                "Listener {} on {} over {}: {}, {} addresses, receive buffer {} bytes",
                name(),
                configuration().text(),
                loops().io().label(),
                label(),
                open.size(),
                grantedBytes);
        if (grantedBytes < wanted) {
            LOG.warn(
                    "Listener {} asked for a receive buffer of {} bytes and was granted {}; raise it with: sysctl -w"
                            + " net.core.rmem_max={}",
                    name(),
                    wanted,
                    grantedBytes,
                    wanted);
        }
    }
}
