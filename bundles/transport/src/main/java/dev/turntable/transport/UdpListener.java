package dev.turntable.transport;

import dev.turntable.api.AddressText;
import dev.turntable.api.ListenerInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A UDP listener: for each address a socket on each worker. Brings what is open to what is configured, and tries again while it
 * cannot. Any thread but a worker's, one at a time.
 */
final class UdpListener {
    private static final Logger LOG = LoggerFactory.getLogger(UdpListener.class);

    private final String name;
    private final EventLoops loops;
    private final ListenerRegistry registry;
    private final int defaultReceiveBufferBytes;
    private final Map<NettyLoop, AtomicLong> clientPackets = new LinkedHashMap<>();
    private final Map<InetSocketAddress, List<ClientSocket>> open = new LinkedHashMap<>();
    private ListenerConfiguration configuration;
    private int grantedBytes;
    private boolean closed;
    private volatile ListenerInfo.State state = ListenerInfo.State.WAITING;
    private volatile String problem = "";
    private String refused = "";
    private volatile List<InetSocketAddress> boundAddresses = List.of();
    private volatile int sockets;

    UdpListener(String name, EventLoops loops, ListenerRegistry registry, int defaultReceiveBufferBytes) {
        this.name = name;
        this.loops = loops;
        this.registry = registry;
        this.defaultReceiveBufferBytes = defaultReceiveBufferBytes;
        loops.all().forEach(loop -> clientPackets.put(loop, new AtomicLong()));
    }

    String name() {
        return name;
    }

    /** Takes a configuration, the first or another. The same one again changes nothing. */
    synchronized void configure(ListenerConfiguration wanted) {
        refused = "";
        if (wanted.equals(configuration)) {
            return;
        }
        boolean otherBuffer =
                configuration != null && wanted.receiveBufferBytes() != configuration.receiveBufferBytes();
        configuration = wanted;
        settle();
        if (otherBuffer) {
            resizeBuffers();
        }
    }

    /** The configuration is not to be used; an older one stays. */
    synchronized void refuse(String why) {
        refused = why;
        if (configuration == null) {
            state = ListenerInfo.State.FAILED;
        }
    }

    /** Called every few seconds: tries again where it failed, and opens sockets on addresses that the host got. */
    synchronized void retry() {
        boolean mayHaveMore = configuration != null && configuration.hasWildcard();
        if (configuration != null && !closed && (state == ListenerInfo.State.FAILED || mayHaveMore)) {
            settle();
        }
    }

    /** Closes it; its allocations end. */
    synchronized void close() {
        closed = true;
        closeAll();
        registry.remove(this);
        endAllocationsOfClosedEnds();
        LOG.info("Listener {} closed", name);
    }

    private void settle() {
        try {
            Set<InetSocketAddress> meant = LocalAddresses.meant(configuration.addresses(), configuration.port());
            if (meant.isEmpty()) {
                throw new IOException("this host has no address that " + configuration.text() + " means");
            }
            closeAllBut(meant);
            Set<InetSocketAddress> missing = new LinkedHashSet<>(meant);
            missing.removeAll(open.keySet());
            if (!missing.isEmpty()) {
                openAll(missing);
                listening();
            }
            state = ListenerInfo.State.LISTENING;
            problem = "";
        } catch (IOException e) {
            fail(e.getMessage());
        }
        sockets = open.values().stream().mapToInt(List::size).sum();
        boundAddresses = List.copyOf(open.keySet());
    }

    /** An address that the host lost keeps its sockets while a wildcard means it: it may come back. */
    private void closeAllBut(Set<InetSocketAddress> meant) {
        boolean wildcard = configuration.hasWildcard();
        boolean some = false;
        for (InetSocketAddress address : List.copyOf(open.keySet())) {
            if (!meant.contains(address) && !(wildcard && address.getPort() == configuration.port())) {
                close(address);
                some = true;
            }
        }
        if (some) {
            endAllocationsOfClosedEnds();
        }
    }

    /** All of them or none: with SO_REUSEPORT each socket that joins moves clients to another one. */
    private void openAll(Set<InetSocketAddress> addresses) throws IOException {
        String owner = registry.claim(this, addresses);
        if (owner != null) {
            throw new IOException("listener " + owner + " has the same address and port " + configuration.port());
        }
        int wantedBytes = wantedReceiveBufferBytes();
        UdpSocket.Options options = new UdpSocket.Options(loops.io().balances(), wantedBytes, wantedBytes);
        try {
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
                for (NettyLoop loop : loops.forListener(configuration.port())) {
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
        } catch (IOException e) {
            addresses.forEach(this::close);
            throw e;
        }
    }

    private ClientSocket bind(NettyLoop loop, InetSocketAddress address, UdpSocket.Options options) throws IOException {
        ClientSocket socket = new ClientSocket(loop.ends().at(address), clientPackets.get(loop));
        socket.open(options, true);
        return socket;
    }

    private void closeAll() {
        List.copyOf(open.keySet()).forEach(this::close);
        sockets = 0;
        boundAddresses = List.of();
    }

    private void close(InetSocketAddress address) {
        List<ClientSocket> bound = open.remove(address);
        if (bound != null) {
            for (ClientSocket socket : bound) {
                try {
                    socket.loop().call(() -> {
                        socket.close();
                        return null;
                    });
                } catch (IOException e) {
                    LOG.warn("Listener {}: a socket on {} was not closed in order: {}", name, address, e.getMessage());
                }
            }
        }
        registry.release(this, address);
    }

    private void endAllocationsOfClosedEnds() {
        for (NettyLoop loop : loops.all()) {
            try {
                loop.call(() -> {
                    loop.ends().endAllocationsOfClosed();
                    return null;
                });
            } catch (IOException e) {
                LOG.warn("Listener {}: its allocations were not ended: {}", name, e.getMessage());
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
            LOG.warn("Listener {}: the receive buffers were not changed: {}", name, e.getMessage());
        }
    }

    private int wantedReceiveBufferBytes() {
        int own = configuration.receiveBufferBytes();
        return own > 0 ? own : defaultReceiveBufferBytes;
    }

    private void listening() {
        int wanted = wantedReceiveBufferBytes();
        LOG.info(
                "Listener {} on {} over {}: {} addresses, receive buffer {} bytes",
                name,
                configuration.text(),
                loops.io().label(),
                open.size(),
                grantedBytes);
        if (grantedBytes < wanted) {
            LOG.warn(
                    "Listener {} asked for a receive buffer of {} bytes and was granted {}; raise it with: sysctl -w"
                            + " net.core.rmem_max={}",
                    name,
                    wanted,
                    grantedBytes,
                    wanted);
        }
    }

    private void fail(String why) {
        // Tried again every few seconds, said once.
        if (!why.equals(problem)) {
            LOG.error("Listener {} does not listen: {}; it is tried again every few seconds", name, why);
        }
        problem = why;
        state = ListenerInfo.State.FAILED;
    }

    List<InetSocketAddress> boundAddresses() {
        return boundAddresses;
    }

    synchronized ListenerInfo info() {
        long packets =
                clientPackets.values().stream().mapToLong(AtomicLong::get).sum();
        return new ListenerInfo(
                name,
                "udp",
                configuration == null ? "" : configuration.text(),
                state,
                refused.isEmpty() ? problem : refused,
                sockets,
                loops.io().label(),
                sockets == 0 ? 0 : grantedBytes,
                packets);
    }
}
