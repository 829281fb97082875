package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ClientTransport;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListenerConfigurationTest {
    @Test
    void listensOnBothFamiliesAtThePortOfTheRfcByDefault() {
        ListenerConfiguration configuration = ListenerConfiguration.of(Map.of());
        assertEquals(Set.of(Rig.address("0.0.0.0"), Rig.address("::")), configuration.addresses());
        assertEquals(3478, configuration.port());
        assertTrue(configuration.hasWildcard());
        assertEquals("0.0.0.0:3478, [::]:3478", configuration.text());
    }

    @Test
    void readsListsInEachFormThatConfigurationComesIn() {
        Set<?> both = Set.of(Rig.IPV4, Rig.IPV6);
        assertEquals(
                both,
                ListenerConfiguration.of(Map.of("address", "127.0.0.1, [::1]")).addresses());
        assertEquals(
                both,
                ListenerConfiguration.of(Map.of("address", new String[] {"127.0.0.1", "::1"}))
                        .addresses());
        assertEquals(
                both,
                ListenerConfiguration.of(Map.of("address", List.of("127.0.0.1", "::1")))
                        .addresses());
        assertEquals(25100, ListenerConfiguration.of(Map.of("port", " 25100 ")).port());
    }

    @Test
    void offersTheProtocolsThatAreNamed() {
        assertEquals(
                Set.of(ClientTransport.UDP), ListenerConfiguration.of(Map.of()).protocols());
        assertEquals(
                Set.of(ClientTransport.UDP, ClientTransport.TCP),
                ListenerConfiguration.of(Map.of("protocols", "udp, tcp")).protocols());
        assertEquals(StreamLimits.DEFAULTS, ListenerConfiguration.of(Map.of()).limits());
    }

    @ParameterizedTest
    @CsvSource({
        "port, 0",
        "port, 65536",
        "port, http",
        "port, ''",
        "address, localhost",
        "address, ' '",
        "address, 1.2.3.4.5",
        "address, 1.2.3",
        "address, 999",
        "address, 256.0.0.1",
        "address, .::1",
        "address, 224.0.0.1",
        "address, fe80::1",
        "protocols, 'udp,sctp'",
        "maxConnections, 0",
        "maxConnectionsPerSource, many",
        "unauthenticatedIdleSeconds, 0",
        "streamQueueBytes, 1000",
        "frameLimitBytes, 65553",
        "clientCertificates, maybe",
        "tlsVersions, TLSv1.1",
        "tlsLibrary, gnutls",
        "certificateFile, ${unknown}/cert.pem",
        "keyFile, key.pem",
        "protocols, ''",
        "receiveBufferBytes, -1",
        "receiveBufferBytes, 4M",
    })
    void namesTheKeyOfABadValue(String key, String value) {
        Exception refusal =
                assertThrows(IllegalArgumentException.class, () -> ListenerConfiguration.of(Map.of(key, value)));
        assertTrue(refusal.getMessage().startsWith(key + " = "), refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "dev.turntable.listener~udp, , udp",
        "dev.turntable.listener-udp, , udp",
        "dev.turntable.listener.1f0e, file:/etc/dev.turntable.listener-edge-2.cfg, edge-2",
        "dev.turntable.listener.1f0e, file:/etc/dev.turntable.listener~edge.config, edge",
        "dev.turntable.listener.1f0e, , 1f0e",
        "dev.turntable.listener, , dev.turntable.listener",
    })
    void takesItsNameFromThePid(String pid, String file, String name) {
        Map<String, String> properties = file == null
                ? Map.of("service.pid", pid)
                : Map.of("service.pid", pid, "felix.fileinstall.filename", file);
        assertEquals(name, ListenerConfiguration.nameOf(properties));
    }
}
