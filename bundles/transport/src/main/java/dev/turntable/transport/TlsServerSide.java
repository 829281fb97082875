package dev.turntable.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLException;

/** All that a handshake needs, made of one state of the certificate files. Any thread; {@link #release()} once. */
final class TlsServerSide {
    /** RFC 7443 §3. */
    private static final ApplicationProtocolConfig PROTOCOLS = new ApplicationProtocolConfig(
            ApplicationProtocolConfig.Protocol.ALPN,
            ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
            ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
            "stun.turn",
            "stun.nat-discovery");

    /** With forward secrecy and authenticated encryption (RFC 9325 §4.2). */
    private static final List<String> CIPHER_SUITES = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final int LONGEST_HELLO_BYTES = 16_384;

    private final CertificateFiles files;
    private final TlsSettings settings;
    private final List<SslContext> contexts = new ArrayList<>();
    private DtlsServerSide dtls;

    /** @throws SSLException where the library does not take what the files say */
    TlsServerSide(CertificateFiles files, TlsSettings settings, TlsLibrary library) throws SSLException {
        this.files = files;
        this.settings = settings;
        try {
            for (TlsIdentity identity : files.identities()) {
                contexts.add(context(identity, files.trusted(), settings, library));
            }
        } catch (SSLException | RuntimeException e) {
            release();
            throw e;
        }
    }

    private static SslContext context(
            TlsIdentity identity, List<X509Certificate> trusted, TlsSettings settings, TlsLibrary library)
            throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), identity.chain())
                .sslProvider(library.provider())
                .protocols(settings.versions())
                .ciphers(CIPHER_SUITES, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(PROTOCOLS)
                .clientAuth(settings.clientCertificates());
        if (!trusted.isEmpty()) {
            builder.trustManager(trusted);
        }
        return builder.build();
    }

    List<TlsIdentity> identities() {
        return files.identities();
    }

    /**
     * The same for DTLS; made when it is asked for first.
     *
     * @throws IOException where its library does not take what the files say
     */
    synchronized DtlsServerSide dtls(DtlsCrypto crypto) throws IOException {
        if (dtls == null) {
            dtls = new DtlsServerSide(files, settings.clientCertificates(), crypto);
        }
        return dtls;
    }

    /** First handler of a connection whose client is about to say hello. */
    ChannelHandler newHandler(ByteBufAllocator allocator) {
        if (contexts.size() == 1) {
            return newHandler(contexts.get(0), allocator);
        }
        return new SniHandler(this::forServerName, LONGEST_HELLO_BYTES, 0) {
            @Override
            protected SslHandler newSslHandler(SslContext context, ByteBufAllocator ignored) {
                return TlsServerSide.newHandler(context, allocator);
            }
        };
    }

    /** Its handshake has no time limit of its own: the whole admission has one. */
    private static SslHandler newHandler(SslContext context, ByteBufAllocator allocator) {
        SslHandler handler = context.newHandler(allocator);
        handler.setHandshakeTimeoutMillis(0);
        // What is written is a record; by default several become one.
        handler.setWrapDataSize(0);
        return handler;
    }

    private SslContext forServerName(String name) {
        for (boolean wildcards : new boolean[] {false, true}) {
            for (int i = 0; name != null && i < contexts.size(); i++) {
                if (files.identities().get(i).isFor(name, wildcards)) {
                    return contexts.get(i);
                }
            }
        }
        return contexts.get(0);
    }

    /** Connections that have begun go on: each holds what it needs. */
    void release() {
        contexts.forEach(ReferenceCountUtil::release);
    }
}
