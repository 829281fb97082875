package dev.turntable.transport;

import dev.turntable.api.CertificateInfo;
import dev.turntable.api.ListenerInfo;
import dev.turntable.state.ServerState;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate files of a listener, looked at every few seconds. What they said when they last made sense is in use; what they say now
 * is judged when it has stayed the same from one look to the next, so that a chain is not taken without its key.
 */
final class CertificateWatch {
    private static final Logger LOG = LoggerFactory.getLogger(CertificateWatch.class);

    private final String listener;
    private final ServerState server;
    private TlsSettings settings = TlsSettings.NONE;
    private TlsLibrary library;
    private List<CertificateFiles.Stamp> seen = List.of();
    private List<CertificateFiles.Stamp> judged = List.of();
    private TlsServerSide retired;
    private volatile TlsServerSide current;
    private volatile String problem = "";

    CertificateWatch(String listener, ServerState server) {
        this.listener = listener;
        this.server = server;
    }

    /** Name of the listener. */
    String listener() {
        return listener;
    }

    /** What a new handshake uses; null while there is nothing. Any thread. */
    TlsServerSide current() {
        return current;
    }

    /** Why the files are not used as they are now; empty where they are. Any thread. */
    String problem() {
        return problem;
    }

    synchronized boolean isConfigured() {
        return settings.isConfigured();
    }

    /** Takes other settings and reads what they name, before it returns. The same ones change nothing. */
    synchronized void configure(TlsSettings wanted) {
        if (wanted.equals(settings)) {
            return;
        }
        if (library == null || !wanted.library().equals(settings.library())) {
            library = null;
        }
        settings = wanted;
        setProblem("");
        if (settings.isConfigured()) {
            judge(CertificateFiles.stamps(settings));
        } else {
            use(null);
        }
    }

    /** Looks at the files; on the thread that does it every few seconds. */
    synchronized void check() {
        releaseRetired();
        if (!settings.isConfigured()) {
            return;
        }
        List<CertificateFiles.Stamp> now = CertificateFiles.stamps(settings);
        boolean isSettled = now.equals(seen);
        seen = now;
        if (isSettled && !now.equals(judged)) {
            judge(now);
        }
    }

    private void judge(List<CertificateFiles.Stamp> stamps) {
        seen = stamps;
        judged = stamps;
        try {
            if (library == null) {
                library = TlsLibrary.choose(settings.library());
            }
            TlsServerSide made = new TlsServerSide(CertificateFiles.read(settings), settings, library);
            use(made);
            setProblem("");
            for (CertificateInfo info : list()) {
                LOG.info(
                        "Listener {} shows the certificate of {}, {} days left",
                        listener,
                        info.subject(),
                        info.daysLeft());
                if (info.daysLeft() < 0) {
                    LOG.warn("Listener {}: the certificate of {} has expired", listener, info.subject());
                }
            }
        } catch (IOException | RuntimeException e) {
            setProblem(e.getMessage() == null ? e.toString() : e.getMessage());
            LOG.error(
                    "Listener {}: the certificate files are not used, {}: {}",
                    listener,
                    current == null ? "and there is nothing to speak TLS with" : "the old ones go on",
                    problem);
        }
    }

    /** A handshake may be about to begin with the old one: it is let go at the next look. */
    private void use(TlsServerSide next) {
        releaseRetired();
        retired = current;
        current = next;
    }

    private void releaseRetired() {
        if (retired != null) {
            retired.release();
            retired = null;
        }
    }

    /** After this no handshake begins. */
    synchronized void close() {
        settings = TlsSettings.NONE;
        setProblem("");
        use(null);
        releaseRetired();
    }

    private void setProblem(String why) {
        problem = why;
        server.problem(
                ListenerConfiguration.FACTORY_PID + ' ' + listener + " certificates",
                why.isEmpty() ? "" : "certificate files of listener " + listener + " are not used: " + why);
    }

    /** Days of the one that expires first. */
    int daysLeft() {
        TlsServerSide now = current;
        long least = Long.MAX_VALUE;
        for (TlsIdentity identity : now == null ? List.<TlsIdentity>of() : now.identities()) {
            least = Math.min(least, daysLeft(identity.certificate()));
        }
        return least == Long.MAX_VALUE ? ListenerInfo.NO_CERTIFICATE : (int) least;
    }

    private static long daysLeft(X509Certificate certificate) {
        // Rounded down, also below zero.
        long seconds = Duration.between(Instant.now(), certificate.getNotAfter().toInstant())
                .toSeconds();
        return Math.floorDiv(seconds, Duration.ofDays(1).toSeconds());
    }

    List<CertificateInfo> list() {
        TlsServerSide now = current;
        List<CertificateInfo> list = new ArrayList<>();
        for (TlsIdentity identity : now == null ? List.<TlsIdentity>of() : now.identities()) {
            X509Certificate certificate = identity.certificate();
            list.add(new CertificateInfo(
                    listener,
                    identity.names(),
                    certificate.getSubjectX500Principal().getName(),
                    certificate.getIssuerX500Principal().getName(),
                    certificate.getPublicKey().getAlgorithm(),
                    certificate.getNotBefore().toInstant(),
                    certificate.getNotAfter().toInstant(),
                    daysLeft(certificate),
                    sha256(certificate),
                    identity.chain().size(),
                    list.isEmpty(),
                    problem));
        }
        return list;
    }

    private static String sha256(X509Certificate certificate) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
