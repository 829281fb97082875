package dev.turntable.itests.interop;

import static dev.turntable.itests.interop.TurnServerUnderTest.ADDRESS;
import static dev.turntable.itests.interop.TurnServerUnderTest.PASSWORD;
import static dev.turntable.itests.interop.TurnServerUnderTest.USER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ClientTransport;
import dev.turntable.benchmarks.load.TurnClient;
import dev.turntable.itests.KarafProcess;
import dev.turntable.itests.interop.TurntableAssembly.Settings;
import dev.turntable.itests.interop.Uclient.Totals;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Clients that come and go over each transport, well-behaved ones and others, leave nothing behind. With Netty's leak detector at its
 * strictest. Short by default; {@code -Dsoak.seconds=900} is what docs/benchmarks.md tells of.
 */
class SoakIT {
    private static final int SECONDS = Integer.getInteger("soak.seconds", 20);
    private static final int WARM_SECONDS = 10;
    /** What foreign clients leave behind lives no longer. */
    private static final int LIFETIME_SECONDS = 15;

    private static final Duration PATIENCE = Duration.ofSeconds(150);
    private static final int HEAP_SLACK_BYTES = 4 << 20;
    private static final String OPTIONS = "-u " + USER + " -w " + PASSWORD + " -n 20 -m 4 ";

    private static TurntableAssembly server;
    private final AtomicLong visits = new AtomicLong();
    private final EchoingPeer peer = EchoingPeer.open();

    SoakIT() throws IOException {}

    /**
     * What there is in a server without clients.
     *
     * @param heapBytes reachable
     */
    private record Rest(long descriptors, long heapBytes, long residentKilobytes) {}

    @BeforeAll
    static void start() throws Exception {
        ForeignProgram.require("turnutils_uclient");
        server = TurntableAssembly.start(
                Ports.own(3, true),
                new Settings(
                        Map.of(),
                        Map.of(
                                "allocationLifetimeSeconds",
                                LIFETIME_SECONDS,
                                "maxAllocationLifetimeSeconds",
                                LIFETIME_SECONDS),
                        "-Dio.netty.leakDetection.level=paranoid"));
        server.configureListeners(Map.of("unauthenticatedIdleSeconds", 10));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void clientsThatComeAndGoLeaveNothingBehind() throws Exception {
        comeAndGo(WARM_SECONDS);
        Rest before = rest();
        visits.set(0);
        comeAndGo(SECONDS);
        Rest after = rest();
        say(before, after);
        assertTrue(after.descriptors() <= before.descriptors() + 3, "descriptors");
        assertTrue(after.heapBytes() <= before.heapBytes() + HEAP_SLACK_BYTES, "heap");
        List<String> complaints = server.log()
                .lines()
                .filter(line -> line.contains("LEAK") || line.contains("| ERROR |"))
                .toList();
        assertEquals(List.of(), complaints);
    }

    private void comeAndGo(int seconds) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        ExecutorService threads = Executors.newCachedThreadPool();
        List<Future<?>> all = new ArrayList<>();
        for (ClientTransport transport : List.of(ClientTransport.UDP, ClientTransport.TCP, ClientTransport.TLS)) {
            all.add(threads.submit(until(end, turn -> call(transport, turn))));
        }
        all.add(threads.submit(until(end, this::callByForeignClient)));
        all.add(threads.submit(until(end, SoakIT::beRude)));
        threads.shutdown();
        for (Future<?> future : all) {
            future.get();
        }
    }

    private interface Visit {
        void pay(int turn) throws Exception;
    }

    private Callable<Void> until(long endNanos, Visit visit) {
        return () -> {
            for (int turn = 0; System.nanoTime() - endNanos < 0; turn++) {
                visit.pay(turn);
                visits.incrementAndGet();
            }
            return null;
        };
    }

