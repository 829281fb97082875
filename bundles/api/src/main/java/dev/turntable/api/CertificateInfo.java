package dev.turntable.api;

import java.time.Instant;
import java.util.List;

/**
 * A certificate that a listener shows to its clients.
 *
 * @param listener name of the listener
 * @param names DNS names and addresses that it is for; the client's wish (SNI) is compared with them
 * @param subject distinguished name
 * @param issuer distinguished name
 * @param keyType algorithm of the key, such as {@code EC}
 * @param notBefore valid from
 * @param notAfter valid until
 * @param daysLeft whole days until then, negative once it has passed
 * @param sha256 fingerprint of the certificate, 64 hexadecimal digits
 * @param chainLength certificates that are sent, its own included
 * @param preferred whether a client that names no server, or one that is not here, is shown this one
 * @param problem why files that are newer are not used; empty where nothing is wrong
 */
public record CertificateInfo(
        String listener,
        List<String> names,
        String subject,
        String issuer,
        String keyType,
        Instant notBefore,
        Instant notAfter,
        long daysLeft,
        String sha256,
        int chainLength,
        boolean preferred,
        String problem) {}
