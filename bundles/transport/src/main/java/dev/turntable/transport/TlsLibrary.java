package dev.turntable.transport;

import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What speaks TLS. */
enum TlsLibrary {
    /** BoringSSL, with the native library that this bundle carries. Its contexts and engines are released, not collected. */
    OPENSSL(SslProvider.OPENSSL_REFCNT, "BoringSSL"),
    /** Anywhere. */
    JDK(SslProvider.JDK, "the JDK");

    private static final Logger LOG = LoggerFactory.getLogger(TlsLibrary.class);

    private final SslProvider provider;
    private final String label;

    TlsLibrary(SslProvider provider, String label) {
        this.provider = provider;
        this.label = label;
    }

    /**
     * Says in one INFO line which one it is.
     *
     * @param wanted {@code auto}, {@code openssl} or {@code jdk}
     */
    static TlsLibrary choose(String wanted) {
        if (wanted.equals("jdk")) {
            LOG.info("TLS library: the JDK, as configured (tlsLibrary)");
            return JDK;
        }
        Throwable obstacle = obstacleToOpenSsl();
        if (obstacle == null) {
            LOG.info("TLS library: {}", OpenSsl.versionString());
            return OPENSSL;
        }
        LOG.info("TLS library: the JDK, because BoringSSL does not load here: {}", obstacle.toString());
        return JDK;
    }

    private static Throwable obstacleToOpenSsl() {
        try {
            return OpenSsl.unavailabilityCause();
        } catch (LinkageError e) {
            return e;
        }
    }

    SslProvider provider() {
        return provider;
    }

    /** In words. */
    String label() {
        return label;
    }
}
