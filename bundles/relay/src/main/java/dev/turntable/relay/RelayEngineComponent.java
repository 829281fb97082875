package dev.turntable.relay;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.RelayEngine;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.ServerState;
import dev.turntable.state.Worker;
import java.time.Clock;
import java.util.Map;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine as a service, with PID {@code dev.turntable.relay}. Without a configuration it waits: on a first start that comes a moment
 * after the bundle, and an engine with another realm in between would send clients away. Changes apply to the engine as it runs.
 */
@Component(
        service = RelayEngine.class,
        immediate = true,
        configurationPid = RelayEngineComponent.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = RelayKeys.class)
public final class RelayEngineComponent implements RelayEngine {
    static final String PID = "dev.turntable.relay";

    private static final Logger LOG = LoggerFactory.getLogger(RelayEngineComponent.class);

    /** System property of the control run that shows what the sweep is for: with {@code true} nothing is reaped. */
    private static final String SWEEP_OFF = "dev.turntable.test.sweepOff";

    private final ServerState server;
    private final TurnEngine engine;

    /** @throws IllegalArgumentException where a value is bad; its message names the key */
    @Activate
    public RelayEngineComponent(@Reference ServerState server, Map<String, Object> properties) {
        boolean sweeps = !Boolean.getBoolean(SWEEP_OFF);
        if (!sweeps) {
            LOG.warn("{} is set: nothing that expires is reaped", SWEEP_OFF);
        }
        this.server = server;
        engine = new TurnEngine(server, read(properties), Clock.systemUTC(), bundleVersion(), sweeps);
        warnOfUnknown(properties);
    }

    @Modified
    void modified(Map<String, Object> properties) {
        RelayConfiguration changed;
        try {
            changed = read(properties);
        } catch (IllegalArgumentException e) {
            LOG.error("configuration refused, the one before stays in force: {}", e.getMessage());
            return;
        }
        warnOfUnknown(properties);
        RelayConfiguration before = engine.configuration();
        if (!changed.equals(before)) {
            engine.configure(changed);
            LOG.info("configuration in force: {}", changed.changesSince(before));
        }
    }

    private RelayConfiguration read(Map<String, Object> properties) {
        try {
            RelayConfiguration good = ConfigurationKeys.read(properties);
            server.configurationProblem(PID, "");
            return good;
        } catch (IllegalArgumentException e) {
            server.configurationProblem(PID, "configuration " + PID + " refused: " + e.getMessage());
            throw e;
        }
    }

    private static void warnOfUnknown(Map<String, Object> properties) {
        for (String key : ConfigurationKeys.unknown(properties)) {
            LOG.warn("configuration key that means nothing: {}", key);
        }
    }

    private static String bundleVersion() {
        Bundle bundle = FrameworkUtil.getBundle(RelayEngineComponent.class);
        return bundle == null ? "outside a framework" : bundle.getVersion().toString();
    }

    @Override
    public String version() {
        return engine.version();
    }

    @Override
    public void fromClient(Worker worker, ClientPath path, Allocation allocation, Packet packet) {
        engine.fromClient(worker, path, allocation, packet);
    }

    @Override
    public void fromPeer(Worker worker, RelayedSocket socket, long hi, long lo, int port, Packet packet) {
        engine.fromPeer(worker, socket, hi, lo, port, packet);
    }

    @Override
    public void fromIcmp(
            Worker worker, RelayedSocket socket, long hi, long lo, int port, int type, int code, int data) {
        engine.fromIcmp(worker, socket, hi, lo, port, type, code, data);
    }

    @Override
    public void answered(
            Worker worker, ClientPath path, Allocation allocation, Packet request, CredentialAnswer answer) {
        engine.answered(worker, path, allocation, request, answer);
    }

    @Override
    public boolean sweep(Worker worker) {
        return engine.sweep(worker);
    }
}
