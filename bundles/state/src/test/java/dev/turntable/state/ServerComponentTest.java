package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.auth.CredentialAnswer;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;

class ServerComponentTest {
    /** What is in the registry. */
    private ServerState registered;

    private final BundleContext bundle = proxy(BundleContext.class, service -> registered = (ServerState) service);

    /** Of a registry, what the component uses: one service is registered, and unregistered. */
    private <T> T proxy(Class<T> type, java.util.function.Consumer<Object> register) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, given) -> {
                    switch (method.getName()) {
                        case "registerService" -> {
                            register.accept(given[1]);
                            return proxy(ServiceRegistration.class, register);
                        }
                        case "unregister" -> register.accept(null);
                        default -> throw new UnsupportedOperationException(method.toString());
                    }
                    return null;
                }));
    }

    private ServerComponent started(Map<String, Object> keys) {
        ServerComponent component = new ServerComponent(keys(keys), Map.of());
        component.start(bundle);
        return component;
    }

    private static ServerKeys keys(Map<String, Object> values) {
        return ServerConfigurationTest.keys(values);
    }

    private static boolean warns(ServerComponent component, String of) {
        return component.info().warnings().stream().anyMatch(warning -> warning.contains(of));
    }

    @Test
    void aBadFirstConfigurationStartsNothingAndIsToldUntilItIsMended() {
        ServerComponent component = started(Map.of("swapWaitMillis", "soon"));
        assertNull(registered);
        assertEquals(
                List.of("configuration dev.turntable.server refused: swapWaitMillis: not a whole number"),
                component.info().warnings());
        assertEquals(0, component.info().workers());
        assertEquals(List.of(), component.engines());
        assertEquals(List.of(), component.sweeps());
        assertEquals(Map.of(), component.counters());

        component.modified(keys(Map.of("swapWaitMillis", -1)), Map.of());
        assertNull(registered);
        assertTrue(warns(component, "-1 is not within"));

        component.modified(keys(Map.of("swapWaitMillis", 7, "workers", 2)), Map.of());
        assertEquals(7, registered.configuration().swapWaitMillis());
        assertEquals(2, component.info().workers());
        assertFalse(warns(component, "refused"));
        assertEquals(2, component.sweeps().size());

        component.stop();
        assertNull(registered);
    }

    @Test
    void oneThatNeverHadAGoodConfigurationStopsToo() {
        started(Map.of("workers", -1)).stop();
        assertNull(registered);
    }

    @Test
    void sourcesOfCredentialsAreThereWhenTheStateIs() {
        ServerComponent component = new ServerComponent(keys(Map.of("workers", -1)), Map.of());
        FakeSource source =
                new FakeSource("users", query -> CompletableFuture.completedFuture(CredentialAnswer.UNKNOWN));
        component.bindCredentialSource(source, Map.of());
        component.start(bundle);
        component.modified(keys(Map.of()), Map.of());
        assertEquals(List.of("users"), registered.credentialSources().names());
        component.unbindCredentialSource(source);
        assertTrue(registered.credentialSources().isEmpty());
    }

    @Test
    void aChangeAppliesWhereItEndsNoCallAndWaitsForARestartElsewhere() {
        ServerComponent component = started(Map.of("workers", 2));
        ServerState server = registered;
        component.modified(
                keys(Map.of(
                        "workers",
                        3,
                        "relayedPortMin",
                        50000,
                        "externalAddressIPv4",
                        "198.51.100.7",
                        "swapWaitMillis",
                        7)),
                Map.of());
        assertSame(server, registered);
        assertEquals(7, server.configuration().swapWaitMillis());
        assertEquals(Platter.address("198.51.100.7"), server.configuration().externalIPv4());
        assertEquals(2, server.configuration().workers());
        assertEquals(49152, server.configuration().relayedPortMin());
        assertTrue(warns(component, "changed configuration takes effect at restart: workers, relayedPortMin"));
        assertEquals(List.of("203.0.113.5 → 198.51.100.7"), component.info().relayedAddresses());
        component.modified(keys(Map.of("workers", 2)), Map.of());
        assertFalse(warns(component, "restart"));
    }

    @Test
    void aBadChangeIsRefusedAsAWholeAndTheOldConfigurationKept() {
        ServerComponent component = started(Map.of());
        ServerConfiguration before = registered.configuration();
        component.modified(keys(Map.of("swapWaitMillis", 7, "credentialWaitMillis", -1)), Map.of());
        assertSame(before, registered.configuration());
        assertTrue(warns(component, "credentialWaitMillis"));
        component.modified(keys(Map.of()), Map.of());
        assertSame(before, registered.configuration());
        assertFalse(warns(component, "credentialWaitMillis"));
    }

    @Test
    void aKeyThatMeansNothingIsShownUntilItIsGone() {
        ServerComponent component =
                new ServerComponent(keys(Map.of("workers", 1)), Map.of("workerz", 1, "service.pid", "x"));
        component.start(bundle);
        String warnings = component.info().warnings().toString();
        assertTrue(warnings.contains("means nothing: workerz"), warnings);
        component.modified(keys(Map.of("workers", 1)), Map.of("workers", 1));
        warnings = component.info().warnings().toString();
        assertFalse(warnings.contains("means nothing"), warnings);
    }
}
