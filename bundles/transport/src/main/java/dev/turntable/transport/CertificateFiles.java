package dev.turntable.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What is in the certificate files of a listener.
 *
 * @param identities at least one; the first is for clients that ask for no name
 * @param trusted issuers of certificates of clients
 */
record CertificateFiles(List<TlsIdentity> identities, List<X509Certificate> trusted) {
    /** What a file was when it was looked at; null for one that is not there. */
    record Stamp(FileTime modified, long size, Object key) {
        private static Stamp of(Path path) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
                return new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
            } catch (IOException e) {
                return null;
            }
        }
    }

    /** What the files are now. Links are followed: a renewal may be another target. */
    static List<Stamp> stamps(TlsSettings settings) {
        List<Stamp> stamps = new ArrayList<>();
        settings.files().forEach(path -> stamps.add(Stamp.of(path)));
        return Collections.unmodifiableList(stamps);
    }

    /** @throws IOException in words that name the file */
    static CertificateFiles read(TlsSettings settings) throws IOException {
        char[] password = password(settings.passwordFile());
        List<TlsIdentity> identities = new ArrayList<>();
        for (int i = 0; i < settings.certificateFiles().size(); i++) {
            Path certificates = settings.certificateFiles().get(i);
            Path key = settings.keyFiles().isEmpty()
                    ? certificates
                    : settings.keyFiles().get(i);
            TlsIdentity identity = new TlsIdentity(
                    PemFile.read(key).privateKey(password),
                    PemFile.read(certificates).certificates());
            checked(identity, key);
            identities.add(identity);
        }
        if (settings.keyStoreFile() != null) {
            readKeyStore(settings.keyStoreFile(), password, identities);
        }
        List<X509Certificate> trusted = settings.trustFile() == null
                ? List.of()
                : PemFile.read(settings.trustFile()).certificates();
        return new CertificateFiles(List.copyOf(identities), trusted);
    }

    private static void readKeyStore(Path path, char[] password, List<TlsIdentity> identities) throws IOException {
        int before = identities.size();
        try (InputStream in = new java.io.ByteArrayInputStream(PemFile.bytesOf(path))) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            char[] secret = password == null ? new char[0] : password;
            store.load(in, secret);
            for (String alias : Collections.list(store.aliases())) {
                Key key = store.isKeyEntry(alias) ? store.getKey(alias, secret) : null;
                if (key instanceof PrivateKey own) {
                    List<X509Certificate> chain = new ArrayList<>();
                    for (Certificate one : store.getCertificateChain(alias)) {
                        chain.add((X509Certificate) one);
                    }
                    TlsIdentity identity = new TlsIdentity(own, List.copyOf(chain));
                    checked(identity, path);
                    identities.add(identity);
                }
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(path + ": " + e.getMessage(), e);
        } catch (IOException e) {
            String why = e.getMessage() == null ? e.toString() : e.getMessage();
            throw why.startsWith(path.toString()) ? e : new IOException(path + ": " + why, e);
        }
        if (identities.size() == before) {
            throw new IOException(path + ": there is no key with a certificate in it");
        }
    }

    private static void checked(TlsIdentity identity, Path path) throws IOException {
        try {
            identity.check();
        } catch (IOException e) {
            throw new IOException(path + ": " + e.getMessage(), e);
        }
    }

    /** Its first line. */
    private static char[] password(Path path) throws IOException {
        if (path == null) {
            return null;
        }
        return new String(PemFile.bytesOf(path), StandardCharsets.UTF_8)
                .lines()
                .findFirst()
                .orElse("")
                .toCharArray();
    }
}
