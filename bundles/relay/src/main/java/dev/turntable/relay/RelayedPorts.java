package dev.turntable.relay;

import dev.turntable.state.Allocation;
import dev.turntable.state.PortPool;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.ServerConfiguration;
import dev.turntable.state.SocketOpening;
import dev.turntable.state.Worker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds relayed transport addresses for an allocation that is being made (RFC 8656 §7.2), and binds their sockets. */
final class RelayedPorts {
    private static final Logger LOG = LoggerFactory.getLogger(RelayedPorts.class);

    /** Ports that are tried where other processes have them, before the client is told 508. */
    private static final int ATTEMPTS = 8;

    private static final long WARN_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** When a failure was logged last, in the time of the state; negative for never. */
    private final AtomicLong warnedNanos = new AtomicLong(-1);

    /** What a port has to be like. */
    enum Wish {
        ANY,
        EVEN,
        /** Even, with the one above it for a reservation. */
        PAIR,
        /** The one that a token stands for; there is no other. */
        RESERVED
    }

    /** Takes a port from the pool; {@link PortPool#NONE} where there is none. */
    int take(Worker worker, boolean ipv6, Wish wish) {
        PortPool ports = worker.server().ports();
        return switch (wish) {
            case ANY -> ports.take(ipv6);
            case EVEN -> ports.takeEven(ipv6);
            case PAIR -> ports.takePair(ipv6);
            case RESERVED -> PortPool.NONE;
        };
    }

    /** Gives back what {@link #take} gave. */
    void free(Worker worker, boolean ipv6, Wish wish, int port) {
        PortPool ports = worker.server().ports();
        ports.free(ipv6, port);
        if (wish == Wish.PAIR) {
            ports.free(ipv6, port + 1);
        }
    }

    /**
     * Binds a socket for the allocation on its worker.
     *
     * @param port the first to try, taken by the caller; all are given back on failure
     * @return the socket, or null where no port would do
     */
    RelayedSocket bind(Worker worker, Allocation allocation, boolean ipv6, NewAllocations.Choose choice, int port) {
        Wish wish = choice.wish();
        ServerConfiguration configuration = worker.server().configuration();
        InetAddress address = ipv6 ? configuration.relayedIPv6() : configuration.relayedIPv4();
        // Those in use elsewhere are kept until the end, so that the pool does not offer them again.
        int[] busy = new int[ATTEMPTS];
        int busyCount = 0;
        RelayedSocket socket = null;
        int candidate = port;
        while (socket == null && candidate != PortPool.NONE) {
            InetSocketAddress local = new InetSocketAddress(address, candidate);
            SocketOpening opening = choice.tcp()
                    ? worker.loop().openRelayedListener(local, allocation)
                    : worker.loop().openRelayedSocket(local, allocation);
            if (opening instanceof SocketOpening.Opened opened) {
                socket = opened.socket();
            } else {
                busy[busyCount++] = candidate;
                boolean again = opening instanceof SocketOpening.PortInUse && busyCount < ATTEMPTS;
                candidate = again ? take(worker, ipv6, wish) : PortPool.NONE;
                warn(worker, opening, address);
            }
        }
        for (int i = 0; i < busyCount; i++) {
            free(worker, ipv6, wish, busy[i]);
        }
        return socket;
    }

    /** Without descriptors every Allocate fails, and every client tries again: one line a minute. */
    private void warn(Worker worker, SocketOpening opening, InetAddress address) {
        long last = warnedNanos.get();
        boolean due = last < 0 || worker.now() - last >= WARN_NANOS;
        if (opening instanceof SocketOpening.Failed failed && due && warnedNanos.compareAndSet(last, worker.now())) {
            LOG.warn("no relayed socket on {}: {}", address.getHostAddress(), failed.reason());
        }
    }
}
