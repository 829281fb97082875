package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigurationTest {
    /** Keys with their defaults, but for these; a value of the wrong type fails as the container's conversion does. */
    static ServerKeys keys(Map<String, Object> values) {
        Map<String, Object> all =
                new HashMap<>(Map.of("relayedAddressIPv4", "203.0.113.5", "relayedAddressIPv6", "none"));
        all.putAll(values);
        return (ServerKeys) Proxy.newProxyInstance(
                ServerKeys.class.getClassLoader(),
                new Class<?>[] {ServerKeys.class},
                (proxy, method, arguments) -> all.getOrDefault(method.getName(), method.getDefaultValue()));
    }

    private static List<String> warnings(ServerState server) {
        return new ManagedServer(server).info().warnings();
    }

    @Test
    void theDefaultsAreWhatTheManualSays() {
        ServerConfiguration configuration = ServerConfigurationReader.read(keys(Map.of()));
        assertEquals(Runtime.getRuntime().availableProcessors(), configuration.workers());
        assertEquals(Platter.address("203.0.113.5"), configuration.relayedIPv4());
        assertNull(configuration.relayedIPv6());
        assertNull(configuration.externalIPv4());
        assertEquals(49152, configuration.relayedPortMin());
        assertEquals(65535, configuration.relayedPortMax());
        assertFalse(configuration.sharedSockets());
        assertEquals(4 * 1024 * 1024, configuration.receiveBufferBytes());
        assertEquals(2_000, configuration.swapWaitMillis());
        assertEquals(10, configuration.engineAbsentWarnSeconds());
        assertEquals(5_000, configuration.credentialWaitMillis());
        assertEquals(1_024, configuration.maxWaitingRequests());
        assertEquals(65_536, configuration.peerQueueBytes());
    }

    @Test
    void autoIsAnAddressOfThisHost() {
        ServerConfiguration configuration = ServerConfigurationReader.read(keys(Map.of("relayedAddressIPv4", "auto")));
        assertFalse(configuration.relayedIPv4().isAnyLocalAddress());
        assertFalse(configuration.relayedIPv4().isLinkLocalAddress());
    }

    @ParameterizedTest
    @CsvSource({
        "workers, -1",
        "workers, 257",
        "relayedPortMin, 80",
        "relayedPortMax, 65536",
        "relayedPortMax, 49151",
        "relayedSockets, both",
        "sharedSocketsPerWorker, 0",
        "maxAllocationsPerWorker, 0",
        "receiveBufferBytes, -1",
        "ioTransport, io_uring",
        "udpSegmentation, on",
        "swapWaitMillis, -1",
        "engineAbsentWarnSeconds, 0",
        "credentialWaitMillis, 0",
        "maxWaitingRequests, -1",
        "peerQueueBytes, 1023",
        "relayedAddressIPv4, example.org",
        "relayedAddressIPv4, 0.0.0.0",
        "relayedAddressIPv4, 1.2.3.400",
        "relayedAddressIPv4, 010.0.0.1",
        "relayedAddressIPv6, .::1",
        "relayedAddressIPv4, 2001:db8::1",
        "relayedAddressIPv4, ''",
        "relayedAddressIPv6, 192.0.2.1",
        "relayedAddressIPv6, ::",
        "relayedAddressIPv4, none",
        "externalAddressIPv4, 224.0.0.1",
        "externalAddressIPv6, ::ffff:192.0.2.1",
    })
    void aBadValueIsRefusedAndItsKeyNamed(String key, String value) {
        Object typed = value.matches("-?\\d+") ? (Object) Integer.valueOf(value) : value;
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class, () -> ServerConfigurationReader.read(keys(Map.of(key, typed))));
        assertTrue(refused.getMessage().startsWith(key + ": "), refused.getMessage());
    }

    @Test
    void aValueOfTheWrongTypeIsRefusedAndItsKeyNamed() {
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> ServerConfigurationReader.read(keys(Map.of("swapWaitMillis", "soon"))));
        assertTrue(refused.getMessage().startsWith("swapWaitMillis: "), refused.getMessage());
    }

    @Test
    void sharedPortsMustAllBeBelow65536() {
        Map<String, Object> shared =
                new HashMap<>(Map.of("relayedSockets", "shared", "workers", 4, "sharedSocketsPerWorker", 2));
        shared.put("sharedPortBase", 65520);
        assertEquals(65520, ServerConfigurationReader.read(keys(shared)).sharedPortBase());
        shared.put("sharedPortBase", 65521);
        assertThrows(IllegalArgumentException.class, () -> ServerConfigurationReader.read(keys(shared)));
    }

    @ParameterizedTest
    @CsvSource({"10.1.2.3, true", "127.0.0.1, true", "203.0.113.5, false"})
    void aPrivateRelayedAddressWithoutAMappingIsAWarning(String address, boolean warned) {
        ServerState server = new ServerState(keys(Map.of("relayedAddressIPv4", address)));
        assertEquals(warned, warnings(server).stream().anyMatch(warning -> warning.contains("is private")));
        server.configure(ServerConfigurationReader.read(
                keys(Map.of("relayedAddressIPv4", address, "externalAddressIPv4", "198.51.100.7"))));
        assertFalse(warnings(server).stream().anyMatch(warning -> warning.contains("is private")));
    }

    @Test
    void aServersEndOfAFiveTupleHasANumberOfItsOwn() {
        ServerState server = new Platter().server;
        java.net.InetSocketAddress one = new java.net.InetSocketAddress(Platter.address("192.0.2.1"), 3478);
        java.net.InetSocketAddress two = new java.net.InetSocketAddress(Platter.address("192.0.2.1"), 3479);
        int number = server.localEnd(dev.turntable.api.ClientTransport.UDP, one);
        assertEquals(number, server.localEnd(dev.turntable.api.ClientTransport.UDP, one));
        assertFalse(number == server.localEnd(dev.turntable.api.ClientTransport.UDP, two));
        assertFalse(number == server.localEnd(dev.turntable.api.ClientTransport.TCP, one));
    }
}
