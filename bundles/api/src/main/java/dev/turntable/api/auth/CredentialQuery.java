package dev.turntable.api.auth;

/** Whom a credential source is asked for. */
public sealed interface CredentialQuery {
    /** The realm of the server. */
    String realm();

    /** By the USERNAME attribute, as it came (attacker's text: escape it where it is printed or handed on). */
    record ByName(String username, String realm) implements CredentialQuery {}

    /** By the USERHASH attribute: SHA-256 of {@code username:realm}, 32 bytes (RFC 8489 §14.4). */
    record ByUserhash(byte[] userhash, String realm) implements CredentialQuery {}
}
