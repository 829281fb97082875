package dev.turntable.benchmarks.load;

import dev.turntable.api.ClientTransport;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Runs an {@link EchoLoad} against a server and prints what came of it. */
public final class LoadCommand {
    public static final String USAGE = """
            load --server HOST:PORT --user NAME --pass PASSWORD
                 --allocations N   each with a client socket of its own (100)
                 --rate N          packets sent in a second, by all allocations together (1000)
                 --size N          bytes of a payload, 24 to 1400 (160)
                 --seconds N       how long (10)
                 --transport NAME  udp, tcp or tls, which takes any certificate (udp)
                 --indications     Send and Data instead of ChannelData
                 --peer ADDRESS    of this host, where the echoing peers are (the one that the way to the server begins at)
                 --handshakes N    new TLS connections in a second beside it, closed at once (0)
                 --tls HOST:PORT   where those go (the server)
                 --pid N           of the server on this host: packets per second of its CPU time
            The server must allow that peer address, and that many allocations to the user. Packets are numbered, and
            checked when they come back: exit status 1 where one was lost, doubled, spoilt or sent to the wrong client.
            """;

    private LoadCommand() {}

    /** Returns the exit status. */
    @SuppressWarnings("SystemOut")
    public static int run(String[] arguments) throws IOException, InterruptedException {
        Options options = new Options(
                arguments,
                Set.of(
                        "server",
                        "user",
                        "pass",
                        "allocations",
                        "rate",
                        "size",
                        "seconds",
                        "peer",
                        "pid",
                        "transport",
                        "handshakes",
                        "tls"),
                Set.of("indications"));
        InetSocketAddress server = options.address("server");
        EchoLoad.Settings settings = new EchoLoad.Settings(
                transport(options.text("transport", "udp")),
                server,
                options.text("user"),
                options.text("pass"),
                options.number("allocations", 100),
                options.number("rate", 1000),
                options.number("size", 160),
                options.has("indications"),
                options.has("peer") ? InetAddress.getByName(options.text("peer")) : wayTo(server),
                Duration.ofSeconds(30));
        ServerProcess process = options.has("pid") ? new ServerProcess(options.number("pid", 0)) : null;
        try (EchoLoad load = EchoLoad.open(settings);
                Handshakes handshakes = new Handshakes(
                        options.has("tls") ? options.address("tls") : server, options.number("handshakes", 0))) {
            double before = process == null ? 0 : process.cpuSeconds();
            load.start();
            TimeUnit.SECONDS.sleep(options.number("seconds", 10));
            double cpuSeconds = process == null ? 0 : process.cpuSeconds() - before;
            handshakes.close();
            EchoLoad.Report report = load.stop();
            print(report);
            if (options.has("handshakes")) {
                System.out.printf("handshakes      %d, failed %d%n", handshakes.done(), handshakes.failed());
            }
            if (process != null) {
                // There and back are two packets that the server relays.
                long relayed = report.echoedByPeers() + report.received();
                System.out.printf("server          %.2f CPU-s, %.0f packets/CPU-s%n", cpuSeconds, relayed / cpuSeconds);
            }
            boolean whole = report.lost() == 0
                    && report.duplicated() == 0
                    && report.corrupted() == 0
                    && report.misrouted() == 0
                    && report.errors() == 0;
            return whole ? 0 : 1;
        }
    }

    @SuppressWarnings("SystemOut")
    private static void print(EchoLoad.Report report) {
        System.out.printf("allocations     %d, alive at the end %d%n", report.allocations(), report.allocationsAlive());
        System.out.printf(
                "packets         sent %d, reached a peer %d, delivered back %d (%.0f/s)%n",
                report.sent(), report.echoedByPeers(), report.received(), report.packetsPerSecond());
        System.out.printf(
                "faults          lost %d, doubled %d, spoilt %d, misrouted %d, not sent %d%n",
                report.lost(), report.duplicated(), report.corrupted(), report.misrouted(), report.sendsRefused());
        System.out.printf(
                "round trip µs   p50 %d, p99 %d, p99.9 %d, max %d; longest silence %d ms%n",
                report.latencyP50Micros(),
                report.latencyP99Micros(),
                report.latencyP999Micros(),
                report.latencyMaxMicros(),
                report.longestSilenceMillis());
        System.out.printf(
                "transactions    %d, answered %d, sent again %d, unanswered %d, stale nonces %d, errors %d%n",
                report.transactions(),
                report.answered(),
                report.retransmissions(),
                report.unanswered(),
                report.staleNonces(),
                report.errors());
    }

    private static ClientTransport transport(String name) {
        return switch (name) {
            case "udp" -> ClientTransport.UDP;
            case "tcp" -> ClientTransport.TCP;
            case "tls" -> ClientTransport.TLS;
            default -> throw new IllegalArgumentException("--transport: udp, tcp or tls, not " + name);
        };
    }

    /** The local address from which the server is reached. */
    private static InetAddress wayTo(InetSocketAddress server) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(server);
            return socket.getLocalAddress();
        }
    }
}
