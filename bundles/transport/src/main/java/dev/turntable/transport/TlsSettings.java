package dev.turntable.transport;

import io.netty.handler.ssl.ClientAuth;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What a listener is told of certificates.
 *
 * @param certificateFiles PEM, each with a chain, the server's own certificate first
 * @param keyFiles PEM, the key of each of them; empty where they are in the same files
 * @param keyStoreFile PKCS12; null for none
 * @param passwordFile whose first line opens the keys; null where they are open
 * @param clientCertificates whether clients are asked for theirs
 * @param trustFile PEM, issuers of certificates of clients; null for those that the JDK trusts
 * @param versions of TLS
 * @param library {@code auto}, {@code openssl} or {@code jdk}
 */
record TlsSettings(
        List<Path> certificateFiles,
        List<Path> keyFiles,
        Path keyStoreFile,
        Path passwordFile,
        ClientAuth clientCertificates,
        Path trustFile,
        List<String> versions,
        String library) {
    static final List<String> VERSIONS = List.of("TLSv1.2", "TLSv1.3");

    static final TlsSettings NONE =
            new TlsSettings(List.of(), List.of(), null, null, ClientAuth.NONE, null, VERSIONS, "auto");

    /** @throws IllegalArgumentException that names the key with the bad value */
    static TlsSettings of(Map<String, ?> properties) {
        List<Path> certificates = paths(properties, "certificateFile");
        List<Path> keys = paths(properties, "keyFile");
        if (!keys.isEmpty() && keys.size() != certificates.size()) {
            throw ListenerConfiguration.bad(
                    "keyFile", String.valueOf(properties.get("keyFile")), "one for each of certificateFile is needed");
        }
        ClientAuth clients = ListenerConfiguration.oneOf(
                properties,
                "clientCertificates",
                "none",
                Map.of("none", ClientAuth.NONE, "optional", ClientAuth.OPTIONAL, "required", ClientAuth.REQUIRE));
        List<String> versions = ListenerConfiguration.words(properties, "tlsVersions", VERSIONS);
        for (String version : versions) {
            if (!VERSIONS.contains(version)) {
                throw ListenerConfiguration.bad("tlsVersions", version, "TLSv1.2 and TLSv1.3 are offered");
            }
        }
        return new TlsSettings(
                certificates,
                keys,
                path(properties, "keyStoreFile"),
                path(properties, "passwordFile"),
                clients,
                path(properties, "trustFile"),
                versions,
                ListenerConfiguration.oneOf(
                        properties, "tlsLibrary", "auto", Map.of("auto", "auto", "openssl", "openssl", "jdk", "jdk")));
    }

    private static Path path(Map<String, ?> properties, String key) {
        List<Path> paths = paths(properties, key);
        if (paths.size() > 1) {
            throw ListenerConfiguration.bad(key, String.valueOf(properties.get(key)), "one file is needed");
        }
        return paths.isEmpty() ? null : paths.get(0);
    }

    private static List<Path> paths(Map<String, ?> properties, String key) {
        List<Path> paths = new ArrayList<>();
        for (String word : ListenerConfiguration.texts(properties.get(key))) {
            String text = word.replace("${karaf.etc}", System.getProperty("karaf.etc", "etc"));
            if (text.contains("${")) {
                throw ListenerConfiguration.bad(key, word, "a variable in it is not known");
            }
            try {
                paths.add(Path.of(text).toAbsolutePath());
            } catch (InvalidPathException e) {
                throw ListenerConfiguration.bad(key, word, "not a path");
            }
        }
        return List.copyOf(paths);
    }

    /** Whether there are certificates to show. */
    boolean isConfigured() {
        return !certificateFiles.isEmpty() || keyStoreFile != null;
    }

    /** All that are read. */
    List<Path> files() {
        return Stream.of(
                        certificateFiles.stream(),
                        keyFiles.stream(),
                        Stream.of(keyStoreFile, passwordFile, trustFile).filter(Objects::nonNull))
                .flatMap(paths -> paths)
                .toList();
    }
}
