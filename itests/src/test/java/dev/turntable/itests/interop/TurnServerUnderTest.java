package dev.turntable.itests.interop;

import dev.turntable.benchmarks.load.TurnClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The server that foreign clients are let loose on; one for all test classes of a run, on loopback, where it lets peers be
 * on loopback too.
 *
 * <p>It is the Turntable assembly, unless {@code -Dinterop.server=coturn} puts Debian's {@code turnserver} in its place:
 * the control that shows that the tests themselves are sound.
 */
interface TurnServerUnderTest extends ExtensionContext.Store.CloseableResource {
    String REALM = "turntable.test";
    String USER = "jack";
    String PASSWORD = "a-fifth-of-vinyl";
    String SECRET = "the-needle-and-the-groove";
    String ADDRESS = "127.0.0.1";
    String ADDRESS_IPV6 = "::1";

    /** Where {@link #USER} has {@link #PASSWORD}, on {@link #ADDRESS} and {@link #ADDRESS_IPV6}. */
    int port();

    /** Where TLS and DTLS are spoken, with a certificate of {@link TestAuthority}. */
    int tlsPort();

    /** Where TURN REST credentials made with {@link #SECRET} are taken. */
    int restPort();

    /**
     * Whether clients get the channel numbers of RFC 5766 §11 that RFC 8656 §12 no longer has. They do from the start,
     * because {@code turnutils_uclient} chooses from them. In force a moment after the return.
     */
    void offerLegacyChannelNumbers(boolean offered) throws IOException;

    @Override
    void close();

    default InetSocketAddress address() {
        return new InetSocketAddress(loopback(false), port());
    }

    static Path workDirectory() {
        return Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("target/interop");
    }

    static InetAddress loopback(boolean ipv6) {
        try {
            byte[] raw = ipv6 ? new byte[16] : new byte[] {127, 0, 0, 0};
            raw[raw.length - 1] = 1;
            return InetAddress.getByAddress(raw);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns when the server answers Binding requests on the port, over both address families. */
    static void awaitAnswer(int port, Process server, Duration patience) throws IOException, InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        for (boolean ipv6 : new boolean[] {false, true}) {
            while (!answers(new InetSocketAddress(loopback(ipv6), port))) {
                if (!server.isAlive()) {
                    throw new IOException("the server ended with " + server.exitValue());
                }
                if (System.nanoTime() - end > 0) {
                    throw new IOException("no answer on port " + port + " after " + patience);
                }
                Thread.sleep(100);
            }
        }
    }

    private static boolean answers(InetSocketAddress address) throws IOException {
        try (TurnClient client = TurnClient.open(address, "", "")) {
            return client.isAnswered(Duration.ofMillis(300));
        }
    }

    /** Starts the server with the first test that has it as a parameter and stops it after the last test of the run. */
    final class Shared implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == TurnServerUnderTest.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return context.getRoot()
                    .getStore(ExtensionContext.Namespace.GLOBAL)
                    .getOrComputeIfAbsent(TurnServerUnderTest.class, type -> start());
        }

        private static TurnServerUnderTest start() {
            try {
                return "coturn".equals(System.getProperty("interop.server"))
                        ? CoturnServer.start()
                        : TurntableAssembly.start();
            } catch (IOException e) {
                throw new IllegalStateException("the server under test did not start", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }
}
