package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateFilesTest {
    /** One key in the forms that openssl gives it; it opens nothing anywhere. */
    private static final String SEC1 = """
            -----BEGIN EC PARAMETERS-----
            BggqhkjOPQMBBw==
            -----END EC PARAMETERS-----
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIEjZimLWs8CpezVdpkG97yVlc6caDxvvQJ7JIaV165z7oAoGCCqGSM49
            AwEHoUQDQgAESQiy0jvPxA+u6Cx4lAi2Jc8SoXloqYfdZfn5CGgQCEJwhrDTE5fY
            n1h2JD6tts87gkipSCRoe5D8OnQrnBm3mg==
            -----END EC PRIVATE KEY-----
            """;

    private static final String PKCS8 = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSNmKYtazwKl7NV2m
            Qb3vJWVzpxoPG+9AnskhpXXrnPuhRANCAARJCLLSO8/ED67oLHiUCLYlzxKheWip
            h91l+fkIaBAIQnCGsNMTl9ifWHYkPq22zzuCSKlIJGh7kPw6dCucGbea
            -----END PRIVATE KEY-----
            """;

    /** By triple DES, with which Java cannot do PBES2. */
    private static final String ENCRYPTED_BY_DES3 = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHjME4GCSqGSIb3DQEFDTBBMCkGCSqGSIb3DQEFDDAcBAjHVjI7LNc0IQICCAAw
            DAYIKoZIhvcNAgkFADAUBggqhkiG9w0DBwQISNaBnLR3hw0EgZAvrFWNd37npsEk
            TACFCGovlifL6NDso5A/2/Epeuz2gVHkoZgm2i1P9ja2gftyrR7NH3+hsGSERPW+
            Vhm9kKlpFnttjD2sXJ1IaY3vp2vfReTXDfPu557e9dSJZc40LYxd4A77q2vTAQZC
            5Xh0xpF2X6CnLyuXykCjw3itU6camw504VIXm+VLV/IZ/oUUQRE=
            -----END ENCRYPTED PRIVATE KEY-----
            """;

    private static final String ENCRYPTED = """
            -----BEGIN ENCRYPTED PRIVATE KEY-----
            MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAi8dlrhAHkyxQICCAAw
            DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEENhy0rjYRmYLwesUseng4HMEgZC9
            uxRxx5aWZEONve5P5F4tnVU8RE/pne4gphf4X8xpeBL2zz1fGG6OImOp0Y3VgCiP
            WIS3N8Z8m13W1Pxam9SR+hXR2zfE8HdpjUtxe51ysTjbluKAQ9NZ0yfys3fPs4AP
            01fVRItim26Uk1s0FPPWnu84udxNKcgHuKpk1KgprnCVOP4kAzdrBCAucSN0sDg=
            -----END ENCRYPTED PRIVATE KEY-----
            """;

    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "pem", ""), text);
    }

    private byte[] key(String text, String password) throws IOException {
        return PemFile.read(file(text))
                .privateKey(password == null ? null : password.toCharArray())
                .getEncoded();
    }

    @Test
    @Tag("RFC5915§3")
    @Tag("RFC5958§2")
    void readsAKeyInEachOfItsForms() throws Exception {
        byte[] expected = ((java.security.interfaces.ECPrivateKey)
                        PemFile.read(file(PKCS8)).privateKey(null))
                .getS()
                .toByteArray();
        for (String form : List.of(SEC1, ENCRYPTED, "Bag Attributes\n  friendlyName: x\n" + PKCS8)) {
            var key = (java.security.interfaces.ECPrivateKey)
                    PemFile.read(file(form)).privateKey(TestCertificates.PASSWORD.toCharArray());
            assertArrayEquals(expected, key.getS().toByteArray());
        }
    }

    @Test
    @Tag("RFC8017§A.1.2")
    void readsAnRsaKeyOfTheOldForm() throws Exception {
        byte[] pkcs8 = TestCertificates.of("RSA", "turn.example.org").key.getEncoded();
        // What PKCS#8 puts in front of it is 26 bytes for a key of this length.
        String pkcs1 = TestCertificates.pem("RSA PRIVATE KEY", Arrays.copyOfRange(pkcs8, 26, pkcs8.length));
        assertArrayEquals(pkcs8, key(pkcs1, null));
    }

    @Test
    void saysWhatIsWrongWithAKey() throws Exception {
        assertTrue(assertThrows(IOException.class, () -> key(ENCRYPTED, null))
                .getMessage()
                .contains("passwordFile"));
        assertTrue(assertThrows(IOException.class, () -> key(ENCRYPTED, "wrong"))
                .getMessage()
                .contains("decrypted"));
        assertTrue(assertThrows(IOException.class, () -> key(ENCRYPTED_BY_DES3, "changeit"))
                .getMessage()
                .contains("openssl pkcs8 -topk8 -v2"));
        assertTrue(assertThrows(IOException.class, () -> key("", null))
                .getMessage()
                .contains("no private key"));
        String old = SEC1.replace("KEY-----\nMH", "KEY-----\nProc-Type: 4,ENCRYPTED\nMH");
        assertTrue(assertThrows(IOException.class, () -> key(old, null))
                .getMessage()
                .contains("pkcs8"));
        String cut = SEC1.replaceAll("(?s)AwEH.*-----END", "-----END");
        assertThrows(IOException.class, () -> key(cut, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void readsAChainWithItsKeyAndKeyStores(String algorithm) throws Exception {
        TestCertificates made = TestCertificates.of(algorithm, "turn.example.org");
        Path both = file(made.certificatePem() + made.keyPem());
        TlsIdentity identity = CertificateFiles.read(TestCertificates.settings(List.of(both), List.of(), "auto"))
                .identities()
                .get(0);
        assertEquals(made.certificate, identity.certificate());
        assertEquals(List.of("turn.example.org"), identity.names());

        Path store = directory.resolve("store.p12");
        Files.write(store, made.keyStore);
        TlsSettings settings = new TlsSettings(
                List.of(),
                List.of(),
                store,
                file(TestCertificates.PASSWORD + "\n"),
                TlsSettings.NONE.clientCertificates(),
                null,
                TlsSettings.VERSIONS,
                "auto");
        assertEquals(
                made.certificate,
                CertificateFiles.read(settings).identities().get(0).certificate());
    }

    @Test
    @Tag("RFC6125§6.4.3")
    void comparesServerNames() {
        TestCertificates made = TestCertificates.of("EC", "*.example.com");
        TlsIdentity identity =
                new TlsIdentity(made.key, List.of((java.security.cert.X509Certificate) made.certificate));
        assertTrue(identity.isFor("TURN.example.com", true));
        assertEquals(false, identity.isFor("turn.example.com", false));
        assertEquals(false, identity.isFor("a.turn.example.com", true));
        assertEquals(false, identity.isFor("example.com", true));
        assertEquals(false, identity.isFor("localhost", true));
    }
}
