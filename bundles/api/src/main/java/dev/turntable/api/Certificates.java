package dev.turntable.api;

import java.util.List;

/** The certificates that are in use. Any thread. */
public interface Certificates {
    /** All of them, by listener; the preferred one of each first. */
    List<CertificateInfo> certificates();
}
