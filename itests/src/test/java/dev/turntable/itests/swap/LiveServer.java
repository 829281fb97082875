package dev.turntable.itests.swap;

import dev.turntable.itests.KarafProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The ready distribution in a process of its own, without a network repository, and an operator at its shell. The listener is on
 * loopback, port {@code -Dswap.basePort} (28000) or a few above it; relayed addresses are on loopback addresses of their own, so
 * that no client has one of their ports.
 */
final class LiveServer implements AutoCloseable {
    static final String USER = "jack";
    static final String PASSWORD = "a-fifth-of-vinyl";
    static final int RELAYED_PORT_MIN = 20000;
    static final int RELAYED_PORT_MAX = 39999;

    private static final int BASE_PORT = Integer.getInteger("swap.basePort", 28000);
    /** What the build laid out for features that have nothing to do with us. */
    private static final Path NEIGHBOURS =
            Path.of(System.getProperty("build.directory"), "neighbours").toAbsolutePath();

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    private final KarafProcess karaf;
    private final int port;
    private final RelayVersions relayVersions;

    /** One line of {@code bundle:list}. */
    record BundleLine(long id, String state, String version, String name) {}

    private LiveServer(KarafProcess karaf, int port, Path versions) throws IOException {
        this.karaf = karaf;
        this.port = port;
        relayVersions = new RelayVersions(karaf.home().resolve("system"), versions);
    }

    /** The one that many tests share. */
    static LiveServer shared() throws IOException, InterruptedException {
        return start("swap", BASE_PORT, "127.0.0.28", "");
    }

    /**
     * One beside it, for a test that spoils it.
     *
     * @param javaOptions such as {@code -Dname=value}
     */
    static LiveServer own(String javaOptions) throws IOException, InterruptedException {
        return start("swap-own", BASE_PORT + 10, "127.0.0.29", javaOptions);
    }

    private static LiveServer start(String directory, int port, String relayedAddress, String javaOptions)
            throws IOException, InterruptedException {
        KarafProcess karaf = KarafProcess.assembly(directory);
        Path versions = Files.createDirectories(karaf.home().resolve("versions"));
        configure(karaf, versions, port, relayedAddress);
        karaf.javaOptions(javaOptions);
        LiveServer server = new LiveServer(karaf, port, versions);
        try {
            karaf.start();
            server.await("a listener", PATIENCE, server::isUp);
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
        return server;
    }

    private boolean isUp() {
        return shell("turn:listener-list").contains("LISTENING")
                && shell("turn:info").contains("users");
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    InetSocketAddress tlsAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port + 5);
    }

    KarafProcess karaf() {
        return karaf;
    }

    Path home() {
        return karaf.home();
    }

    Path etc(String file) {
        return home().resolve("etc").resolve(file);
    }

    /** Where a developer's build would put the relay. */
    Path localRepositoryRelay() {
        return relayVersions.inLocalRepository(home().resolve("empty-repository"));
    }

    RelayVersions relayVersions() {
        return relayVersions;
    }

    // The shell

    /** What a command prints, its errors too. Any thread. */
    String shell(String command) {
        return karaf.shell(command);
    }

    /** Our bundles by id. */
    Map<Long, BundleLine> bundles() {
        Map<Long, BundleLine> bundles = new TreeMap<>();
        for (List<String> row : karaf.table("bundle:list -t 0 -s")) {
            if (row.size() >= 5 && row.get(4).startsWith("dev.turntable.")) {
                long id = Long.parseLong(row.get(0));
                bundles.put(id, new BundleLine(id, row.get(1), row.get(3), row.get(4)));
            }
        }
        return bundles;
    }

