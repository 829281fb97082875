package dev.turntable.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** Certificates that sign themselves, made by the JDK's keytool. */
final class TestCertificates {
    static final String PASSWORD = "the-tone-arm";
    private static final ConcurrentHashMap<String, TestCertificates> MADE = new ConcurrentHashMap<>();

    final byte[] keyStore;
    final PrivateKey key;
    final Certificate certificate;

    private TestCertificates(byte[] keyStore, PrivateKey key, Certificate certificate) {
        this.keyStore = keyStore;
        this.key = key;
        this.certificate = certificate;
    }

    /** @param algorithm {@code EC}, {@code RSA} or {@code Ed25519}; the same one is made once */
    static TestCertificates of(String algorithm, String name) {
        return MADE.computeIfAbsent(algorithm + name, both -> {
            try {
                return make(algorithm, name);
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static TestCertificates make(String algorithm, String name) throws Exception {
        Path store = Files.createTempDirectory("turntable-test").resolve("store.p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias", "own"));
        command.addAll(List.of("-keyalg", algorithm, "-dname", "CN=" + name, "-ext", "san=dns:" + name));
        command.addAll(List.of("-validity", "90", "-storetype", "PKCS12", "-storepass", PASSWORD));
        command.addAll(List.of("-keystore", store.toString()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            loaded.load(in, PASSWORD.toCharArray());
        }
        return new TestCertificates(
                Files.readAllBytes(store),
                (PrivateKey) loaded.getKey("own", PASSWORD.toCharArray()),
                loaded.getCertificate("own"));
    }

    String certificatePem() throws Exception {
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    String keyPem() {
        return pem("PRIVATE KEY", key.getEncoded());
    }

    static String pem(String type, byte[] der) {
        return "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der) + "\n-----END " + type + "-----\n";
    }

    /** Writes {@code cert.pem} and {@code key.pem}. */
    TlsSettings write(Path directory, String library) throws Exception {
        Files.writeString(directory.resolve("cert.pem"), certificatePem());
        Files.writeString(directory.resolve("key.pem"), keyPem());
        return settings(List.of(directory.resolve("cert.pem")), List.of(directory.resolve("key.pem")), library);
    }

    static TlsSettings settings(List<Path> certificates, List<Path> keys, String library) {
        return new TlsSettings(
                certificates,
                keys,
                null,
                null,
                TlsSettings.NONE.clientCertificates(),
                null,
                TlsSettings.VERSIONS,
                library);
    }
}
