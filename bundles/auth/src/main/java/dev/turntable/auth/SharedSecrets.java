package dev.turntable.auth;

import dev.turntable.api.auth.CredentialAnswer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The shared secrets of one reading of the file, in its order. A password is the base64 text of HMAC(secret, username), with
 * SHA-1 or SHA-256. Does not show what it holds.
 */
final class SharedSecrets {
    static final SharedSecrets NONE = new SharedSecrets(List.of());

    /** Each is good for two passwords. */
    static final int MAX_SECRETS = CredentialAnswer.Passwords.MAX_PASSWORDS / 2;

    private static final int MAX_CHARACTERS = 1024;

    private final List<byte[]> secrets;

    private SharedSecrets(List<byte[]> secrets) {
        this.secrets = secrets;
    }

    /** One secret a line; empty lines and those that begin with {@code #} do not count. */
    static SharedSecrets parse(String[] lines) throws CredentialFile.BadLine {
        Set<String> found = new HashSet<>();
        List<byte[]> secrets = new ArrayList<>();
        for (int i = 0; i < lines.length; i++) {
            if (lines[i].isEmpty() || lines[i].startsWith("#")) {
                continue;
            }
            if (lines[i].length() > MAX_CHARACTERS) {
                throw new CredentialFile.BadLine(i + 1, "it is longer than " + MAX_CHARACTERS + " characters");
            }
            if (found.add(lines[i])) {
                secrets.add(lines[i].getBytes(StandardCharsets.UTF_8));
            }
        }
        if (secrets.isEmpty()) {
            throw new CredentialFile.BadLine(0, "there is no secret in it");
        }
        if (secrets.size() > MAX_SECRETS) {
            throw new CredentialFile.BadLine(0, "there are more than " + MAX_SECRETS + " secrets in it");
        }
        return new SharedSecrets(List.copyOf(secrets));
    }

    boolean isEmpty() {
        return secrets.isEmpty();
    }

    /** The password that is minted: first secret, HMAC-SHA1, which every client and server of this scheme knows. */
    String mint(String username) {
        return password("HmacSHA1", secrets.get(0), username);
    }

    /** Every password that a client of that name may hold, SHA-1 before SHA-256. */
    List<String> passwords(String username) {
        List<String> passwords = new ArrayList<>(2 * secrets.size());
        for (byte[] secret : secrets) {
            passwords.add(password("HmacSHA1", secret, username));
        }
        for (byte[] secret : secrets) {
            passwords.add(password("HmacSHA256", secret, username));
        }
        return passwords;
    }

    private static String password(String algorithm, byte[] secret, String username) {
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(secret, algorithm));
            return Base64.getEncoder().encodeToString(mac.doFinal(username.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(algorithm + " is missing in this Java", e);
        }
    }

    @Override
    public String toString() {
        return "SharedSecrets[" + secrets.size() + "]";
    }
}
