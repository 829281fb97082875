package dev.turntable.auth;

/**
 * The username of a time-limited credential, {@code expiry:name}: the second (wall clock, since 1970) from which it is no longer
 * good, and whatever the service that minted it put behind the colon, further colons included.
 */
record RestUsername(long expiresAtEpochSecond, String name) {
    /** Digits of the largest second that is of use; also keeps the number within a long. */
    private static final int MAX_DIGITS = 18;

    /**
     * Reads a username; null if it is not of that form. A number alone is not: the users file may know a telephone
     * number.
     */
    static RestUsername parse(String username) {
        int colon = username.indexOf(':');
        if (colon < 1 || colon > MAX_DIGITS) {
            return null;
        }
        long second = 0;
        for (int i = 0; i < colon; i++) {
            char c = username.charAt(i);
            if (c < '0' || c > '9') {
                return null;
            }
            second = 10 * second + (c - '0');
        }
        return new RestUsername(second, username.substring(colon + 1));
    }
}
