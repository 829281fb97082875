package dev.turntable.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.benchmarks.load.EchoLoad;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Bundles and features that come and go under traffic leave nothing behind. {@code -Dlifecycle.rounds} says how often.
 *
 * <p>The container's shell keeps each Declarative Services that was uninstalled, for a converter that it registered. So those are
 * there without our feature, as in a container where others use them too.
 */
@ExtendWith(StockTurntable.Shared.class)
final class LifecycleIT {
    private static final int ROUNDS = Integer.getInteger("lifecycle.rounds", 10);
    private static final long FLAT_BYTES = 8L << 20;
    /** 127.0.0.1 as the kernel lists it. */
    private static final String LOOPBACK = "0100007F";

    private static final String TRANSPORT = "turntable-worker,turntable-listeners,turntable-door";

    private final StockTurntable turntable;
    private final KarafProcess karaf;
    private JMXConnector jmx;
    private int logBefore;

    LifecycleIT(StockTurntable turntable) {
        this.turntable = turntable;
        this.karaf = turntable.karaf();
    }

    @BeforeEach
    void connect() throws IOException {
        jmx = karaf.jmx();
        turntable.awaitService();
        logBefore = karaf.log().length();
    }

    @AfterEach
    void thereIsNoErrorInTheLog() throws IOException {
        jmx.close();
        bringBack();
        assertEquals(
                List.of(),
                linesOfLog().filter(line -> line.contains("| ERROR |")).toList());
    }

