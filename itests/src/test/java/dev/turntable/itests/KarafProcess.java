package dev.turntable.itests;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * A Karaf as an operator has it: unpacked from a distribution, started by its own script, spoken to through its shell.
 * It cannot reach a network repository, and its local repository is empty.
 */
public final class KarafProcess implements AutoCloseable {
    static final Path BUILD = Path.of(System.getProperty("build.directory"));
    private static final Duration START = Duration.ofMinutes(4);
    private static final int ATTEMPTS = 3;

    private final Path home;
    private final int sshPort = freePort();
    private final int rmiRegistryPort = freePort();
    private final int rmiServerPort = freePort();
    private final Map<String, RemoteShell> shells = new HashMap<>();
    private String javaOptions = "";
    private Process process;

    private KarafProcess(Path home) throws IOException {
        this.home = home;
    }

    /** The distribution that Apache ships, with the user {@code karaf} that it has commented out. */
    static KarafProcess stock(String directory) throws IOException, InterruptedException {
        KarafProcess karaf = unpack("apache-karaf.tar.gz", directory);
        karaf.append(
                "etc/users.properties",
                "karaf = karaf,_g_:admingroup\n_g_\\:admingroup = group,admin,manager,viewer,systembundles,ssh\n");
        return karaf;
    }

    /** The distribution that {@code karaf-assembly} makes. */
    public static KarafProcess assembly(String directory) throws IOException, InterruptedException {
        return unpack("turntable-karaf.tar.gz", directory);
    }

    private static KarafProcess unpack(String distribution, String directory) throws IOException, InterruptedException {
        Path home = BUILD.resolve(directory);
        delete(home);
        Files.createDirectories(home);
        run(List.of(
                "tar",
                "-xzf",
                BUILD.resolve("containers").resolve(distribution).toString(),
                "--strip-components=1",
                "-C",
                home.toString()));
        KarafProcess karaf = new KarafProcess(home);
        karaf.append("etc/org.apache.karaf.shell.cfg", "sshHost = 127.0.0.1\nsshPort = " + karaf.sshPort + "\n");
        karaf.append(
                "etc/org.apache.karaf.management.cfg",
                "rmiRegistryPort = " + karaf.rmiRegistryPort + "\nrmiServerPort = " + karaf.rmiServerPort + "\n");
        Path empty = Files.createDirectories(home.resolve("empty-repository"));
        karaf.append(
                "etc/org.ops4j.pax.url.mvn.cfg",
                "org.ops4j.pax.url.mvn.repositories =\norg.ops4j.pax.url.mvn.localRepository = " + empty + "\n");
        return karaf;
    }

    public Path home() {
        return home;
    }

    /** The last value of a key wins, so appending is setting. */
    public void append(String file, String lines) throws IOException {
        Path path = home.resolve(file);
        Files.writeString(path, Files.readString(path) + "\n" + lines);
    }

    /** Of the JVM that {@link #start()} will make, such as {@code -Dname=value}. */
    public void javaOptions(String options) {
        javaOptions = options;
    }

    /** Put into {@code deploy}, as an operator does it. */
    void drop(Path archive) throws IOException {
        Path file = home.resolve("deploy").resolve(archive.getFileName());
        // Under another name first: the scanner must not find half a file.
        Path half = home.resolve("deploy").resolve("." + archive.getFileName() + ".part");
        Files.copy(archive, half, StandardCopyOption.REPLACE_EXISTING);
        Files.move(half, file, StandardCopyOption.ATOMIC_MOVE);
    }

    public void start() throws IOException {
        ProcessBuilder builder =
                new ProcessBuilder(home.resolve("bin/karaf").toString(), "server").redirectErrorStream(true);
        environment(builder);
        builder.environment().put("KARAF_EXEC", "exec");
        builder.environment().put("EXTRA_JAVA_OPTS", javaOptions);
        builder.redirectOutput(home.resolve("console.log").toFile());
        process = builder.start();
        await("a shell", START, () -> shell("bundle:list").contains("START LEVEL"));
    }

