package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import dev.turntable.api.ListenerInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The datagrams or the streams of a configured listener. Brings what is open to what is configured, and tries again while it cannot. Any thread but a
 * loop's, one at a time.
 */
abstract class Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final String NO_FILES = "no certificate files are configured";

    private final String name;
    private final ClientTransport plain;
    private final ClientTransport secured;
    private final EventLoops loops;
    private final ListenerRegistry registry;
    private final CertificateWatch certificates;
    private final Map<NettyLoop, AtomicLong> clientPackets = new LinkedHashMap<>();
    private ListenerConfiguration configuration;
    private boolean closed;
    private volatile ListenerInfo.State state = ListenerInfo.State.WAITING;
    private volatile String problem = "";
    private String refused = "";
    private volatile List<InetSocketAddress> boundAddresses = List.of();
    private volatile int sockets;
    private volatile boolean offersPlain;
    private volatile boolean offersSecured;

    /**
     * @param plain what is spoken there openly
     * @param secured what is spoken there with a certificate
     */
    Listener(
            String name,
            ClientTransport plain,
            ClientTransport secured,
            EventLoops loops,
            ListenerRegistry registry,
            CertificateWatch certificates) {
        this.name = name;
        this.plain = plain;
        this.secured = secured;
        this.loops = loops;
        this.registry = registry;
        this.certificates = certificates;
        loops.all().forEach(loop -> clientPackets.put(loop, new AtomicLong()));
    }

    // What differs from protocol to protocol

    /** Opens sockets at all of these addresses or none. */
    abstract void openAll(Set<InetSocketAddress> addresses) throws IOException;

    /** Closes those at an address; nothing where there are none. */
    abstract void closeSockets(InetSocketAddress address);

    /** Ends the allocations of clients that cannot be answered any more. */
    abstract void endAllocationsOfClosed();

    /** Addresses with sockets. */
    abstract Set<InetSocketAddress> open();

    abstract int countSockets();

    /** Receive buffer that the kernel granted to each socket, in bytes. */
    abstract int receiveBufferBytes();

    /** Says that sockets were opened. */
    abstract void listening();

    /** The configuration is another, and sockets have not been looked at yet. */
    void changing() {}

    /** What is open agrees with the configuration, which was another before. */
    void changed(ListenerConfiguration before) {}

    abstract int connectionCount();

    // What is the same

    /** Whether it is spoken there without a certificate. Any thread. */
    final boolean offersPlain() {
        return offersPlain;
    }

    /** Whether it is spoken there with a certificate, once there is one. Any thread. */
    final boolean offersSecured() {
        return offersSecured;
    }

    /** For the next handshake; null where there is no certificate. Any thread. */
    final TlsServerSide tls() {
        return certificates.current();
    }

    /** What is secured waits for certificates where it is alone. Where the files are bad it has been said why. */
    private Obstacle obstacle() {
        if (offersPlain || tls() != null) {
            return null;
        }
        return certificates.isConfigured()
                ? new Obstacle(ListenerInfo.State.FAILED, certificates.problem())
                : new Obstacle(ListenerInfo.State.WAITING, NO_FILES);
    }

    /** What is wrong though it listens; empty where nothing is. */
    private String flaw() {
        if (!offersSecured) {
            return "";
        }
        return certificates.isConfigured() ? certificates.problem() : NO_FILES + ": no " + secured.name();
    }

    /** What is spoken there, in words. */
    final String label() {
        List<String> words = new ArrayList<>();
        // One that was refused from the start is called by what it would be.
        if (offersPlain || !offersSecured) {
            words.add(plain.name().toLowerCase(Locale.ROOT));
        }
        if (offersSecured) {
            words.add(secured.name().toLowerCase(Locale.ROOT));
        }
        return String.join(", ", words);
    }

    /** What stands in the way of listening, and how that is called. */
    private record Obstacle(ListenerInfo.State state, String why) {}

    final String name() {
        return name;
    }

    final boolean isStream() {
        return plain.isStream();
    }

    final EventLoops loops() {
        return loops;
    }

    final ListenerConfiguration configuration() {
        return configuration;
    }

    final AtomicLong clientPackets(NettyLoop loop) {
        return clientPackets.get(loop);
    }

    /** Takes a configuration, the first or another. The same one again changes nothing. */
    final synchronized void configure(ListenerConfiguration wanted) {
        refused = "";
        ListenerConfiguration before = configuration;
        if (wanted.equals(before)) {
            return;
        }
        configuration = wanted;
        offersPlain = wanted.protocols().contains(plain);
        offersSecured = wanted.protocols().contains(secured);
        changing();
        settle();
        if (before != null) {
            changed(before);
        }
    }

    /** The configuration is not to be used; an older one stays. */
    final synchronized void refuse(String why) {
        refused = why;
        if (configuration == null) {
            state = ListenerInfo.State.FAILED;
        }
    }

    /** Called every few seconds: tries again where it failed, and opens sockets on addresses that the host got. */
    final synchronized void retry() {
        if (configuration == null || closed) {
            return;
        }
        if (state != ListenerInfo.State.LISTENING || configuration.hasWildcard()) {
            settle();
        }
    }

    /** Closes it; its allocations end. */
    final synchronized void close() {
        closed = true;
        closeAll();
        registry.remove(this);
        endAllocationsOfClosed();
        tell("");
        LOG.info("Listener {} closed ({})", name, label());
    }

    private void settle() {
        Obstacle obstacle = obstacle();
        if (obstacle != null) {
            closeAll();
            endAllocationsOfClosed();
            state = obstacle.state();
            problem = obstacle.why();
            tell("");
            return;
        }
        try {
            Set<InetSocketAddress> meant = LocalAddresses.meant(configuration.addresses(), configuration.port());
            if (meant.isEmpty()) {
                throw new IOException("this host has no address that " + configuration.text() + " means");
            }
            closeAllBut(meant);
            Set<InetSocketAddress> missing = new LinkedHashSet<>(meant);
            missing.removeAll(open());
            if (!missing.isEmpty()) {
                String owner = registry.claim(this, missing);
                if (owner != null) {
                    throw new IOException(
                            "listener " + owner + " has the same address and port " + configuration.port());
                }
                try {
                    openAll(missing);
                } catch (IOException e) {
                    missing.forEach(this::close);
                    throw e;
                }
                listening();
            }
            state = ListenerInfo.State.LISTENING;
            problem = "";
            tell("");
        } catch (IOException e) {
            fail(e.getMessage());
        }
        sockets = countSockets();
        boundAddresses = List.copyOf(open());
    }

    /** An address that the host lost keeps its sockets while a wildcard means it: it may come back. */
    private void closeAllBut(Set<InetSocketAddress> meant) {
        boolean wildcard = configuration.hasWildcard();
        boolean some = false;
        for (InetSocketAddress address : List.copyOf(open())) {
            if (!meant.contains(address) && !(wildcard && address.getPort() == configuration.port())) {
                close(address);
                some = true;
            }
        }
        if (some) {
            endAllocationsOfClosed();
        }
    }

    private void closeAll() {
        List.copyOf(open()).forEach(this::close);
        sockets = 0;
        boundAddresses = List.of();
    }

    private void close(InetSocketAddress address) {
        closeSockets(address);
        registry.release(this, address);
    }

    private void fail(String why) {
        // Tried again every few seconds, said once.
        String sentence = "Listener " + name + " does not listen (" + label() + "): " + why;
        if (tell(sentence)) {
            LOG.error("{}; it is tried again every few seconds", sentence);
        }
        problem = why;
        state = ListenerInfo.State.FAILED;
    }

    /** For {@code turn:info}; empty where nothing is wrong. Whether it is new. */
    private boolean tell(String sentence) {
        return loops.server().problem(ListenerConfiguration.FACTORY_PID + ' ' + name + ' ' + plain, sentence);
    }

    final List<InetSocketAddress> boundAddresses() {
        return boundAddresses;
    }

    private String told() {
        if (!refused.isEmpty()) {
            return refused;
        }
        return problem.isEmpty() ? flaw() : problem;
    }

    final synchronized ListenerInfo info() {
        long packets =
                clientPackets.values().stream().mapToLong(AtomicLong::get).sum();
        return new ListenerInfo(
                name,
                label(),
                configuration == null ? "" : configuration.text(),
                state,
                told(),
                sockets,
                loops.io().label(),
                sockets == 0 ? 0 : receiveBufferBytes(),
                packets,
                connectionCount(),
                offersSecured ? certificates.daysLeft() : ListenerInfo.NO_CERTIFICATE);
    }
}
