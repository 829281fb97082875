package dev.turntable.auth;

import dev.turntable.auth.CredentialFile.BadLine;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.HashMap;
import java.util.Map;

/** The users of one reading of the file. Any thread. */
final class Users {
    static final Users NONE = new Users(Map.of());

    private final Map<String, User> byName;
    private final boolean allKnowSha256;
    private volatile Hashes hashes;

    private record Hashes(String realm, Map<ByteBuffer, User> byUserhash) {}

    private Users(Map<String, User> byName) {
        this.byName = byName;
        this.allKnowSha256 = byName.values().stream().allMatch(User::knowsSha256);
    }

    /** One user a line; empty lines and those that begin with {@code #} do not count. */
    static Users parse(String[] lines) throws BadLine {
        Map<String, User> byName = new HashMap<>();
        for (int i = 0; i < lines.length; i++) {
            if (lines[i].isEmpty() || lines[i].startsWith("#")) {
                continue;
            }
            User user = User.parse(i + 1, lines[i]);
            if (byName.put(user.name(), user) != null) {
                throw new BadLine(i + 1, "the name is there twice");
            }
        }
        return new Users(byName);
    }

    /**
     * A name in the form in which it is compared: the part of OpaqueString (RFC 8265 §4.2) that changes a text. Two
     * spellings of one name are one user.
     */
    static String prepared(String name) {
        boolean ascii = true;
        for (int i = 0; i < name.length() && ascii; i++) {
            ascii = name.charAt(i) < 0x80;
        }
        if (ascii) {
            return name;
        }
        StringBuilder spaced = new StringBuilder(name);
        for (int i = 0; i < spaced.length(); i++) {
            if (Character.getType(spaced.charAt(i)) == Character.SPACE_SEPARATOR) {
                spaced.setCharAt(i, ' ');
            }
        }
        return Normalizer.normalize(spaced, Normalizer.Form.NFC);
    }

    boolean allKnowSha256() {
        return allKnowSha256;
    }

    /** The user of that name, null if there is none. */
    User named(String name) {
        return byName.get(prepared(name));
    }

    /** Whether {@link #withUserhash} answers at once: the hashes of a realm are made when they are first asked for. */
    boolean isHashedFor(String realm) {
        Hashes made = hashes;
        return made != null && made.realm.equals(realm);
    }

    /** The user whose name has that hash, null if there is none. The first call for a realm hashes every name. */
    User withUserhash(byte[] userhash, String realm) {
        Hashes made = hashes;
        if (made == null || !made.realm.equals(realm)) {
            made = new Hashes(realm, new HashMap<>());
            for (User user : byName.values()) {
                made.byUserhash.put(ByteBuffer.wrap(userhash(user.name(), realm)), user);
            }
            hashes = made;
        }
        return made.byUserhash.get(ByteBuffer.wrap(userhash));
    }

    /** SHA-256(name:realm), 32 bytes (RFC 8489 §14.4). */
    static byte[] userhash(String name, String realm) {
        try {
            return MessageDigest.getInstance("SHA-256").digest((name + ":" + realm).getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-256 is missing in this Java", e);
        }
    }
}