    /** What the commands print, up to the first that fails. Empty while the shell is not there. */
    public String shell(String... commands) {
        return shellAs("karaf", "karaf", commands);
    }

    /** As another user of {@code etc/users.properties}. */
    String shellAs(String user, String password, String... commands) {
        return shells.computeIfAbsent(user, name -> new RemoteShell(sshPort, name, password))
                .run(String.join("\n", commands));
    }

    /**
     * The cells of what a command prints with {@code --no-format}. The command changes nothing: silence may be the session's, so it is
     * asked again.
     */
    public List<List<String>> table(String command) {
        String printed = "";
        for (int attempt = 0; attempt < ATTEMPTS && printed.isEmpty(); attempt++) {
            printed = shell(command + " --no-format");
        }
        return printed.lines()
                .map(line ->
                        Arrays.stream(line.split("\t", -1)).map(String::strip).toList())
                .toList();
    }

    /** State of each of our bundles by symbolic name. */
    Map<String, String> turntableBundles() {
        Map<String, String> states = new TreeMap<>();
        for (List<String> row : table("bundle:list -t 0 -s")) {
            if (row.size() >= 5 && row.get(4).startsWith("dev.turntable.")) {
                states.put(row.get(4), row.get(1));
            }
        }
        return states;
    }

    /** Names of the features that somebody asked for, not of those that came along. */
    Set<String> requiredFeatures() {
        Set<String> names = new TreeSet<>();
        for (List<String> row : table("feature:list -r")) {
            if (row.size() >= 4) {
                names.add(row.get(0));
            }
        }
        return names;
    }

    /** Management of the container as administrator; to be closed. */
    @SuppressWarnings("BanJNDI") // What answers is this test's own container.
    public JMXConnector jmx() throws IOException {
        return JMXConnectorFactory.connect(
                new JMXServiceURL("service:jmx:rmi://127.0.0.1:" + rmiServerPort + "/jndi/rmi://127.0.0.1:"
                        + rmiRegistryPort + "/karaf-root"),
                Map.of(JMXConnector.CREDENTIALS, new String[] {"karaf", "karaf"}));
    }

    /** The log since the container's first start. */
    public String log() {
        try {
            return Files.readString(home.resolve("data/log/karaf.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Asks it to end, as an operating system does; whether it did so within a minute. */
    public boolean end() throws InterruptedException {
        process.destroy();
        return process.waitFor(1, TimeUnit.MINUTES);
    }

    /** Of the JVM: the script was replaced by it. */
    public long pid() {
        return process.pid();
    }

    /** What {@code jcmd} of the JDK says about the container. */
    public String jcmd(String... command) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>();
        whole.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        whole.add(String.valueOf(pid()));
        whole.addAll(List.of(command));
        Process process = new ProcessBuilder(whole).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(whole + ": " + output);
        }
        return output;
    }

    /** Class loaders of bundles that are reachable: those that are there, and those that somebody keeps though they went. */
    long bundleClassLoaders() throws IOException, InterruptedException {
        // Twice: what a reference queue lets go of goes with the second.
        jcmd("GC.run");
        jcmd("GC.run");
        return jcmd("GC.class_histogram")
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(columns -> columns.length >= 4 && columns[3].endsWith("BundleWiringImpl$BundleClassLoader"))
                .mapToLong(columns -> Long.parseLong(columns[1]))
                .sum();
    }

    public static void await(String what, Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not there after " + limit.toSeconds() + " s: " + what);
            }
            try {
                Thread.sleep(500);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        shells.values().forEach(RemoteShell::close);
        shells.clear();
        if (process == null) {
            return;
        }
        process.destroy();
        try {
            // A Karaf may ignore the request.
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static void environment(ProcessBuilder builder) {
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().keySet().removeIf(name -> name.startsWith("KARAF_"));
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(command + ": " + output);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void delete(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        List<Path> paths = new ArrayList<>();
        try (var walk = Files.walk(directory)) {
            walk.forEach(paths::add);
        }
        for (int i = paths.size() - 1; i >= 0; i--) {
            Files.delete(paths.get(i));
        }
    }
}
