package dev.turntable.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.turntable.codec.AttributeType;
import dev.turntable.state.ManagedServer;
import dev.turntable.state.RelayEngine;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

@DisplayName("The engine as a component")
class RelayEngineComponentTest {
    private final TestServer server = TestServer.start();
    /** What is in the registry. */
    private RelayEngine registered;

    private final Map<String, Object> properties = new HashMap<>(Map.of("realm", "first.example"));

    @Test
    @DisplayName("serves packets and takes a change of its configuration as it runs")
    void takesAChange() {
        RelayEngineComponent component = started();
        assertEquals("first.example", realmToldBy(component));
        properties.put("realm", "second.example");
        component.modified(properties);
        assertEquals("second.example", realmToldBy(component));
    }

    @Test
    @DisplayName("refuses a bad change as a whole and keeps what it had")
    void refusesABadChange() {
        RelayEngineComponent component = started();
        properties.put("realm", "second.example");
        properties.put("peersAllow", "everything");
        component.modified(properties);
        assertEquals("first.example", realmToldBy(component));
        assertEquals(1, warningsNaming("peersAllow"));
        properties.put("peersAllow", "");
        component.modified(properties);
        assertEquals("second.example", realmToldBy(component));
        assertEquals(0, warningsNaming("peersAllow"));
    }

    @Test
    @DisplayName("registers no engine for a bad first value, tells its key, and registers one when it is mended")
    void waitsForAGoodConfiguration() {
        properties.put("allocationLifetimeSeconds", "soon");
        RelayEngineComponent component = started();
        assertNull(registered);
        assertNull(component.engine());
        assertEquals(1, warningsNaming("refused: allocationLifetimeSeconds: a whole number, not \"soon\""));
        properties.put("allocationLifetimeSeconds", "0");
        component.modified(properties);
        assertNull(registered);
        assertEquals(1, warningsNaming("allocationLifetimeSeconds: 1 to 86400"));
        properties.put("allocationLifetimeSeconds", "60");
        component.modified(properties);
        assertEquals("first.example", realmToldBy(component));
        assertEquals(0, warningsNaming("allocationLifetimeSeconds"));
        component.stop();
        assertNull(registered);
    }

    @Test
    @DisplayName("takes its problem along when it goes")
    void takesItsProblemAlong() {
        properties.put("peersAllow", "everything");
        RelayEngineComponent component = started();
        assertEquals(1, warningsNaming("peersAllow"));
        component.stop();
        assertEquals(0, warningsNaming("peersAllow"));
    }

    /** Of a registry, what the component uses: one service is registered, and unregistered. */
    private <T> T registry(Class<T> type) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    switch (method.getName()) {
                        case "registerService" -> {
                            registered = (RelayEngine) given[1];
                            return registry(ServiceRegistration.class);
                        }
                        case "unregister" -> registered = null;
                        default -> throw new UnsupportedOperationException(method.toString());
                    }
                    return null;
                }));
    }

    private RelayEngineComponent started() {
        RelayEngineComponent component = new RelayEngineComponent(server.state, properties);
        component.start(registry(BundleContext.class));
        return component;
    }

    private long warningsNaming(String key) {
        return new ManagedServer(server.state)
                .info().warnings().stream()
                        .filter(warning -> warning.contains(key))
                        .count();
    }

    private String realmToldBy(RelayEngineComponent component) {
        RelayEngine engine = component.engine();
        assertSame(engine, registered);
        TestClient client = server.alice();
        byte[] request = client.allocateRequest().unsigned().bytes();
        engine.fromClient(server.worker(), client.path, null, new TestPacket(request));
        return client.takeOne().text(AttributeType.REALM);
    }
}