    /** The one bundle of that name. */
    BundleLine bundle(String name) {
        List<BundleLine> found = bundles().values().stream()
                .filter(bundle -> bundle.name().equals(name))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError("not one " + name + ": " + found);
        }
        return found.get(0);
    }

    /** Version of the engine that judges packets now; empty while there is none. */
    String engine() {
        return engines().stream()
                .filter(EngineLine::current)
                .map(EngineLine::version)
                .findFirst()
                .orElse("");
    }

    /** One line of {@code turn:engine-list}. */
    record EngineLine(String version, long bundle, boolean current, int swaps, double gapMillis) {}

    /** Swaps since the server started. */
    int swaps() {
        return engines().get(0).swaps();
    }

    /** The newest first; the server remembers 32. */
    List<EngineLine> engines() {
        List<EngineLine> engines = new ArrayList<>();
        for (List<String> row : karaf.table("turn:engine-list")) {
            if (row.size() >= 6 && row.get(1).matches("\\d+")) {
                engines.add(new EngineLine(
                        row.get(0),
                        Long.parseLong(row.get(1)),
                        row.get(3).equals("yes"),
                        Integer.parseInt(row.get(4)),
                        Double.parseDouble(row.get(5))));
            }
        }
        return engines;
    }

    /** Live allocations; -1 where the server does not tell. */
    int allocations() {
        return karaf.table("turn:info").stream()
                .filter(row -> row.size() >= 2 && row.get(0).equals("Allocations"))
                .mapToInt(row -> Integer.parseInt(row.get(1)))
                .findFirst()
                .orElse(-1);
    }

    /** Of live allocations; may be changed. */
    Set<String> allocationIds() {
        return karaf.table("turn:allocation-list").stream()
                .map(row -> row.get(0))
                .filter(id -> id.matches("[0-9a-f]+-[0-9a-f]+"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Installs a bundle of ours from a file and gives its id. */
    long install(Path bundle) {
        String output = shell("bundle:install -s file:" + bundle);
        Matcher id = Pattern.compile("Bundle IDs?: *(\\d+)").matcher(output);
        if (!id.find()) {
            throw new AssertionError(output);
        }
        return Long.parseLong(id.group(1));
    }

    void addFeatures(String version) throws IOException {
        relayVersions.make(version);
        shell("feature:repo-add " + RelayVersions.features(version));
    }

    /** The relay's feature to that version, up or down; what the command printed. */
    String upgrade(String version) {
        return shell("feature:install --upgrade turntable-relay/" + version);
    }

    // The process

    /** What {@code jcmd} of the JDK says about the server. */
    String jcmd(String... command) throws IOException, InterruptedException {
        return karaf.jcmd(command);
    }

    long descriptors() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(karaf.pid()), "fd"))) {
            return files.count();
        }
    }

    /** The whole log. */
    String log() {
        return karaf.log();
    }

    /** What the log got since it had that length. */
    String logSince(int length) {
        return log().substring(length);
    }

    /** Lines that nobody should see in a run in which nothing went wrong. */
    static List<String> complaints(String log) {
        return log.lines()
                .filter(line -> line.matches(".*\\| (WARN |ERROR) \\|.*") || line.startsWith("\tat "))
                .toList();
    }

    void await(String what, Duration limit, BooleanSupplier condition) {
        KarafProcess.await(what, limit, condition);
    }

    void awaitEngine(String version) {
        await("engine " + version, Duration.ofSeconds(60), () -> engine().equals(version));
    }

    @Override
    public void close() {
        karaf.close();
    }

    // Making it

    private static void configure(KarafProcess karaf, Path versions, int port, String relayedAddress)
            throws IOException, InterruptedException {
        Path etc = karaf.home().resolve("etc");
        Files.writeString(etc.resolve("org.ops4j.pax.web.cfg"), "org.osgi.service.http.port = " + (port + 4) + "\n");
        append(
                etc.resolve("org.ops4j.pax.url.mvn.cfg"),
                "org.ops4j.pax.url.mvn.defaultRepositories = \\",
                "    file:" + karaf.home().resolve("system") + "@id=system@snapshots, \\",
                "    file:" + versions + "@id=versions@snapshots, \\",
                "    file:" + NEIGHBOURS + "@id=neighbours@snapshots");
        writePrivate(etc.resolve("turntable.users"), USER + ":" + PASSWORD + "\n");
        append(
                etc.resolve("dev.turntable.server.cfg"),
                "relayedAddressIPv4 = " + relayedAddress,
                "relayedAddressIPv6 = none",
                "relayedPortMin = " + RELAYED_PORT_MIN,
                "relayedPortMax = " + RELAYED_PORT_MAX,
                "engineAbsentWarnSeconds = 3");
        append(etc.resolve("dev.turntable.relay.cfg"), "realm = turntable.test", "peersAllow = 127.0.0.0/8");
        for (String protocol : List.of("udp", "tcp")) {
            append(
                    etc.resolve("dev.turntable.listener-" + protocol + ".cfg"),
                    "address = 127.0.0.1",
                    "port = " + port,
                    "protocols = " + protocol);
        }
        writeKeyStore(etc.resolve("turntable.p12"));
        writePrivate(etc.resolve("turntable.p12.password"), PASSWORD + "\n");
        append(
                etc.resolve("dev.turntable.listener-tls.cfg"),
                "address = 127.0.0.1",
                "port = " + (port + 5),
                "protocols = tls",
                "keyStoreFile = " + etc.resolve("turntable.p12"),
                "passwordFile = " + etc.resolve("turntable.p12.password"));
    }

    private static void writeKeyStore(Path file) throws IOException, InterruptedException {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        "turn",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        file.toString())
                .inheritIO()
                .start();
        if (keytool.waitFor() != 0) {
            throw new IOException("keytool ended with " + keytool.exitValue());
        }
    }

    /** The last value of a key wins, so appending is setting. */
    static void append(Path file, String... lines) throws IOException {
        Files.writeString(
                file, "\n" + String.join("\n", lines) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static void writePrivate(Path file, String text) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
    }
}
