package dev.turntable.transport;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.EdECPrivateKey;
import org.bouncycastle.tls.Certificate;
import org.bouncycastle.tls.CipherSuite;
import org.bouncycastle.tls.DefaultTlsCredentialedSigner;
import org.bouncycastle.tls.SignatureAlgorithm;
import org.bouncycastle.tls.SignatureAndHashAlgorithm;
import org.bouncycastle.tls.TlsContext;
import org.bouncycastle.tls.TlsCredentials;
import org.bouncycastle.tls.TlsUtils;
import org.bouncycastle.tls.crypto.TlsCertificate;
import org.bouncycastle.tls.crypto.TlsCryptoParameters;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaDefaultTlsCredentialedSigner;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaTlsEd25519Signer;

/**
 * Who the server is, as Bouncy Castle wants to know it.
 *
 * @param signature of {@link SignatureAlgorithm}, that of the key
 */
record DtlsIdentity(TlsIdentity identity, Certificate chain, short signature) {
    /** With forward secrecy and authenticated encryption (RFC 9325 §4.2). The library takes any that both know, also one that does not fit the key. */
    private static final int[] ECDSA_SUITES = {
        CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        CipherSuite.TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256
    };

    private static final int[] RSA_SUITES = {
        CipherSuite.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        CipherSuite.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        CipherSuite.TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256
    };

    static DtlsIdentity of(TlsIdentity identity, DtlsCrypto crypto) throws IOException {
        TlsCertificate[] chain = new TlsCertificate[identity.chain().size()];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = crypto.createCertificate(encoded(identity.chain().get(i)));
        }
        return new DtlsIdentity(identity, new Certificate(chain), signatureOf(identity.key()));
    }

    private static short signatureOf(PrivateKey key) throws IOException {
        if (key instanceof EdECPrivateKey edwards
                && edwards.getParams().getName().equals("Ed25519")) {
            return SignatureAlgorithm.ed25519;
        }
        return switch (key.getAlgorithm()) {
            case "RSA" -> SignatureAlgorithm.rsa;
            case "EC" -> SignatureAlgorithm.ecdsa;
            default -> throw new IOException("keys of " + key.getAlgorithm() + " are not for DTLS");
        };
    }

    private static byte[] encoded(X509Certificate certificate) throws IOException {
        try {
            return certificate.getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    /** Signs with the key, in one way that the client understands. */
    TlsCredentials credentials(TlsContext context, DtlsCrypto crypto) throws IOException {
        SignatureAndHashAlgorithm chosen = TlsUtils.chooseSignatureAndHashAlgorithm(
                context, context.getSecurityParametersHandshake().getClientSigAlgs(), signature);
        TlsCryptoParameters parameters = new TlsCryptoParameters(context);
        // The JDK has another name for such a key than the library looks for.
        return signature == SignatureAlgorithm.ed25519
                ? new DefaultTlsCredentialedSigner(
                        parameters, new JcaTlsEd25519Signer(crypto, identity.key()), chain, chosen)
                : new JcaDefaultTlsCredentialedSigner(parameters, crypto, identity.key(), chain, chosen);
    }

    /** Those that fit the key. */
    int[] cipherSuites() {
        return signature == SignatureAlgorithm.rsa ? RSA_SUITES : ECDSA_SUITES;
    }
}
