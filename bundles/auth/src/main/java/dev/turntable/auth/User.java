package dev.turntable.auth;

import dev.turntable.auth.CredentialFile.BadLine;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A line of the users file.
 *
 * <pre>
 * name:password
 * name:{PLAIN}password                            a password that begins with a brace
 * name:{MD5}32 hex digits:realm                   HA1: MD5(name:realm:password)
 * name:{SHA256}64 hex digits:realm                SHA-256(name:realm:password)
 * name:{MD5}32 digits:{SHA256}64 digits:realm     both, for clients of either kind
 * </pre>
 *
 * <p>The name ends at the first colon; a realm or a password may hold some. Does not show its secrets.
 */
sealed interface User {
    String name();

    /** Whether SHA-256 can authenticate this user (RFC 8489 §9.2.1). */
    boolean knowsSha256();

    record WithPassword(String name, String password) implements User {
        @Override
        public boolean knowsSha256() {
            return true;
        }

        @Override
        public String toString() {
            return "User[" + name + "]";
        }
    }

    /** Keys are null where the line has none of that kind; they are good for one realm. */
    record WithKeys(String name, String realm, byte[] md5Key, byte[] sha256Key) implements User {
        @Override
        public boolean knowsSha256() {
            return sha256Key != null;
        }

        @Override
        public String toString() {
            return "User[" + name + "]";
        }
    }

    /** Reads a line; the number is for the complaint. */
    static User parse(int number, String line) throws BadLine {
        int colon = line.indexOf(':');
        if (colon < 1) {
            throw new BadLine(number, "it is not of the form name:password");
        }
        String name = Users.prepared(line.substring(0, colon).strip());
        String rest = line.substring(colon + 1).strip();
        if (name.isEmpty() || rest.isEmpty()) {
            throw new BadLine(number, "the name or the password is empty");
        }
        if (!rest.startsWith("{")) {
            return new WithPassword(name, rest);
        }
        if (rest.startsWith("{PLAIN}") && rest.length() > "{PLAIN}".length()) {
            return new WithPassword(name, rest.substring("{PLAIN}".length()));
        }
        byte[] md5Key = null;
        byte[] sha256Key = null;
        while (rest.startsWith("{MD5}") || rest.startsWith("{SHA256}")) {
            boolean md5 = rest.startsWith("{MD5}");
            int end = rest.indexOf(':');
            if (end < 0) {
                throw new BadLine(number, "the realm is missing behind the hash");
            }
            byte[] key = key(number, rest.substring(rest.indexOf('}') + 1, end), md5 ? 16 : 32);
            if ((md5 ? md5Key : sha256Key) != null) {
                throw new BadLine(number, "the same kind of hash is in it twice");
            }
            md5Key = md5 ? key : md5Key;
            sha256Key = md5 ? sha256Key : key;
            rest = rest.substring(end + 1);
        }
        if (md5Key == null && sha256Key == null) {
            throw new BadLine(number, "the hash is none of {MD5} and {SHA256} (a password with a brace: {PLAIN})");
        }
        if (rest.isEmpty()) {
            throw new BadLine(number, "the realm behind the hash is empty");
        }
        return new WithKeys(name, rest, md5Key, sha256Key);
    }

    private static byte[] key(int number, String digits, int bytes) throws BadLine {
        try {
            byte[] key = HexFormat.of().parseHex(digits.toLowerCase(Locale.ROOT));
            if (key.length == bytes) {
                return key;
            }
        } catch (IllegalArgumentException e) {
            // Its message quotes a digit: told below without.
        }
        throw new BadLine(number, "the hash is not of " + 2 * bytes + " hexadecimal digits");
    }
}
