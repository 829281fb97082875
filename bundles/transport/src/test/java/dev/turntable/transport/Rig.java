package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ClientTransport;
import dev.turntable.state.ServerConfiguration;
import dev.turntable.state.ServerState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A state, loops, listeners and an engine on the loopback, and what must be true when they have stopped. */
final class Rig implements AutoCloseable {
    static final int PORT = Integer.getInteger("transport.port", 25_100);
    static final int RELAYED_PORTS = PORT + 40;
    static final InetAddress IPV4 = address("127.0.0.1");
    static final InetAddress IPV6 = address("::1");

    final ServerState server;
    final EventLoops loops;
    final ListenerRegistry registry = new ListenerRegistry();
    private final List<Listener> closedLast = new ArrayList<>();
    private final List<CertificateWatch> watches = new ArrayList<>();
    final EchoDesk desk = new EchoDesk();
    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    Rig(String ioTransport, int workers) throws IOException {
        this(configuration(ioTransport, workers, false));
    }

    Rig(ServerConfiguration configuration) throws IOException {
        server = new ServerState(configuration, System::nanoTime);
        loops = new EventLoops(server);
        SharedSockets sharedSockets = new SharedSockets(loops, server);
        sharedSockets.open();
        registry.everyFewSeconds(sharedSockets::open);
        server.engineSlot().bind(desk, -1);
    }

    static ServerConfiguration configuration(String ioTransport, int workers, boolean sharedSockets) {
        return new ServerConfiguration(
                workers,
                IPV4,
                IPV6,
                null,
                null,
                RELAYED_PORTS,
                RELAYED_PORTS + 39,
                sharedSockets,
                2,
                RELAYED_PORTS + 42,
                1000,
                1 << 20,
                // The system's own.
                sharedSockets ? 0 : 1 << 20,
                ioTransport.replace("-unsegmented", ""),
                !ioTransport.endsWith("-unsegmented"),
                2000,
                10,
                1000,
                100,
                65_536);
    }

    UdpListener listener(String name, int port, InetAddress... addresses) {
        UdpListener listener = newListener(name);
        listener.configure(udp(Set.of(addresses), port, 0));
        return listener;
    }

    static ListenerConfiguration udp(Set<InetAddress> addresses, int port, int receiveBufferBytes) {
        return new ListenerConfiguration(
                addresses,
                port,
                receiveBufferBytes,
                Set.of(ClientTransport.UDP),
                StreamLimits.DEFAULTS,
                TlsSettings.NONE,
                SourceNetworks.NONE);
    }

    StreamListener streamListener(String name, int port, StreamLimits limits, InetAddress... addresses) {
        StreamListener listener = newStreamListener(name, TlsSettings.NONE);
        listener.configure(new ListenerConfiguration(
                Set.of(addresses),
                port,
                0,
                Set.of(ClientTransport.TCP),
                limits,
                TlsSettings.NONE,
                SourceNetworks.NONE));
        return listener;
    }

    StreamListener streamListener(String name, int port, Set<ClientTransport> protocols, TlsSettings tls) {
        return streamListener(name, port, protocols, tls, SourceNetworks.NONE);
    }

    StreamListener streamListener(
            String name, int port, Set<ClientTransport> protocols, TlsSettings tls, SourceNetworks proxies) {
        StreamListener listener = newStreamListener(name, tls);
        listener.configure(
                new ListenerConfiguration(Set.of(IPV4), port, 0, protocols, StreamLimits.DEFAULTS, tls, proxies));
        return listener;
    }

    private StreamListener newStreamListener(String name, TlsSettings tls) {
        StreamListener listener = new StreamListener(name, loops, registry, watch(name, tls));
        registry.add(listener);
        closedLast.add(listener);
        return listener;
    }

    private CertificateWatch watch(String name, TlsSettings tls) {
        CertificateWatch watch = new CertificateWatch(name, server);
        registry.add(watch);
        watches.add(watch);
        watch.configure(tls);
        return watch;
    }

