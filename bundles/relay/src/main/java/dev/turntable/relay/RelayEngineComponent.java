package dev.turntable.relay;

import dev.turntable.state.RelayEngine;
import dev.turntable.state.ServerState;
import dev.turntable.state.UnknownKeys;
import java.time.Clock;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns PID {@code dev.turntable.relay}: registers an engine from the first good configuration on. Before there is none: an engine with
 * another realm than the operator's would send clients away. Changes apply to the engine as it runs.
 */
@Component(
        service = {},
        immediate = true,
        configurationPid = RelayEngineComponent.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = RelayKeys.class)
public final class RelayEngineComponent {
    static final String PID = "dev.turntable.relay";

    private static final Logger LOG = LoggerFactory.getLogger(RelayEngineComponent.class);

    /** System property of the control run that shows what the sweep is for: with {@code true} nothing is reaped. */
    private static final String SWEEP_OFF = "dev.turntable.test.sweepOff";

    private final ServerState server;
    private final String version = bundleVersion();
    /** In a swap side by side each of the two has its own problem. */
    private final String part = PID + ' ' + version;

    private BundleContext bundle;
    /** Null before the first good configuration. */
    private TurnEngine engine;

    private ServiceRegistration<RelayEngine> registration;

    @Activate
    public RelayEngineComponent(@Reference ServerState server, Map<String, Object> properties) {
        this.server = server;
        configure(properties);
    }

    @Activate
    void start(BundleContext context) {
        bundle = context;
        register();
    }

    @Modified
    void modified(Map<String, Object> properties) {
        configure(properties);
        register();
    }

    @Deactivate
    void stop() {
        if (registration != null) {
            registration.unregister();
        }
        server.problem(part, "");
    }

    /** The engine, for whoever has no container; null where the configuration was refused. */
    public RelayEngine engine() {
        return engine;
    }

    private void register() {
        if (engine != null && registration == null) {
            registration = bundle.registerService(RelayEngine.class, engine, null);
        }
    }

    private void configure(Map<String, Object> properties) {
        RelayConfiguration good;
        try {
            good = ConfigurationKeys.read(properties);
        } catch (IllegalArgumentException e) {
            refuse("configuration " + PID + " refused: " + e.getMessage());
            return;
        }
        String unknown = UnknownKeys.problem(RelayKeys.class, properties);
        if (server.problem(part, unknown) && !unknown.isEmpty()) {
            LOG.warn("{}: {}", PID, unknown);
        }
        if (engine == null) {
            engine = new TurnEngine(server, good, Clock.systemUTC(), version, sweeps());
        } else if (!good.equals(engine.configuration())) {
            RelayConfiguration before = engine.configuration();
            engine.configure(good);
            LOG.info("configuration in force: {}", good.changesSince(before));
        }
    }

    private void refuse(String why) {
        if (server.problem(part, why)) {
            String stays = engine == null ? "there is no engine until it is good" : "the one before stays in force";
            LOG.error("{}; {}", why, stays);
        }
    }

    private static boolean sweeps() {
        boolean sweeps = !Boolean.getBoolean(SWEEP_OFF);
        if (!sweeps) {
            LOG.warn("{} is set: nothing that expires is reaped", SWEEP_OFF);
        }
        return sweeps;
    }

    private static String bundleVersion() {
        Bundle own = FrameworkUtil.getBundle(RelayEngineComponent.class);
        return own == null ? "outside a framework" : own.getVersion().toString();
    }
}
