package dev.turntable.api.auth;

import java.util.List;

/** What a credential source answers. Secrets never appear in {@code toString()}. */
public sealed interface CredentialAnswer {
    /** The one answer of its kind: this source does not know the user, ask the next. */
    Unknown UNKNOWN = new Unknown();

    /**
     * A user with a password.
     *
     * @param username the name, needed where the query was by userhash
     * @param password as the user types it; prepared with OpaqueString by the server (RFC 8489 §9.2.2)
     * @param expiresAtEpochSecond wall-clock second from which it is no longer good; 0 for never
     */
    record Password(String username, String password, long expiresAtEpochSecond) implements CredentialAnswer {
        @Override
        public String toString() {
            return "Password[username=" + username + "]";
        }
    }

    /**
     * A user of whom the source cannot say which of several passwords the client holds: TURN REST shared secrets give one for each
     * secret and each algorithm. The server tries them in order against the integrity of the request; the first that fits is the
     * user's password from then on, for the answer and for the key of the allocation, as though it had come in a {@link Password}.
     * Where none fits the request is answered 401 (RFC 8489 §9.2.4), as with a wrong password.
     *
     * @param passwords 1 to {@value #MAX_PASSWORDS}, the likeliest first; each is prepared as that of {@link Password} is
     * @param expiresAtEpochSecond wall-clock second from which they are no longer good; 0 for never
     */
    record Passwords(String username, List<String> passwords, long expiresAtEpochSecond) implements CredentialAnswer {
        /** Trying one costs a hash of the whole request, also for an attacker's. */
        public static final int MAX_PASSWORDS = 16;

        public Passwords {
            passwords = List.copyOf(passwords);
            if (passwords.isEmpty() || passwords.size() > MAX_PASSWORDS) {
                throw new IllegalArgumentException(passwords.size() + " passwords");
            }
        }

        @Override
        public String toString() {
            return "Passwords[username=" + username + "]";
        }
    }

    /**
     * A user with ready keys.
     *
     * @param md5Key MD5(username:realm:password), 16 bytes, or null
     * @param sha256Key SHA-256(username:realm:password), 32 bytes, or null
     * @param expiresAtEpochSecond wall-clock second from which it is no longer good; 0 for never
     */
    record Keys(String username, byte[] md5Key, byte[] sha256Key, long expiresAtEpochSecond)
            implements CredentialAnswer {
        @Override
        public String toString() {
            return "Keys[username=" + username + "]";
        }
    }

    /** Not known to this source. */
    record Unknown() implements CredentialAnswer {}

    /** Known, and not to be let in: the sources after it are not asked. The reason is for the log alone. */
    record Refused(String reason) implements CredentialAnswer {}

    /** The source could not tell: the client is answered 500 and may try again. The reason is for the log alone. */
    record Unavailable(String reason) implements CredentialAnswer {}
}
