package dev.turntable.itests.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;

/**
 * A certificate authority of the tests' own, and a server certificate from it for the loopback addresses; made by openssl, once for all
 * servers of a run.
 */
final class TestAuthority {
    private static boolean made;

    private TestAuthority() {}

    /** The authority's own certificate. */
    static Path certificate() {
        return TurnServerUnderTest.workDirectory().resolve("test-ca.pem");
    }

    /** SHA-256 hash of the SubjectPublicKeyInfo of the server certificate, in Base64. */
    static String serverKeyHash() throws IOException, GeneralSecurityException {
        byte[] certificate = Files.readAllBytes(serverCertificate());
        byte[] key = CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificate))
                .getPublicKey()
                .getEncoded();
        return Base64.getEncoder()
                .encodeToString(MessageDigest.getInstance("SHA-256").digest(key));
    }

    private static Path serverCertificate() {
        return TurnServerUnderTest.workDirectory().resolve("server.pem");
    }

    /** Writes {@code turntable.pem} and {@code turntable.key}. */
    static synchronized void writeServerFiles(Path directory) throws IOException, InterruptedException {
        if (!made) {
            make();
            made = true;
        }
        Files.copy(serverCertificate(), directory.resolve("turntable.pem"), StandardCopyOption.REPLACE_EXISTING);
        Files.copy(serverKey(), directory.resolve("turntable.key"), StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path serverKey() {
        return TurnServerUnderTest.workDirectory().resolve("server.key");
    }

    private static void make() throws IOException, InterruptedException {
        Path own = TurnServerUnderTest.workDirectory();
        Files.createDirectories(own);
        Path names = Files.writeString(
                own.resolve("server-names.cnf"), "subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost\n");
        Path authorityKey = own.resolve("test-ca.key");
        Path request = own.resolve("server.csr");
        openssl(
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj /CN=Test-Authority -keyout "
                        + authorityKey + " -out " + certificate());
        openssl("req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=localhost -keyout " + serverKey()
                + " -out " + request);
        openssl("x509 -req -days 20 -CAcreateserial -in " + request + " -CA " + certificate() + " -CAkey "
                + authorityKey + " -extfile " + names + " -out " + serverCertificate());
    }

    private static void openssl(String options) throws IOException, InterruptedException {
        ForeignProgram.Outcome outcome =
                ForeignProgram.run(List.of(("openssl " + options).split(" ")), TurnServerUnderTest.workDirectory(), 60);
        assertEquals(0, outcome.status(), outcome::output);
    }
}
