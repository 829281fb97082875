package dev.turntable.itests.swap;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ChannelExec;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.keyverifier.AcceptAllServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;

/**
 * The ready distribution in a process of its own, without a network repository, and an operator at its shell: one SSH
 * connection, over which a command takes milliseconds. Ports on loopback: {@code -Dswap.basePort} (28000) and the twenty
 * above it; relayed addresses are on loopback addresses of their own, so that no client has one of their ports.
 */
final class LiveServer implements AutoCloseable {
    static final String USER = "jack";
    static final String PASSWORD = "a-fifth-of-vinyl";
    static final int RELAYED_PORT_MIN = 20000;
    static final int RELAYED_PORT_MAX = 39999;

    private static final int BASE_PORT = Integer.getInteger("swap.basePort", 28000);
    /** What the build laid out for features that have nothing to do with us. */
    private static final Path NEIGHBOURS = Path.of(System.getProperty("basedir", "."), "target/neighbours");

    private static final Duration COMMAND = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** Of the listener; the shell has the next. */
    private final int port;

    private final Path home;
    private final Process process;
    private final SshClient ssh = SshClient.setUpDefaultClient();
    private ClientSession session;
    private RelayVersions relayVersions;

    /** One line of {@code bundle:list}. */
    record BundleLine(long id, String state, String version, String name) {}

    private LiveServer(int port, Path home, Process process) {
        this.port = port;
        this.home = home;
        this.process = process;
        ssh.setServerKeyVerifier(AcceptAllServerKeyVerifier.INSTANCE);
        // Nothing of whoever runs the test.
        ssh.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        ssh.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        ssh.start();
    }

    /** The one that many tests share. */
    static LiveServer shared() throws IOException, InterruptedException {
        return start(BASE_PORT, "127.0.0.28");
    }

    /**
     * One beside it, for a test that spoils it.
     *
     * @param javaOptions such as {@code -Dname=value}
     */
    static LiveServer own(String... javaOptions) throws IOException, InterruptedException {
        return start(BASE_PORT + 10, "127.0.0.29", javaOptions);
    }

