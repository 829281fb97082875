package dev.turntable.transport;

import dev.turntable.api.AddressText;
import dev.turntable.state.ServerConfiguration;
import dev.turntable.state.ServerState;
import dev.turntable.state.SocketOpening;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the relayed sockets that the allocations of a worker share (multiplex-peer mode), and tries again while one cannot be opened.
 * Any thread but a worker's.
 */
final class SharedSockets {
    private static final Logger LOG = LoggerFactory.getLogger(SharedSockets.class);
    private static final String PART = "dev.turntable.server relayedSockets";

    private record Place(NettyLoop loop, InetSocketAddress local) {}

    private final ServerState server;
    private final List<Place> missing = new ArrayList<>();

    SharedSockets(EventLoops loops, ServerState server) {
        this.server = server;
        ServerConfiguration configuration = server.configuration();
        if (!configuration.sharedSockets()) {
            return;
        }
        for (NettyLoop loop : loops.all()) {
            for (int i = 0; i < configuration.sharedSocketsPerWorker(); i++) {
                int worker = loop.worker().index();
                want(loop, configuration.relayedIPv4(), port(configuration, worker, i, false));
                want(loop, configuration.relayedIPv6(), port(configuration, worker, i, true));
            }
        }
    }

    /** Socket {@code i} of worker {@code w} has port {@code base + 2·(w·n + i)}, and the next one for IPv6. */
    static int port(ServerConfiguration configuration, int worker, int i, boolean ipv6) {
        int pair = worker * configuration.sharedSocketsPerWorker() + i;
        return configuration.sharedPortBase() + 2 * pair + (ipv6 ? 1 : 0);
    }

    private void want(NettyLoop loop, InetAddress address, int port) {
        if (address != null) {
            missing.add(new Place(loop, new InetSocketAddress(address, port)));
        }
    }

    /** Opens those that are missing; called again every few seconds. */
    synchronized void open() {
        if (missing.isEmpty()) {
            return;
        }
        List<Place> failed = new ArrayList<>();
        String first = "";
        for (Place place : missing) {
            String why = open(place);
            if (!why.isEmpty()) {
                first = failed.isEmpty() ? AddressText.of(place.local) + ": " + why : first;
                failed.add(place);
            }
        }
        missing.retainAll(failed);
        String problem = failed.isEmpty()
                ? ""
                : failed.size() + " shared relayed sockets cannot be opened, the first is " + first;
        if (server.problem(PART, problem)) {
            if (problem.isEmpty()) {
                LOG.info("All shared relayed sockets are open");
            } else {
                LOG.error("{}; it is tried again every few seconds", problem);
            }
        }
    }

    /** Why it cannot be; empty where it is open. */
    private static String open(Place place) {
        try {
            return place.loop.call(() -> {
                SocketOpening opening = place.loop.openRelayedSocket(place.local, null);
                if (opening instanceof SocketOpening.Opened opened) {
                    place.loop.worker().sharedPeers().addSocket(opened.socket());
                    return "";
                }
                return opening instanceof SocketOpening.Failed failed ? failed.reason() : "the port is in use";
            });
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    /** They go with the loops, and their problem with them. */
    void close() {
        server.problem(PART, "");
    }
}
