package dev.turntable.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The files of {@code etc} that are shipped hold each key of their component, active, with the default that the code has. */
final class ShippedConfigurationTest {
    @Test
    void theTcpListenerDiffersFromTheUdpOneInItsProtocolAlone() throws Exception {
        Path etc = Path.of("../features/turntable/src/main/etc");
        String udp = Files.readString(etc.resolve("dev.turntable.listener-udp.cfg"));
        String tcp = Files.readString(etc.resolve("dev.turntable.listener-tcp.cfg"));
        assertEquals(udp.replace("\nprotocols = udp\n", "\nprotocols = tcp\n"), tcp);
    }

    @Test
    void theTlsListenerDiffersFromTheTcpOneInItsProtocolsAndPortAlone() throws Exception {
        Path etc = Path.of("../features/turntable/src/main/etc");
        String tcp = Files.readString(etc.resolve("dev.turntable.listener-tcp.cfg"));
        String tls = Files.readString(etc.resolve("dev.turntable.listener-tls.cfg"));
        assertEquals(
                tcp.replace("\nprotocols = tcp\n", "\nprotocols = tls, dtls\n")
                        .replace("\nport = 3478\n", "\nport = 5349\n"),
                tls);
    }

    @ParameterizedTest
    @CsvSource({
        "state, ServerKeys, ../features/turntable/src/main/etc/dev.turntable.server.cfg",
        "relay, RelayKeys, ../features/relay/src/main/etc/dev.turntable.relay.cfg",
        "transport, Keys, ../features/turntable/src/main/etc/dev.turntable.listener-udp.cfg"
    })
    void theShippedFileHoldsEachKeyWithItsDefault(String bundle, String type, Path file) throws Exception {
        Properties shipped = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            shipped.load(reader);
        }
        Map<String, String> actual = new TreeMap<>();
        shipped.stringPropertyNames()
                .forEach(key -> actual.put(key, shipped.getProperty(key).replace(" ", "")));
        assertEquals(defaults(bundle, type), actual);
    }

    private static Map<String, String> defaults(String bundle, String type) throws Exception {
        Map<String, String> defaults = new TreeMap<>();
        Path jar = Path.of(System.getProperty("bundles"), "dev.turntable." + bundle + ".jar");
        try (JarFile opened = new JarFile(jar.toFile())) {
            for (ZipEntry entry : opened.stream().toList()) {
                if (!entry.getName().matches("OSGI-INF/metatype/.*[.$]" + type + "\\.xml")) {
                    continue;
                }
                try (InputStream in = opened.getInputStream(entry)) {
                    NodeList keys = DocumentBuilderFactory.newInstance()
                            .newDocumentBuilder()
                            .parse(in)
                            .getElementsByTagName("AD");
                    for (int i = 0; i < keys.getLength(); i++) {
                        Element key = (Element) keys.item(i);
                        defaults.put(key.getAttribute("id"), key.getAttribute("default"));
                    }
                }
            }
        }
        assertTrue(defaults.size() > 2, "metatype of " + jar);
        return defaults;
    }
}