    /** UDP, DTLS or both on one port. */
    UdpListener datagramListener(
            String name, int port, Set<ClientTransport> protocols, StreamLimits limits, TlsSettings tls) {
        return datagramListener(name, port, protocols, limits, tls, SourceNetworks.NONE);
    }

    UdpListener datagramListener(
            String name,
            int port,
            Set<ClientTransport> protocols,
            StreamLimits limits,
            TlsSettings tls,
            SourceNetworks proxies) {
        UdpListener listener = new UdpListener(name, loops, registry, watch(name, tls), 1 << 20);
        registry.add(listener);
        closedLast.add(listener);
        listener.configure(new ListenerConfiguration(Set.of(IPV4), port, 0, protocols, limits, tls, proxies));
        return listener;
    }

    /** As the component does it. */
    void configure(Listener listener, ListenerConfiguration configuration) {
        watches.stream()
                .filter(watch -> watch.listener().equals(listener.name()))
                .forEach(watch -> watch.configure(configuration.tls()));
        listener.configure(configuration);
    }

    /** As it is done every few seconds. */
    void look() {
        watches.forEach(CertificateWatch::check);
        closedLast.forEach(Listener::retry);
    }

    int associations() throws IOException {
        int sum = 0;
        for (NettyLoop loop : loops.all()) {
            sum += loop.call(() -> loop.dtls().size());
        }
        return sum;
    }

    int allocations() throws IOException {
        int sum = 0;
        for (NettyLoop loop : loops.all()) {
            sum += loop.call(() -> loop.worker().allocations().size());
        }
        return sum;
    }

    int connections() throws IOException {
        int sum = 0;
        for (NettyLoop loop : loops.all()) {
            sum += loop.call(() -> loop.streams().size());
        }
        return sum;
    }

    UdpListener newListener(String name) {
        UdpListener listener = new UdpListener(name, loops, registry, watch(name, TlsSettings.NONE), 1 << 20);
        registry.add(listener);
        return listener;
    }

    static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static InetSocketAddress at(InetAddress address, int port) {
        return new InetSocketAddress(address, port);
    }

    long drops(String reason) {
        int number = server.dropReasons().register(reason);
        long sum = 0;
        for (int i = 0; i < server.workerCount(); i++) {
            sum += server.worker(i).drops().of(number);
        }
        return sum;
    }

    /** No packet was dropped for another reason. */
    void assertNoDropsBut(Map<String, Long> expected) {
        for (int reason = 0; reason < server.dropReasons().size(); reason++) {
            String name = server.dropReasons().name(reason);
            assertEquals(expected.getOrDefault(name, 0L), drops(name), name);
        }
    }

    void assertMemoryFree() throws IOException {
        for (NettyLoop loop : loops.all()) {
            boolean inUse = loop.call(() -> {
                loop.pauseReading();
                return loop.memory().isInUse();
            });
            assertFalse(inUse, "a datagram was not released");
        }
    }

    /** One that has nothing more to do is alive for a moment. */
    private static void join(Thread thread) {
        try {
            thread.join(1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            closedLast.forEach(Listener::close);
            watches.forEach(CertificateWatch::close);
            assertMemoryFree();
        } finally {
            registry.stop();
            loops.stop();
        }
        for (int port = RELAYED_PORTS; port < RELAYED_PORTS + 60; port++) {
            for (InetAddress address : List.of(IPV4, IPV6)) {
                PortProbe.probe(at(address, port));
            }
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            boolean ours =
                    thread.getName().startsWith("turntable") || thread.getName().contains("netty");
            if (ours && !before.contains(thread)) {
                join(thread);
            }
            assertTrue(before.contains(thread) || !ours || !thread.isAlive(), "left: " + thread.getName());
        }
        Leaks.assertNone();
    }
}
