package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ClientTransport;
import dev.turntable.benchmarks.load.EchoLoad;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What goes on while relays are swapped: numbered packets to echoing peers and back, and each allocation kept alive, from
 * outside of the container. Small by default; {@code -Dswap.full=true} is the size that the figures of the manual have.
 */
final class Load implements AutoCloseable {
    static final boolean FULL = Boolean.getBoolean("swap.full");
    static final int ALLOCATIONS = Integer.getInteger("swap.allocations", FULL ? 1000 : 200);
    static final int PACKETS_PER_SECOND = Integer.getInteger("swap.packetsPerSecond", FULL ? 10_000 : 2000);
    /** Swaps of one kind: there and back again counts as two. */
    static final int SWAPS = Integer.getInteger("swap.swaps", FULL ? 40 : 4);

    private static final String DISCARDS = "drop.";
    private static final Duration UPKEEP = Duration.ofSeconds(Integer.getInteger("swap.upkeepSeconds", FULL ? 5 : 2));

    private final String what;
    private final LiveServer server;
    private final EchoLoad load;
    private final int swapsBefore;
    private final long listenerDropsBefore;
    private final Map<String, Long> discardsBefore;

    private Load(String what, LiveServer server, EchoLoad load) throws IOException {
        this.what = what;
        this.server = server;
        this.load = load;
        swapsBefore = server.swaps();
        listenerDropsBefore = UdpSockets.drops(UdpSockets.of(server.karaf().pid()).stream()
                .filter(socket -> socket.port() == server.address().getPort())
                .toList());
        discardsBefore = discards(server);
    }

    static Load start(String what, LiveServer server) throws IOException, InterruptedException {
        return start(what, server, ALLOCATIONS, PACKETS_PER_SECOND);
    }

    static Load start(String what, LiveServer server, int allocations, int packetsPerSecond)
            throws IOException, InterruptedException {
        return start(what, server, ClientTransport.UDP, allocations, packetsPerSecond);
    }

    static Load start(String what, LiveServer server, ClientTransport transport, int allocations, int packetsPerSecond)
            throws IOException, InterruptedException {
        EchoLoad load = EchoLoad.open(new EchoLoad.Settings(
                transport,
                transport == ClientTransport.TLS ? server.tlsAddress() : server.address(),
                LiveServer.USER,
                LiveServer.PASSWORD,
                allocations,
                packetsPerSecond,
                160,
                false,
                // Not the clients' address, so that there are ports for 15,000 of each.
                InetAddress.getByAddress(new byte[] {127, 0, 0, 2}),
                UPKEEP));
        load.start();
        Load started = new Load(what, server, load);
        Thread.sleep(1000);
        return started;
    }

    /** Ends it and demands that nothing was lost: no allocation, no packet, no answer. */
    EchoLoad.Report endWithoutLoss() throws IOException, InterruptedException {
        EchoLoad.Report report = end();
        assertAll(
                what,
                () -> assertEquals(0, report.lost(), "packets lost"),
                () -> assertEquals(0, report.duplicated(), "packets doubled"),
                () -> assertEquals(0, report.corrupted(), "packets spoilt"),
                () -> assertEquals(0, report.misrouted(), "packets sent to another client"),
                () -> assertEquals(report.allocations(), report.allocationsAlive(), "allocations alive at the end"),
                () -> assertTrue(report.transactions() > 0, "transactions beside the packets"),
                () -> assertEquals(report.transactions(), report.answered(), "transactions answered"),
                () -> assertEquals(0, report.errors(), "transactions answered with an error"),
                () -> assertEquals(0, report.answeredTwice(), "transactions answered twice"),
                () -> assertEquals(0, report.staleNonces(), "nonces that a swap made stale"));
        return report;
    }

    /** Ends it and tells what came of it. */
    EchoLoad.Report end() throws IOException, InterruptedException {
        Thread.sleep(1000);
        List<UdpSockets.Line> sockets = UdpSockets.of(server.karaf().pid());
        List<UdpSockets.Line> ours = UdpSockets.of(ProcessHandle.current().pid());
        Map<String, Long> discards = discards(server);
        EchoLoad.Report report = load.stop();
        say(report);
        sayDrops(sockets, ours, discards);
        return report;
    }

    long received() {
        return load.received();
    }

    @SuppressWarnings("SystemOut")
    private void say(EchoLoad.Report report) throws IOException {
        double[] gaps = gaps();
        System.out.printf(
                Locale.ROOT,
                "SWAP %s: %d swaps, gap p50 %.1f worst %.1f ms; %d allocations, %d alive; %.0f packets/s, %d sent, %d lost,"
                        + " %d doubled; longest silence %d ms; latency p50 %d p99 %d p99.9 %d worst %d us;"
                        + " %d transactions, %d answered, %d sent again, %d errors, %d twice%n",
                what,
                server.swaps() - swapsBefore,
                gaps.length == 0 ? 0 : gaps[gaps.length / 2],
                gaps.length == 0 ? 0 : gaps[gaps.length - 1],
                report.allocations(),
                report.allocationsAlive(),
                report.packetsPerSecond(),
                report.sent(),
                report.lost(),
                report.duplicated(),
                report.longestSilenceMillis(),
                report.latencyP50Micros(),
                report.latencyP99Micros(),
                report.latencyP999Micros(),
                report.latencyMaxMicros(),
                report.transactions(),
                report.answered(),
                report.retransmissions(),
                report.errors(),
                report.answeredTwice());
    }

    /** Where a packet may have gone: no room in a socket of the server or of ours, or discarded by the server. */
    @SuppressWarnings("SystemOut")
    private void sayDrops(List<UdpSockets.Line> sockets, List<UdpSockets.Line> ours, Map<String, Long> discards) {
        int port = server.address().getPort();
        List<UdpSockets.Line> listener =
                sockets.stream().filter(socket -> socket.port() == port).toList();
        discards.replaceAll((reason, count) -> count - discardsBefore.getOrDefault(reason, 0L));
        discards.values().removeIf(count -> count == 0);
        System.out.printf(
                Locale.ROOT,
                "SWAP %s: no room in receive buffers: listener %d, relayed %d, clients and peers %d; discarded %s%n",
                what,
                UdpSockets.drops(listener) - listenerDropsBefore,
                UdpSockets.drops(sockets) - UdpSockets.drops(listener),
                UdpSockets.drops(ours),
                discards);
    }

    private static Map<String, Long> discards(LiveServer server) {
        Map<String, Long> discards = new TreeMap<>();
        for (List<String> row : server.karaf().table("turn:stats")) {
            if (row.size() == 2 && row.get(0).startsWith(DISCARDS)) {
                discards.put(row.get(0).substring(DISCARDS.length()), Long.parseLong(row.get(1)));
            }
        }
        return discards;
    }

    /** Gaps of the last engines that came since the load began, the shortest first. */
    private double[] gaps() throws IOException {
        return server.engines().stream()
                .filter(engine -> engine.swaps() > swapsBefore)
                .mapToDouble(LiveServer.EngineLine::gapMillis)
                .sorted()
                .toArray();
    }

    @Override
    public void close() throws IOException {
        load.close();
    }
}
