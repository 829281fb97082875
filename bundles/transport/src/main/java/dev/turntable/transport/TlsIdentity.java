package dev.turntable.transport;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Who the server is to a client: a chain of certificates and the key of the first.
 *
 * @param chain the server's own first; at least one
 */
record TlsIdentity(PrivateKey key, List<X509Certificate> chain) {
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final Pattern COMMON_NAME = Pattern.compile("(?:^|[,+])CN=([^,+]+)");

    X509Certificate certificate() {
        return chain.get(0);
    }

    /** @throws IOException where the key is not that of the certificate */
    void check() throws IOException {
        try {
            byte[] said = certificate().getEncoded();
            Signature signature = Signature.getInstance(
                    switch (key.getAlgorithm()) {
                        case "RSA" -> "SHA256withRSA";
                        case "EC" -> "SHA256withECDSA";
                        default -> key.getAlgorithm();
                    });
            signature.initSign(key);
            signature.update(said);
            byte[] signed = signature.sign();
            PublicKey other = certificate().getPublicKey();
            signature.initVerify(other);
            signature.update(said);
            if (signature.verify(signed)) {
                return;
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(mismatch(), e);
        }
        throw new IOException(mismatch());
    }

    private String mismatch() {
        return "the key is not that of the certificate of " + certificate().getSubjectX500Principal();
    }

    /** DNS names and addresses that the certificate is for, in lower case; the common name where it names none. */
    List<String> names() {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> all = certificate().getSubjectAlternativeNames();
            for (List<?> one : all == null ? List.<List<?>>of() : all) {
                if (one.get(0).equals(DNS_NAME) || one.get(0).equals(IP_ADDRESS)) {
                    names.add(one.get(1).toString().toLowerCase(Locale.ROOT));
                }
            }
            if (names.isEmpty()) {
                String subject = certificate().getSubjectX500Principal().getName();
                Matcher name = COMMON_NAME.matcher(subject);
                if (name.find()) {
                    names.add(name.group(1).toLowerCase(Locale.ROOT));
                }
            }
        } catch (CertificateParsingException e) {
            // It is shown to those who ask for no name.
        }
        return names;
    }

    /** Whether the certificate is for a server name, which may be what stands behind {@code *} (RFC 6125 §6.4.3). */
    boolean isFor(String serverName, boolean wildcards) {
        String asked = serverName.toLowerCase(Locale.ROOT);
        int dot = asked.indexOf('.');
        return names().contains(wildcards ? dot < 0 ? "" : "*" + asked.substring(dot) : asked);
    }
}
