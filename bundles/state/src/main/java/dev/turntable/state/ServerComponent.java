package dev.turntable.state;

import dev.turntable.api.EngineInfo;
import dev.turntable.api.Server;
import dev.turntable.api.ServerInfo;
import dev.turntable.api.SweepInfo;
import dev.turntable.api.auth.CredentialSource;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns PID {@code dev.turntable.server}: registers a {@link ServerState} from the first good configuration on, and until then says
 * what is wrong with it. Any thread.
 */
@Component(
        service = Server.class,
        configurationPid = ServerComponent.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE,
        immediate = true)
@Designate(ocd = ServerKeys.class)
public final class ServerComponent implements Server {
    static final String PID = "dev.turntable.server";

    private static final Logger LOGGER = LoggerFactory.getLogger(ServerComponent.class);

    /** Filled before the state is registered: nobody is refused because a source was not there yet. */
    private final CredentialSources credentialSources = new CredentialSources();

    private BundleContext bundle;
    private ServerState state;
    private ServiceRegistration<ServerState> registration;
    /** Null before the first good configuration. */
    private volatile Server running;
    /** Why there is none yet. */
    private volatile String refused = "";

    @Activate
    public ServerComponent(ServerKeys keys, Map<String, Object> properties) {
        configure(keys, properties);
    }

    @Activate
    void start(BundleContext context) {
        bundle = context;
        register();
    }

    /** A bad value refuses the whole, and what was in force stays. */
    @Modified
    void modified(ServerKeys keys, Map<String, Object> properties) {
        configure(keys, properties);
        register();
    }

    @Deactivate
    void stop() {
        if (registration != null) {
            registration.unregister();
        }
    }

    private void configure(ServerKeys keys, Map<String, Object> properties) {
        ServerConfiguration wanted;
        try {
            wanted = ServerConfigurationReader.read(keys);
        } catch (IllegalArgumentException e) {
            refuse("configuration " + PID + " refused: " + e.getMessage());
            return;
        }
        if (state == null) {
            state = new ServerState(wanted, System::nanoTime, credentialSources);
            state.warnings().now().forEach(LOGGER::warn);
            running = new ManagedServer(state);
        } else {
            state.configure(wanted);
        }
        String unknown = UnknownKeys.problem(ServerKeys.class, properties);
        if (state.problem(PID + " keys", unknown) && !unknown.isEmpty()) {
            LOGGER.warn("{}: {}", PID, unknown);
        }
    }

    private void refuse(String why) {
        boolean another;
        if (state == null) {
            another = !why.equals(refused);
            refused = why;
        } else {
            another = state.problem(PID, why);
        }
        if (another) {
            String stays = state == null ? "nothing is served until it is good" : "the one before stays in force";
            LOGGER.error("{}; {}", why, stays);
        }
    }

    private void register() {
        if (state != null && registration == null) {
            registration = bundle.registerService(ServerState.class, state, null);
        }
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

    @Override
    public ServerInfo info() {
        Server server = running;
        return server == null ? notRunning(refused) : server.info();
    }

    private static ServerInfo notRunning(String why) {
        return new ServerInfo(
                ManagedServer.version(), 0, 0, "", "", List.of(), 0, 0, 0, 0, 0, 0, null, List.of(), List.of(why));
    }

    @Override
    public List<EngineInfo> engines() {
        Server server = running;
        return server == null ? List.of() : server.engines();
    }

    @Override
    public List<SweepInfo> sweeps() {
        Server server = running;
        return server == null ? List.of() : server.sweeps();
    }

    @Override
    public SortedMap<String, Long> counters() {
        Server server = running;
        return server == null ? new TreeMap<>() : server.counters();
    }
}