    /** What a test that failed left away must not fail the next. */
    private void bringBack() {
        Map<String, String> bundles = karaf.turntableBundles();
        if (bundles.isEmpty()) {
            karaf.shell("feature:install turntable");
        }
        bundles.forEach((name, state) -> {
            if (!state.equals("Active")) {
                karaf.shell("bundle:start " + name);
            }
        });
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ' ',
            value = {
                "dev.turntable.transport " + TRANSPORT,
                "dev.turntable.state " + TRANSPORT,
                "dev.turntable.relay turntable-relay",
                "dev.turntable.auth turntable-auth"
            })
    void aStoppedBundleLeavesNeitherThreadNorSocketAndServesAtOnceWhenStarted(String bundle, String threads)
            throws Exception {
        boolean callsGoOn = !threads.equals(TRANSPORT);
        List<String> names = List.of(threads.split(","));
        List<Long> heap = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            try (EchoLoad load = turntable.load(10, 100)) {
                load.start();
                Thread.sleep(200);
                assertEquals("", karaf.shell("bundle:stop " + bundle).strip());
                assertEquals(Set.of(), threads(names), "threads after round " + round);
                assertEquals(callsGoOn, !socketsInUse().isEmpty(), "sockets after round " + round);
                assertEquals(Set.of(), ownMBeans());
                assertEquals("", karaf.shell("bundle:start " + bundle).strip());
                KarafProcess.await("service again", Duration.ofSeconds(20), turntable::serves);
                EchoLoad.Report report = load.stop();
                if (callsGoOn) {
                    assertEquals(0, report.lost(), report.toString());
                }
            }
            heap.add(heapBytes());
        }
        assertFlat(heap);
    }

    @Test
    void anUninstalledFeatureLeavesNothingAndServesAtOnceWhenInstalledAgain() throws Exception {
        installDeclarativeServices();
        turntable.awaitService();
        List<Long> heap = new ArrayList<>();
        List<Long> loaders = new ArrayList<>();
        for (int round = 0; round < (ROUNDS + 2) / 3; round++) {
            try (EchoLoad load = turntable.load(10, 100)) {
                load.start();
                Thread.sleep(200);
                assertEquals("", karaf.shell("feature:uninstall turntable").strip());
                assertEquals(Map.of(), karaf.turntableBundles());
                assertEquals(Set.of(), threads(List.of("turntable-")), "threads after round " + round);
                assertEquals(Set.of(), socketsInUse());
                assertEquals(Set.of(), ownMBeans());
                assertEquals("", karaf.shell("feature:install turntable").strip());
                KarafProcess.await("service again", Duration.ofSeconds(60), turntable::serves);
                load.stop();
            }
            heap.add(heapBytes());
            loaders.add(karaf.bundleClassLoaders());
        }
        assertFlat(heap);
        assertEquals(loaders.get(0), loaders.get(loaders.size() - 1), loaders.toString());
    }

    private void installDeclarativeServices() throws IOException {
        assertEquals("", karaf.shell("feature:uninstall turntable").strip());
        try (Stream<Path> files = Files.walk(karaf.home().resolve("data/kar"))) {
            List<Path> bundles = files.filter(file -> file.getFileName()
                            .toString()
                            .matches("org\\.(osgi\\.service\\.component|apache\\.felix\\.scr)-.*jar"))
                    .sorted(Comparator.reverseOrder())
                    .toList();
            assertEquals(2, bundles.size(), bundles.toString());
            for (Path bundle : bundles) {
                String said = karaf.shell("bundle:install -s file:" + bundle);
                assertTrue(said.contains("Bundle ID"), said);
            }
        }
        assertEquals("", karaf.shell("feature:install turntable").strip());
    }

    @Test
    void thePortableTransportServesWhereItIsConfigured() throws Exception {
        assertEquals("epoll", turntable.listener("udp").get(5));
        karaf.shell("config:property-set -p dev.turntable.server ioTransport nio");
        try {
            awaitLine("takes effect at restart: ioTransport");
            restart("dev.turntable.state");
            assertEquals("nio", turntable.listener("udp").get(5));
            assertEquals(
                    1,
                    linesOfLog()
                            .filter(line -> line.contains("I/O transport: nio"))
                            .count());
            relays();
        } finally {
            karaf.shell("config:property-set -p dev.turntable.server ioTransport auto");
            restart("dev.turntable.state");
        }
        assertEquals("epoll", turntable.listener("udp").get(5));
    }

    @Test
    void thePortableTransportServesWhereTheNativeOneDoesNotLoad() throws Exception {
        // Read when the classes of Netty are loaded, so the bundle gets another class loader.
        karaf.shell("system:property io.netty.transport.noNative true");
        try {
            refreshTransport();
            assertEquals("nio", turntable.listener("udp").get(5));
            List<String> said = linesOfLog()
                    .filter(line -> line.contains("I/O transport: nio, because epoll does not load here"))
                    .toList();
            assertEquals(1, said.size(), said.toString());
            assertTrue(said.get(0).contains("| INFO "), said.toString());
            relays();
        } finally {
            karaf.shell("system:property io.netty.transport.noNative false");
            refreshTransport();
        }
        // A second class loader loads the native library too.
        assertEquals("epoll", turntable.listener("udp").get(5));
        relays();
    }

    private void relays() throws Exception {
        try (EchoLoad load = turntable.load(5, 100)) {
            load.start();
            Thread.sleep(1000);
            EchoLoad.Report report = load.stop();
            assertTrue(report.received() > 20, report.toString());
            assertEquals(0, report.lost(), report.toString());
        }
    }

    private void restart(String bundle) {
        karaf.shell("bundle:stop " + bundle);
        karaf.shell("bundle:start " + bundle);
        KarafProcess.await("service again", Duration.ofSeconds(20), turntable::serves);
    }

    private void refreshTransport() throws InterruptedException {
        karaf.shell("bundle:refresh dev.turntable.transport");
        // The refresh goes on after the command.
        Thread.sleep(2000);
        KarafProcess.await("service again", Duration.ofSeconds(20), turntable::serves);
    }

    private void awaitLine(String text) {
        KarafProcess.await(text, Duration.ofSeconds(20), () -> linesOfLog().anyMatch(line -> line.contains(text)));
    }

    private Stream<String> linesOfLog() {
        return karaf.log().substring(logBefore).lines();
    }

    private Set<String> threads(List<String> prefixes) throws IOException {
        ThreadMXBean threads = proxy(ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
        Set<String> found = new TreeSet<>();
        for (var thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null && prefixes.stream().anyMatch(thread.getThreadName()::startsWith)) {
                found.add(thread.getThreadName());
            }
        }
        return found;
    }

    /**
     * UDP ports of the listener and of relayed sockets that are bound in this network namespace. Other servers of a test run relay on other
     * loopback addresses.
     */
    private Set<Integer> socketsInUse() {
        int first = turntable.address().getPort();
        Set<Integer> ports = new TreeSet<>();
        for (String table : List.of("udp", "udp6")) {
            try (Stream<String> lines = Files.lines(Path.of("/proc/net", table))) {
                ports.addAll(lines.skip(1)
                        .map(line -> line.strip().split("\\s+")[1])
                        .filter(local -> local.substring(0, local.indexOf(':')).endsWith(LOOPBACK))
                        .map(local -> Integer.parseInt(local.substring(local.indexOf(':') + 1), 16))
                        .filter(port -> port >= first && port < first + 250)
                        .collect(Collectors.toSet()));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return ports;
    }

    private Set<String> ownMBeans() throws IOException {
        return jmx.getMBeanServerConnection().queryNames(null, null).stream()
                .map(Objects::toString)
                .filter(name -> name.contains("turntable") || name.contains("netty"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private long heapBytes() throws IOException {
        MemoryMXBean memory = proxy(ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }

    private <T> T proxy(String name, Class<T> type) throws IOException {
        return ManagementFactory.newPlatformMXBeanProxy(jmx.getMBeanServerConnection(), name, type);
    }

    /** The first round warms up. */
    private static void assertFlat(List<Long> heap) {
        if (heap.size() < 3) {
            return;
        }
        long growth = heap.get(heap.size() - 1) - heap.get(1);
        assertTrue(growth < FLAT_BYTES, "heap in bytes after each round: " + heap);
        System.out.println("heap in bytes after each round: " + heap);
    }
}
