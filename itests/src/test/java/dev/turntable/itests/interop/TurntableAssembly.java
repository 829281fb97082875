package dev.turntable.itests.interop;

import dev.turntable.benchmarks.load.TurnClient;
import dev.turntable.benchmarks.load.TurnError;
import dev.turntable.itests.RemoteShell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The ready distribution as an operator unpacks it, with configuration files written before its first start. Most tests share one;
 * a test of other settings has one for itself.
 */
final class TurntableAssembly implements TurnServerUnderTest {
    private static final String LEGACY_CHANNELS = "legacyChannelNumbers";

    private static final Duration PATIENCE = Duration.ofSeconds(180);

    private final Ports.OfAssembly ports;
    private final Path home;
    private final Process process;
    private final RemoteShell shell;

    /** What is not as in the assembly that most tests share: keys of the PIDs, and options of its JVM. */
    record Settings(Map<String, ?> server, Map<String, ?> relay, String javaOptions) {
        static Settings ordinary() {
            return new Settings(Map.of(), Map.of(), "");
        }
    }

    private TurntableAssembly(Ports.OfAssembly ports, Path home, Process process) {
        this.ports = ports;
        this.home = home;
        this.process = process;
        shell = new RemoteShell(ports.ssh(), "karaf", "karaf");
    }

    static TurntableAssembly start() throws IOException, InterruptedException {
        return start(Ports.shared(), Settings.ordinary());
    }

    /** Returns when it answers and knows its users. */
    static TurntableAssembly start(Ports.OfAssembly ports, Settings settings) throws IOException, InterruptedException {
        Path home = unpack();
        configure(home.resolve("etc"), ports, settings);
        Path log = home.resolve("console.log");
        ProcessBuilder builder = new ProcessBuilder("bin/karaf", "server")
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        // The script is replaced by the JVM, so that its pid is the server's.
        builder.environment().put("KARAF_EXEC", "exec");
        builder.environment().put("EXTRA_JAVA_OPTS", settings.javaOptions());
        TurntableAssembly server = new TurntableAssembly(ports, home, builder.start());
        try {
            TurnServerUnderTest.awaitAnswer(server.port(), server.process, PATIENCE);
            server.awaitUsers();
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
        return server;
    }

    @Override
    public int port() {
        return ports.stun();
    }

    @Override
    public int tlsPort() {
        return ports.tls();
    }

    @Override
    public int restPort() {
        return ports.stun();
    }

    @Override
    public void offerLegacyChannelNumbers(boolean offered) throws IOException {
        configureRelay(Map.of(LEGACY_CHANNELS, offered));
    }

    /** Changes keys of the relay while it runs; in force a moment after the return. */
    void configureRelay(Map<String, ?> keys) throws IOException {
        set(home.resolve("etc/dev.turntable.relay.cfg"), keys);
    }

    /** The same for each listener. */
    void configureListeners(Map<String, ?> keys) throws IOException {
        for (String listener : List.of("udp", "tcp", "tls")) {
            set(home.resolve("etc/dev.turntable.listener-" + listener + ".cfg"), keys);
        }
    }

    /** What the commands print, as an administrator. */
    String shell(String commands) {
        return shell.run(commands);
    }

    /** The log since the start. */
    String log() throws IOException {
        return Files.readString(home.resolve("data/log/karaf.log"));
    }

    /** Of the JVM: the script was replaced by it. */
    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        shell.close();
        ForeignProgram.stop(process);
    }

    /** Binding needs no credentials: they come a moment after it. */
    private void awaitUsers() throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try (TurnClient client = TurnClient.open(address(), USER, PASSWORD)) {
                client.allocate(60, false);
                client.refresh(0);
                return;
            } catch (TurnError e) {
                if (!process.isAlive() || System.nanoTime() - end > 0) {
                    throw e;
                }
            }
            Thread.sleep(100);
        }
    }

    private static Path unpack() throws IOException, InterruptedException {
        Path module = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
        Path archive;
        try (Stream<Path> files = Files.list(module.resolve("../karaf-assembly/target"))) {
            archive = files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("karaf-assembly has not been built"));
        }
        Path directory = TurnServerUnderTest.workDirectory();
        Files.createDirectories(directory);
        Path home = Files.createTempDirectory(directory, "assembly-");
        ForeignProgram.Outcome outcome = ForeignProgram.run(
                List.of("tar", "-xzf", archive.toString(), "-C", home.toString(), "--strip-components=1"),
                directory,
                60);
        if (outcome.status() != 0) {
            throw new IOException(outcome.output());
        }
        return home;
    }

    private static void configure(Path etc, Ports.OfAssembly ports, Settings settings)
            throws IOException, InterruptedException {
        if (ports.tls() != 0) {
            TestAuthority.writeServerFiles(etc);
            set(
                    etc.resolve("dev.turntable.listener-tls.cfg"),
                    Map.of(
                            "protocols",
                            "tls, dtls",
                            "address",
                            ADDRESS + ", " + ADDRESS_IPV6,
                            "port",
                            ports.tls(),
                            "certificateFile",
                            etc.resolve("turntable.pem"),
                            "keyFile",
                            etc.resolve("turntable.key")));
        }
        set(etc.resolve("org.apache.karaf.shell.cfg"), Map.of("sshHost", ADDRESS, "sshPort", ports.ssh()));
        set(
                etc.resolve("org.apache.karaf.management.cfg"),
                Map.of("rmiRegistryPort", ports.rmiRegistry(), "rmiServerPort", ports.rmiServer()));
        set(etc.resolve("org.ops4j.pax.web.cfg"), Map.of("org.osgi.service.http.port", ports.http()));

        writePrivate(etc.resolve("turntable.secret"), SECRET + "\n");
        writePrivate(etc.resolve("turntable.users"), USER + ":" + PASSWORD + "\n");

        set(
                etc.resolve("dev.turntable.server.cfg"),
                Map.of(
                        "relayedAddressIPv4",
                        ADDRESS,
                        "relayedAddressIPv6",
                        ADDRESS_IPV6,
                        "relayedPortMin",
                        ports.relayedMin(),
                        "relayedPortMax",
                        ports.relayedMax()));
        set(etc.resolve("dev.turntable.server.cfg"), settings.server());
        set(
                etc.resolve("dev.turntable.relay.cfg"),
                Map.of("realm", REALM, "peersAllow", "127.0.0.0/8, ::1/128", LEGACY_CHANNELS, true));
        set(etc.resolve("dev.turntable.relay.cfg"), settings.relay());
        for (String protocol : List.of("udp", "tcp")) {
            set(
                    etc.resolve("dev.turntable.listener-" + protocol + ".cfg"),
                    Map.of("protocols", protocol, "address", ADDRESS + ", " + ADDRESS_IPV6, "port", ports.stun()));
        }
    }

    /** Changes keys of a file in place, as an operator's editor does, and appends those that it does not have. */
    private static void set(Path file, Map<String, ?> values) throws IOException {
        Map<String, Object> left = new LinkedHashMap<>(values);
        StringBuilder text = new StringBuilder();
        for (String line : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
            int equals = line.indexOf('=');
            String key = equals < 0 ? "" : line.substring(0, equals).trim();
            Object value = left.remove(key);
            text.append(value == null ? line : key + " = " + value).append('\n');
        }
        left.forEach((key, value) -> text.append(key + " = " + value + "\n"));
        Files.writeString(file, text);
    }

    private static void writePrivate(Path file, String text) throws IOException {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
    }
}