    private static LiveServer start(int port, String relayedAddress, String... javaOptions)
            throws IOException, InterruptedException {
        Path home = unpack();
        Path repository = Files.createDirectories(home.resolve("versions"));
        configure(home, repository, port, relayedAddress);
        ProcessBuilder builder = new ProcessBuilder(home.resolve("bin/karaf").toString(), "server")
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.resolve("console.log").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("KARAF_"));
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        // The script is replaced by the JVM, so that its pid is the server's.
        builder.environment().put("KARAF_EXEC", "exec");
        builder.environment().put("EXTRA_JAVA_OPTS", String.join(" ", javaOptions));
        LiveServer server = new LiveServer(port, home, builder.start());
        try {
            server.await("a listener and a shell", PATIENCE, server::isUp);
            server.relayVersions = new RelayVersions(home.resolve("system"), repository);
        } catch (IOException | RuntimeException | Error e) {
            server.close();
            throw e;
        }
        return server;
    }

    private boolean isUp() {
        try {
            return shell("turn:listener-list").contains("LISTENING")
                    && shell("turn:info").contains("users");
        } catch (IOException e) {
            return false;
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    Path home() {
        return home;
    }

    Path etc(String file) {
        return home.resolve("etc").resolve(file);
    }

    /** Where a developer's build would put the relay. */
    Path localRepositoryRelay() {
        return relayVersions.inLocalRepository(home.resolve("local-repository"));
    }

    RelayVersions relayVersions() {
        return relayVersions;
    }

    Process process() {
        return process;
    }

    // The shell

    /** In a session of its own, while another command runs. */
    String shellBeside(String command) {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (ClientSession own = connect();
                ChannelExec channel = own.createExecChannel(command)) {
            channel.setOut(output);
            channel.setErr(output);
            channel.open().verify(Duration.ofSeconds(20));
            channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), COMMAND);
            return output.toString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a command prints, its errors too. */
    synchronized String shell(String command) throws IOException {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (ChannelExec channel = open(command, output)) {
            if (channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), COMMAND).contains(ClientChannelEvent.TIMEOUT)) {
                throw new IOException("no end of " + command + ": " + output.toString(StandardCharsets.UTF_8));
            }
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    /** The server ends a session when it likes: until a channel is open nothing has been done, and it may be tried again. */
    private ChannelExec open(String command, ByteArrayOutputStream output) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                ChannelExec channel = session().createExecChannel(command);
                channel.setOut(output);
                channel.setErr(output);
                channel.open().verify(Duration.ofSeconds(20));
                return channel;
            } catch (IOException e) {
                session = null;
                if (attempt == 3 || !process.isAlive()) {
                    throw e;
                }
            }
        }
    }

    private ClientSession session() throws IOException {
        if (session == null || !session.isOpen()) {
            session = connect();
        }
        return session;
    }

    private ClientSession connect() throws IOException {
        ClientSession made = ssh.connect("karaf", "127.0.0.1", port + 1)
                .verify(Duration.ofSeconds(20))
                .getSession();
        made.addPasswordIdentity("karaf");
        made.auth().verify(Duration.ofSeconds(20));
        return made;
    }

    /** Our bundles by id. */
    Map<Long, BundleLine> bundles() throws IOException {
        Map<Long, BundleLine> bundles = new TreeMap<>();
        for (String line : shell("bundle:list -t 0 -s --no-format").split("\n")) {
            String[] columns = line.trim().split("\\t");
            if (columns.length >= 5 && columns[4].startsWith("dev.turntable.")) {
                long id = Long.parseLong(columns[0].trim());
                bundles.put(id, new BundleLine(id, columns[1].trim(), columns[3].trim(), columns[4].trim()));
            }
        }
        return bundles;
    }

    /** The one bundle of that name. */
    BundleLine bundle(String name) throws IOException {
        List<BundleLine> found = bundles().values().stream()
                .filter(bundle -> bundle.name().equals(name))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError("not one " + name + ": " + found);
        }
        return found.get(0);
    }

    /** Version of the engine that judges packets now; empty while there is none. */
    String engine() throws IOException {
        for (EngineLine line : engines()) {
            if (line.current()) {
                return line.version();
            }
        }
        return "";
    }

    /** One line of {@code turn:engine-list}. */
    record EngineLine(String version, long bundle, boolean current, double gapMillis) {}

    /** The newest first. */
    List<EngineLine> engines() throws IOException {
        List<EngineLine> engines = new ArrayList<>();
        for (String line : shell("turn:engine-list --no-format").split("\n")) {
            String[] columns = line.trim().split("\\t");
            if (columns.length >= 6 && columns[1].trim().matches("\\d+")) {
                engines.add(new EngineLine(
                        columns[0].trim(),
                        Long.parseLong(columns[1].trim()),
                        columns[3].trim().equals("yes"),
                        Double.parseDouble(columns[5].trim())));
            }
        }
        return engines;
    }

    /** Installs a bundle of ours from a file and gives its id. */
    long install(Path bundle) throws IOException {
        String output = shell("bundle:install -s file:" + bundle);
        Matcher id = Pattern.compile("Bundle IDs?: *(\\d+)").matcher(output);
        if (!id.find()) {
            throw new AssertionError(output);
        }
        return Long.parseLong(id.group(1));
    }

    // The process

    /** What {@code jcmd} of the JDK says about the server. */
    String jcmd(String... command) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>();
        whole.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        whole.add(String.valueOf(process.pid()));
        whole.addAll(List.of(command));
        return run(whole);
    }

    long descriptors() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc", String.valueOf(process.pid()), "fd"))) {
            return files.count();
        }
    }

    /** The whole log. */
    String log() throws IOException {
        return Files.readString(home.resolve("data/log/karaf.log"));
    }

    /** What the log got since it had that length. */
    String logSince(int length) throws IOException {
        return log().substring(length);
    }

    /** Lines that nobody should see in a run in which nothing went wrong. */
    static List<String> complaints(String log) {
        return log.lines()
                .filter(line -> line.matches(".*\\| (WARN |ERROR) \\|.*") || line.startsWith("\tat "))
                .toList();
    }

    void await(String what, Duration limit, BooleanSupplier condition) throws InterruptedException, IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (!process.isAlive()) {
                throw new IOException("the server ended with " + process.exitValue());
            }
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not there after " + limit.toSeconds() + " s: " + what);
            }
            Thread.sleep(100);
        }
    }

    void awaitEngine(String version) throws InterruptedException, IOException {
        await("engine " + version, Duration.ofSeconds(60), () -> {
            try {
                return engine().equals(version);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    @Override
    public void close() {
        ssh.stop();
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    // Making it

    private static Path unpack() throws IOException, InterruptedException {
        Path module = Path.of(System.getProperty("basedir", ".")).toAbsolutePath();
        Path archive;
        try (Stream<Path> files = Files.list(module.resolve("../karaf-assembly/target"))) {
            archive = files.filter(file -> file.toString().endsWith(".tar.gz"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("karaf-assembly has not been built"));
        }
        Path directory = Files.createDirectories(module.resolve("target/swap"));
        Path home = Files.createTempDirectory(directory, "karaf-");
        run(List.of("tar", "-xzf", archive.toString(), "-C", home.toString(), "--strip-components=1"));
        return home;
    }

    private static void configure(Path home, Path repository, int port, String relayedAddress) throws IOException {
        Path etc = home.resolve("etc");
        append(etc.resolve("org.apache.karaf.shell.cfg"), "sshHost = 127.0.0.1", "sshPort = " + (port + 1));
        append(
                etc.resolve("org.apache.karaf.management.cfg"),
                "rmiRegistryPort = " + (port + 2),
                "rmiServerPort = " + (port + 3));
        Files.writeString(etc.resolve("org.ops4j.pax.web.cfg"), "org.osgi.service.http.port = " + (port + 4) + "\n");
        append(
                etc.resolve("org.ops4j.pax.url.mvn.cfg"),
                "org.ops4j.pax.url.mvn.repositories =",
                "org.ops4j.pax.url.mvn.localRepository = " + Files.createDirectories(home.resolve("local-repository")),
                "org.ops4j.pax.url.mvn.defaultRepositories = \\",
                "    file:" + home.resolve("system") + "@id=system@snapshots, \\",
                "    file:" + repository + "@id=versions@snapshots, \\",
                "    file:" + NEIGHBOURS.toAbsolutePath() + "@id=neighbours@snapshots");
        writePrivate(etc.resolve("turntable.users"), USER + ":" + PASSWORD + "\n");
        append(
                etc.resolve("dev.turntable.server.cfg"),
                "relayedAddressIPv4 = " + relayedAddress,
                "relayedAddressIPv6 = none",
                "relayedPortMin = " + RELAYED_PORT_MIN,
                "relayedPortMax = " + RELAYED_PORT_MAX,
                "engineAbsentWarnSeconds = 3");
        append(etc.resolve("dev.turntable.relay.cfg"), "realm = turntable.test", "peersAllow = 127.0.0.0/8");
        append(etc.resolve("dev.turntable.listener-udp.cfg"), "address = 127.0.0.1", "port = " + port);
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

    private static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + ": " + output);
        }
        return output;
    }
}
