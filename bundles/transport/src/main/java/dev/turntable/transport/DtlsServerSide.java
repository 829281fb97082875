package dev.turntable.transport;

import io.netty.handler.ssl.ClientAuth;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** All that a DTLS handshake needs, made of one state of the certificate files. Any thread. */
final class DtlsServerSide {
    private final DtlsCrypto crypto;
    private final List<DtlsIdentity> identities = new ArrayList<>();
    private final ClientAuth clientCertificates;
    private final X509TrustManager trust;

    /** @throws IOException where the library does not take what the files say */
    DtlsServerSide(CertificateFiles files, ClientAuth clientCertificates, DtlsCrypto crypto) throws IOException {
        this.crypto = crypto;
        this.clientCertificates = clientCertificates;
        for (TlsIdentity identity : files.identities()) {
            identities.add(DtlsIdentity.of(identity, crypto));
        }
        try {
            trust = clientCertificates == ClientAuth.NONE ? null : trust(files.trusted());
        } catch (GeneralSecurityException e) {
            throw new IOException("issuers of certificates of clients: " + e.getMessage(), e);
        }
    }

    /** @param issuers none for those that the JDK trusts */
    private static X509TrustManager trust(List<X509Certificate> issuers) throws GeneralSecurityException, IOException {
        KeyStore store = null;
        if (!issuers.isEmpty()) {
            store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            for (X509Certificate issuer : issuers) {
                store.setCertificateEntry(Integer.toString(store.size()), issuer);
            }
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509TrustManager found) {
                return found;
            }
        }
        throw new GeneralSecurityException("this JDK judges no certificates");
    }

    /** For one handshake. */
    DtlsServer newServer() {
        return new DtlsServer(this);
    }

    DtlsCrypto crypto() {
        return crypto;
    }

    /** For a client that asks for these names, or none. */
    DtlsIdentity identityFor(List<String> names) {
        for (boolean wildcards : new boolean[] {false, true}) {
            for (String name : names) {
                for (DtlsIdentity identity : identities) {
                    if (identity.identity().isFor(name, wildcards)) {
                        return identity;
                    }
                }
            }
        }
        return identities.get(0);
    }

    ClientAuth clientCertificates() {
        return clientCertificates;
    }

    List<X509Certificate> issuers() {
        return List.of(trust.getAcceptedIssuers());
    }

    void checkClient(List<X509Certificate> chain) throws CertificateException {
        trust.checkClientTrusted(
                chain.toArray(new X509Certificate[0]),
                chain.get(0).getPublicKey().getAlgorithm());
    }
}
