package dev.turntable.state;

import dev.turntable.api.ClientTransport;
import dev.turntable.api.auth.CredentialSource;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of the server that outlives an engine: the workers and their tables, and what is server-wide. In a container the component
 * of PID {@code dev.turntable.server}, registered as a service; made directly by tests and embedders. Any thread, unless a method says
 * otherwise.
 */
@Component(
        service = ServerState.class,
        configurationPid = ServerState.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true)
@Designate(ocd = ServerKeys.class)
public final class ServerState {
    static final String PID = "dev.turntable.server";

    private static final Logger LOGGER = LoggerFactory.getLogger(ServerState.class);

    /** A server's end of a five-tuple. */
    private record LocalEnd(ClientTransport transport, InetSocketAddress local) {}

    private final LongSupplier nanoTime;
    private final long originNanos;
    private final DropReasons dropReasons = new DropReasons();
    private final CredentialSources credentialSources = new CredentialSources();
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
     * For the container.
     *
     * @throws IllegalArgumentException where a value is bad; its message names the key
     */
    @Activate
    public ServerState(ServerKeys keys) {
        this(ServerConfigurationReader.read(keys), System::nanoTime);
        warnings.now().forEach(LOGGER::warn);
    }

    /**
     * Makes one that no engine, loop or source is bound to yet.
     *
     * @param nanoTime monotonic, in nanoseconds, from any origin
     */
    public ServerState(ServerConfiguration configuration, LongSupplier nanoTime) {
        this.configuration = configuration;
        this.nanoTime = nanoTime;
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

    /** A bad value refuses the whole, and what was in force stays. What cannot change under calls waits for a restart. */
    @Modified
    void modified(ServerKeys keys) {
        ServerConfiguration wanted;
        try {
            wanted = ServerConfigurationReader.read(keys);
        } catch (IllegalArgumentException e) {
            LOGGER.error(
                    "configuration dev.turntable.server refused, the one before stays in force: {}", e.getMessage());
            warnings.setConfigurationProblem(PID, "configuration refused: " + e.getMessage());
            return;
        }
        String waiting = ConfigurationChange.waitingForRestart(configuration, wanted);
        if (warnings.setConfigurationProblem(PID, waiting) && !waiting.isEmpty()) {
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
     * What an operator should look at in the configuration of another part, for {@code turn:info}; it stays until it is replaced.
     *
     * @param problem one sentence that names the key; empty where there is none any more
     */
    public void configurationProblem(String pid, String problem) {
        warnings.setConfigurationProblem(pid, problem);
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

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindCredentialSource(CredentialSource source, Map<String, Object> properties) {
        Object ranking = properties.get(Constants.SERVICE_RANKING);
        credentialSources.add(source, ranking instanceof Integer value ? value : 0);
    }

    void updatedCredentialSource(CredentialSource source, Map<String, Object> properties) {
        unbindCredentialSource(source);
        bindCredentialSource(source, properties);
    }

    void unbindCredentialSource(CredentialSource source) {
        credentialSources.remove(source);
    }
}
