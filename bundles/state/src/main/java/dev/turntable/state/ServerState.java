package dev.turntable.state;

import dev.turntable.api.ClientTransport;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of the server that outlives an engine: the workers and their tables, and what is server-wide. In a container a service
 * that {@link ServerComponent} registers; made directly by tests and embedders. Any thread, unless a method says otherwise.
 */
public final class ServerState {
    private static final Logger LOGGER = LoggerFactory.getLogger(ServerState.class);

    /** A server's end of a five-tuple. */
    private record LocalEnd(ClientTransport transport, InetSocketAddress local) {}

    private final LongSupplier nanoTime;
    private final long originNanos;
    private final DropReasons dropReasons = new DropReasons();
    private final CredentialSources credentialSources;
    private final NonceKeys nonceKeys = new NonceKeys();
    private final UserCounts userCounts = new UserCounts();
    private final PortPool ports;
    private final Reservations reservations;
    private final Worker[] workers;
    private final EngineSlot engineSlot;
    private final Warnings warnings;
    private final ConcurrentMap<LocalEnd, Integer> localEnds = new ConcurrentHashMap<>();
    private final AtomicInteger nextLocalEnd = new AtomicInteger();
    private volatile ServerConfiguration configuration;

    /**
     * Makes one from the keys of PID {@code dev.turntable.server}, without a source of credentials.
     *
     * @throws IllegalArgumentException where a value is bad; its message names the key
     */
    public ServerState(ServerKeys keys) {
        this(ServerConfigurationReader.read(keys), System::nanoTime);
    }

    /**
     * Makes one that no engine, loop or source is bound to yet.
     *
     * @param nanoTime monotonic, in nanoseconds, from any origin
     */
    public ServerState(ServerConfiguration configuration, LongSupplier nanoTime) {
        this(configuration, nanoTime, new CredentialSources());
    }

    ServerState(ServerConfiguration configuration, LongSupplier nanoTime, CredentialSources credentialSources) {
        this.configuration = configuration;
        this.nanoTime = nanoTime;
        this.credentialSources = credentialSources;
        originNanos = nanoTime.getAsLong();
        ports = new PortPool(configuration);
        reservations = new Reservations(ports);
        engineSlot = new EngineSlot(this);
        warnings = new Warnings(this);
        workers = new Worker[configuration.workers()];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(i, this);
        }
    }

    /** Puts in force what can change under calls; what cannot waits for a restart, and that is a warning. */
    void configure(ServerConfiguration wanted) {
        String waiting = ConfigurationChange.waitingForRestart(configuration, wanted);
        if (problem(ServerComponent.PID, waiting) && !waiting.isEmpty()) {
            LOGGER.warn("{}", waiting);
        }
        ServerConfiguration applied = ConfigurationChange.applied(configuration, wanted);
        if (!applied.equals(configuration)) {
            configuration = applied;
            LOGGER.info("configuration dev.turntable.server: what can change under calls has changed");
        }
    }

    /** What is in force now: values that may change while calls go on are not to be kept. One volatile read. */
    public ServerConfiguration configuration() {
        return configuration;
    }

    /**
     * What an operator should look at in a part of the server, for {@code turn:info}; it stays until it is replaced.
     *
     * @param part whose problem it is, of which it has one at a time; begins with a PID
     * @param problem one sentence that names the key; empty where there is none any more
     * @return whether it is another than before, so that it should be logged
     */
    public boolean problem(String part, String problem) {
        return warnings.setProblem(part, problem);
    }

    public int workerCount() {
        return workers.length;
    }

    public Worker worker(int index) {
        return workers[index];
    }

    /** Nanoseconds since this object was made, monotonic, never negative: the time that deadlines are in. */
    public long nanos() {
        return nanoTime.getAsLong() - originNanos;
    }

    public EngineSlot engineSlot() {
        return engineSlot;
    }

    public PortPool ports() {
        return ports;
    }

    public Reservations reservations() {
        return reservations;
    }

    public NonceKeys nonceKeys() {
        return nonceKeys;
    }

    public UserCounts userCounts() {
        return userCounts;
    }

    public DropReasons dropReasons() {
        return dropReasons;
    }

    public CredentialSources credentialSources() {
        return credentialSources;
    }

    /** A number for a server's end of five-tuples: the same for the same transport, local address and port, never used for another. */
    public int localEnd(ClientTransport transport, InetSocketAddress local) {
        return localEnds.computeIfAbsent(new LocalEnd(transport, local), end -> nextLocalEnd.getAndIncrement());
    }

    Warnings warnings() {
        return warnings;
    }
}
