package dev.turntable.state;

import dev.turntable.api.event.EngineObserver;
import java.util.Map;
import org.osgi.framework.Constants;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Puts the engines that the registry brings into the slot. A component of its own, because an engine needs {@link ServerState}: one
 * component that gave the state and took the engine would be a circle, and the registry breaks a circle by losing a reference.
 */
@Component(
        service = {},
        immediate = true)
public final class EngineBinding {
    private final EngineSlot slot;

    @Activate
    public EngineBinding(@Reference ServerState server) {
        slot = server.engineSlot();
    }

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindRelayEngine(RelayEngine engine, Map<String, Object> properties) {
        Object bundleId = properties.get(Constants.SERVICE_BUNDLEID);
        slot.bind(engine, bundleId instanceof Long id ? id : -1);
    }

    void unbindRelayEngine(RelayEngine engine) {
        slot.unbind(engine);
    }

    @Reference(
            cardinality = ReferenceCardinality.MULTIPLE,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    void bindEngineObserver(EngineObserver observer) {
        slot.addObserver(observer);
    }

    void unbindEngineObserver(EngineObserver observer) {
        slot.removeObserver(observer);
    }
}
