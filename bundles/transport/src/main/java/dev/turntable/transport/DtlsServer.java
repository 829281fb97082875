package dev.turntable.transport;

import io.netty.handler.ssl.ClientAuth;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Vector;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.tls.AlertDescription;
import org.bouncycastle.tls.Certificate;
import org.bouncycastle.tls.CertificateRequest;
import org.bouncycastle.tls.ClientCertificateType;
import org.bouncycastle.tls.DefaultTlsServer;
import org.bouncycastle.tls.NameType;
import org.bouncycastle.tls.NamedGroup;
import org.bouncycastle.tls.ProtocolName;
import org.bouncycastle.tls.ProtocolVersion;
import org.bouncycastle.tls.ServerName;
import org.bouncycastle.tls.TlsCredentials;
import org.bouncycastle.tls.TlsFatalAlert;
import org.bouncycastle.tls.TlsUtils;
import org.bouncycastle.tls.crypto.TlsCertificate;

/** The server's part in one DTLS 1.2 handshake. The thread of that handshake. */
final class DtlsServer extends DefaultTlsServer {
    /** From the hello on. */
    static final int HANDSHAKE_MILLIS = 10_000;

    /** RFC 7443 §3. */
    private static final Vector<ProtocolName> PROTOCOLS = new Vector<>(
            List.of(ProtocolName.asUtf8Encoding("stun.turn"), ProtocolName.asUtf8Encoding("stun.nat-discovery")));

    /** Those that the JDK has as well. */
    private static final int[] GROUPS = {NamedGroup.x25519, NamedGroup.secp256r1, NamedGroup.secp384r1};

    private final DtlsServerSide side;
    private DtlsIdentity identity;

    DtlsServer(DtlsServerSide side) {
        super(side.crypto());
        this.side = side;
        identity = side.identityFor(List.of());
    }

    @Override
    protected ProtocolVersion[] getSupportedVersions() {
        return ProtocolVersion.DTLSv12.only();
    }

    @Override
    protected int[] getSupportedCipherSuites() {
        return identity.cipherSuites();
    }

    @Override
    public int getHandshakeTimeoutMillis() {
        return HANDSHAKE_MILLIS;
    }

    // What the client asks for

    /** Comes before the choice of a cipher suite. */
    @Override
    @SuppressWarnings("rawtypes")
    public void processClientExtensions(Hashtable extensions) throws IOException {
        super.processClientExtensions(extensions);
        List<String> names = new ArrayList<>();
        List<?> asked = context.getSecurityParametersHandshake().getClientServerNames();
        for (Object one : asked == null ? List.of() : asked) {
            if (one instanceof ServerName name && name.getNameType() == NameType.host_name) {
                names.add(new String(name.getNameData(), StandardCharsets.US_ASCII));
            }
        }
        identity = side.identityFor(names);
        cipherSuites = identity.cipherSuites();
    }

    @Override
    protected Vector<ProtocolName> getProtocolNames() {
        return PROTOCOLS;
    }

    /** Without one in common it goes on without, as over TLS. */
    @Override
    protected ProtocolName selectProtocolName() {
        return selectProtocolName(clientProtocolNames, PROTOCOLS);
    }

    @Override
    public int[] getSupportedGroups() {
        return GROUPS.clone();
    }

    @Override
    protected int getMaximumNegotiableCurveBits() {
        int group = selectECDH(0);
        return group < 0 ? 0 : NamedGroup.getCurveBits(group);
    }

    /** Of which it is asked for 256 bits or so, whatever the suite. */
    @Override
    protected int selectECDH(int minimumBits) {
        return context.getSecurityParametersHandshake().getClientSupportedGroups() == null
                ? NamedGroup.secp256r1
                : commonGroup();
    }

    /** -1 where there is none. */
    private int commonGroup() {
        int[] offered = context.getSecurityParametersHandshake().getClientSupportedGroups();
        for (int group : GROUPS) {
            for (int one : offered) {
                if (one == group) {
                    return group;
                }
            }
        }
        return -1;
    }

    @Override
    protected boolean allowCertificateStatus() {
        return false;
    }

    // Who both are

    @Override
    public TlsCredentials getCredentials() throws IOException {
        return identity.credentials(context, side.crypto());
    }

    @Override
    public CertificateRequest getCertificateRequest() throws IOException {
        if (side.clientCertificates() == ClientAuth.NONE) {
            return null;
        }
        Vector<X500Name> issuers = new Vector<>();
        for (X509Certificate issuer : side.issuers()) {
            issuers.add(X500Name.getInstance(issuer.getSubjectX500Principal().getEncoded()));
        }
        short[] types = {ClientCertificateType.ecdsa_sign, ClientCertificateType.rsa_sign};
        return new CertificateRequest(types, TlsUtils.getDefaultSupportedSignatureAlgorithms(context), issuers);
    }

    @Override
    public void notifyClientCertificate(Certificate shown) throws IOException {
        if (shown == null || shown.isEmpty()) {
            if (side.clientCertificates() == ClientAuth.REQUIRE) {
                throw new TlsFatalAlert(AlertDescription.handshake_failure);
            }
            return;
        }
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            List<X509Certificate> chain = new ArrayList<>();
            for (TlsCertificate one : shown.getCertificateList()) {
                chain.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(one.getEncoded())));
            }
            side.checkClient(chain);
        } catch (GeneralSecurityException e) {
            throw new TlsFatalAlert(AlertDescription.bad_certificate, e);
        }
    }
}
