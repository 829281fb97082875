package dev.turntable.itests;

import dev.turntable.api.ClientTransport;
import dev.turntable.benchmarks.load.EchoLoad;
import dev.turntable.benchmarks.load.TurnClient;
import dev.turntable.benchmarks.load.TurnError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A stock Karaf with the KAR in it, on loopback, where it lets peers be on loopback too. */
final class StockTurntable implements AutoCloseable, ExtensionContext.Store.CloseableResource {
    static final String SECRET = "the-groove-that-nobody-hears-3pJ0kQ";
    static final String USER = "jack";
    static final String PASSWORD = "a-fifth-of-vinyl-8sLw1x";
    /** Of the shell, with role viewer alone. */
    static final String VIEWER = "looker";

    static final String RELAY = "dev.turntable.relay";
    static final String LISTENER = "dev.turntable.listener-udp";
    static final String TCP_LISTENER = "dev.turntable.listener-tcp";

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final KarafProcess karaf;
    private final InetSocketAddress address;

    private StockTurntable(KarafProcess karaf, int port) {
        this.karaf = karaf;
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /**
     * Installs what was built; nothing is started.
     *
     * @param port of the listeners {@code udp} and {@code tcp}; relayed ports are the 200 from {@code port + 50}
     */
    static StockTurntable unpack(String directory, int port) throws IOException, InterruptedException {
        StockTurntable turntable = new StockTurntable(KarafProcess.stock(directory), port);
        // The framework holds the contents of jars softly; what a heap has shall not depend on how much room there is.
        turntable.karaf.javaOptions("-XX:SoftRefLRUPolicyMSPerMB=0");
        turntable.karaf.append("etc/users.properties", VIEWER + " = " + VIEWER + ",viewer,ssh\n");
        turntable.write(
                "dev.turntable.server",
                Map.of(
                        "workers",
                        2,
                        "relayedAddressIPv4",
                        "127.0.0.1",
                        "relayedAddressIPv6",
                        "none",
                        "relayedPortMin",
                        port + 50,
                        "relayedPortMax",
                        port + 249));
        turntable.write(RELAY, Map.of("realm", "turntable.test", "peersAllow", "127.0.0.0/8"));
        turntable.write(LISTENER, Map.of("address", "127.0.0.1", "port", port));
        turntable.write(TCP_LISTENER, Map.of("address", "127.0.0.1", "port", port, "protocols", "tcp"));
        turntable.writePrivate("turntable.secret", SECRET + "\n");
        turntable.writePrivate("turntable.users", USER + ":" + PASSWORD + "\n");
        return turntable;
    }

    /** Starts it with the KAR and waits until a user of the users file is served. */
    void start() throws IOException {
        karaf.drop(KarafProcess.BUILD.resolve("containers/turntable-features.kar"));
        karaf.start();
        awaitService();
    }

    void awaitService() {
        KarafProcess.await("an allocation", PATIENCE, this::serves);
    }

    /** Whether a user of the users file gets an allocation now. */
    boolean serves() {
        return serves(USER, PASSWORD);
    }

    boolean serves(String user, String password) {
        try (TurnClient client = TurnClient.open(address, user, password)) {
            if (!client.isAnswered(Duration.ofMillis(300))) {
                return false;
            }
            client.allocate(60, false);
            client.refresh(0);
            return true;
        } catch (TurnError e) {
            return false;
        } catch (IOException e) {
            return false;
        }
    }

    KarafProcess karaf() {
        return karaf;
    }

    InetSocketAddress address() {
        return address;
    }

    EchoLoad load(int allocations, int packetsPerSecond) throws IOException {
        return EchoLoad.open(new EchoLoad.Settings(
                ClientTransport.UDP,
                address,
                USER,
                PASSWORD,
                allocations,
                packetsPerSecond,
                160,
                false,
                InetAddress.getLoopbackAddress(),
                Duration.ofSeconds(4)));
    }

    Path etc(String file) {
        return karaf.home().resolve("etc").resolve(file);
    }

    /** Makes or replaces {@code etc/<pid>.cfg} at one stroke. */
    void write(String pid, Map<String, ?> values) throws IOException {
        StringBuilder text = new StringBuilder();
        values.forEach(
                (key, value) -> text.append(key).append(" = ").append(value).append('\n'));
        Path half = etc(pid + ".half");
        Files.writeString(half, text);
        Files.move(half, etc(pid + ".cfg"), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Changes keys of {@code etc/<pid>.cfg} in place, as an editor does, and appends those that it does not have. */
    void set(String pid, Map<String, ?> values) throws IOException {
        Path file = etc(pid + ".cfg");
        Map<String, Object> left = new LinkedHashMap<>(values);
        StringBuilder text = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            int equals = line.indexOf('=');
            Object value =
                    left.remove(equals < 0 ? "" : line.substring(0, equals).strip());
            text.append(value == null ? line : line.substring(0, equals) + "= " + value)
                    .append('\n');
        }
        left.forEach(
                (key, value) -> text.append(key).append(" = ").append(value).append('\n'));
        Files.writeString(file, text);
    }

    void writePrivate(String file, String text) throws IOException {
        Path path = etc(file);
        Files.deleteIfExists(path);
        Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(path, text);
    }

    /** The row of a listener in {@code turn:listener-list --no-format}, or null where there is none. */
    List<String> listener(String name) {
        return karaf.table("turn:listener-list").stream()
                .filter(row -> row.get(0).equals(name))
                .findFirst()
                .orElse(null);
    }

    @Override
    public void close() {
        karaf.close();
    }

    /** Starts one with the first test class that has it as a parameter and stops it after the last of the run. */
    static final class Shared implements ParameterResolver {
        private static final int PORT = Integer.getInteger("itests.port", 29000);

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == StockTurntable.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .getOrComputeIfAbsent(StockTurntable.class, type -> start(), StockTurntable.class);
        }

        private static StockTurntable start() {
            try {
                StockTurntable turntable = unpack("stock-turntable", PORT);
                try {
                    turntable.start();
                    return turntable;
                } catch (IOException | AssertionError e) {
                    turntable.close();
                    throw e;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