    private void call(ClientTransport transport, int turn) throws IOException {
        int port = transport == ClientTransport.TLS ? server.tlsPort() : server.port();
        InetSocketAddress address = new InetSocketAddress(ADDRESS, port);
        try (TurnClient client = TurnClient.open(transport, address, USER, PASSWORD)) {
            client.allocate(LIFETIME_SECONDS, false);
            client.bindChannel(0x4000, peer.address());
            for (int i = 0; i < 5; i++) {
                byte[] payload = new byte[1 + i * 200];
                Arrays.fill(payload, (byte) (turn + i));
                client.sendOnChannel(0x4000, ByteBuffer.wrap(payload));
                assertEquals(
                        new TurnClient.Received.ChannelData(0x4000, ByteBuffer.wrap(payload)),
                        client.receive(Duration.ofSeconds(10)));
            }
            // Half of those on streams just go.
            if (transport == ClientTransport.UDP || turn % 2 == 0) {
                client.refresh(0);
            }
        }
    }

    private void callByForeignClient(int turn) throws Exception {
        String options = List.of("-S -y -c", "-T", "-t -S -y -c", "-T -S").get(turn % 4);
        int port = options.contains("-S") ? server.tlsPort() : server.port();
        Totals totals = Uclient.run(ADDRESS, port, OPTIONS + options);
        assertEquals(0, totals.lost(), options);
    }

    /** Neither STUN nor TLS, or nothing at all, and gone with or without a word. */
    private static void beRude(int turn) throws IOException, InterruptedException {
        byte[] bytes = new byte[turn * 37 % 3000];
        new Random(turn).nextBytes(bytes);
        byte[] request = "GET / HTTP/1.1\r\nHost: turn\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Socket socket =
                new Socket(InetAddress.getByName(ADDRESS), turn % 2 == 0 ? server.port() : server.tlsPort())) {
            socket.setSoTimeout(50);
            if (turn % 5 == 0) {
                socket.setSoLinger(true, 0);
            }
            socket.getOutputStream().write(turn % 3 == 0 ? request : bytes);
            int first = socket.getInputStream().read();
            // An alert of TLS is an answer.
            assertTrue(first < 0 || first == 21, "said " + first);
        } catch (java.net.SocketException | java.net.SocketTimeoutException e) {
            // Closed at once, or it waits for more.
        }
        Thread.sleep(20);
    }

    private static Rest rest() throws Exception {
        KarafProcess.await("no allocation, and no connection", PATIENCE, SoakIT::isIdle);
        jcmd("GC.run");
        String histogram = jcmd("GC.class_histogram");
        String total = histogram
                .lines()
                .filter(line -> line.startsWith("Total"))
                .findFirst()
                .orElseThrow();
        Path process = Path.of("/proc", String.valueOf(server.pid()));
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            String resident = Files.readAllLines(process.resolve("status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .findFirst()
                    .orElseThrow();
            return new Rest(
                    descriptors.count(),
                    Long.parseLong(total.trim().split("\\s+")[2]),
                    Long.parseLong(resident.replaceAll("\\D", "")));
        }
    }

    private static boolean isIdle() {
        Map<String, Integer> connections = new TreeMap<>();
        for (String line : server.shell("turn:listener-list --no-format").split("\n")) {
            String[] cells = line.split("\t", -1);
            if (cells.length == 11 && cells[8].strip().matches("\\d+")) {
                connections.merge(cells[0].strip(), Integer.parseInt(cells[8].strip()), Integer::sum);
            }
        }
        List<String> info = server.shell("turn:info --no-format")
                .lines()
                .map(line -> line.replaceAll("\\s+", " ").strip())
                .toList();
        return !connections.isEmpty()
                && connections.values().stream().allMatch(count -> count == 0)
                && info.containsAll(List.of("Allocations 0", "Permissions 0", "Channel bindings 0"));
    }

    private static String jcmd(String command) throws IOException, InterruptedException {
        ForeignProgram.Outcome outcome = ForeignProgram.run(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                        String.valueOf(server.pid()),
                        command),
                TurnServerUnderTest.workDirectory(),
                60);
        assertEquals(0, outcome.status(), outcome::output);
        return outcome.output();
    }

    @SuppressWarnings("SystemOut")
    private void say(Rest before, Rest after) {
        System.out.printf(
                Locale.ROOT, "SOAK %d s, %d visits, before %s, after %s%n", SECONDS, visits.get(), before, after);
    }
}
