package dev.turntable.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.turntable.codec.AttributeType;
import dev.turntable.state.ManagedServer;
import dev.turntable.state.RelayEngine;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The engine as a component")
class RelayEngineComponentTest {
    private final TestServer server = TestServer.start();
    private final Map<String, Object> properties = new HashMap<>(Map.of("realm", "first.example"));

    @Test
    @DisplayName("serves packets and takes a change of its configuration as it runs")
    void takesAChange() {
        RelayEngineComponent component = new RelayEngineComponent(server.state, properties);
        assertEquals("first.example", realmToldBy(component));
        properties.put("realm", "second.example");
        component.modified(properties);
        assertEquals("second.example", realmToldBy(component));
    }

    @Test
    @DisplayName("refuses a bad change as a whole and keeps what it had")
    void refusesABadChange() {
        RelayEngineComponent component = new RelayEngineComponent(server.state, properties);
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
    @DisplayName("does not start with a bad value, whose key it names")
    void doesNotStartWithABadValue() {
        properties.put("allocationLifetimeSeconds", "soon");
        IllegalArgumentException refusal =
                assertThrows(IllegalArgumentException.class, () -> new RelayEngineComponent(server.state, properties));
        assertEquals("allocationLifetimeSeconds: a whole number, not \"soon\"", refusal.getMessage());
        assertEquals(1, warningsNaming("allocationLifetimeSeconds"));
    }

    private long warningsNaming(String key) {
        return new ManagedServer(server.state)
                .info().warnings().stream()
                        .filter(warning -> warning.contains(key))
                        .count();
    }

    private String realmToldBy(RelayEngine engine) {
        TestClient client = server.alice();
        byte[] request = client.allocateRequest().unsigned().bytes();
        engine.fromClient(server.worker(), client.path, null, new TestPacket(request));
        return client.takeOne().text(AttributeType.REALM);
    }
}
