package dev.turntable.auth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("RFC8489§9.2")
class UsersSourceTest {
    private static final String REALM = "example.org";
    private static final String MD5 = "543e1aec5d3614f03141652d6ada51b2";
    private static final String SHA256 = "d1659fff7a501be15962adc35514ca6a5868905695f2dd1093741f931e000a1f";

    @TempDir
    Path etc;

    private Path file;
    private final FileWatch watch = new FileWatch();
    private final LogLines log = new LogLines();

    @BeforeEach
    void nameTheFile() {
        file = etc.resolve("turntable.users");
    }

    @AfterEach
    void stopWatching() throws InterruptedException {
        watch.stop();
        log.close();
    }

    @Test
    void answersThePasswordOfAUser() throws IOException {
        write("# comment", "", "alice:secret:with:colons", "bob : {PLAIN}{MD5}odd ");
        UsersSource source = source();
        assertEquals(new CredentialAnswer.Password("alice", "secret:with:colons", 0), find(source, "alice"));
        assertEquals(new CredentialAnswer.Password("bob", "{MD5}odd", 0), find(source, "bob"));
        assertSame(CredentialAnswer.UNKNOWN, find(source, "carol"));
        assertSame(CredentialAnswer.UNKNOWN, find(source, "Alice"));
    }

    @Test
    @Tag("RFC8489§9.2.2")
    void answersTheKeysOfAUserWhosePasswordIsNotKnown() throws IOException {
        write(
                "md5:{MD5}" + MD5 + ":" + REALM,
                "sha256:{SHA256}" + SHA256.toUpperCase(java.util.Locale.ROOT) + ":" + REALM,
                "both:{MD5}" + MD5 + ":{SHA256}" + SHA256 + ":" + REALM);
        UsersSource source = source();
        CredentialAnswer.Keys md5 = assertInstanceOf(CredentialAnswer.Keys.class, find(source, "md5"));
        assertArrayEquals(HexFormat.of().parseHex(MD5), md5.md5Key());
        assertNull(md5.sha256Key());
        CredentialAnswer.Keys sha256 = assertInstanceOf(CredentialAnswer.Keys.class, find(source, "sha256"));
        assertNull(sha256.md5Key());
        assertArrayEquals(HexFormat.of().parseHex(SHA256), sha256.sha256Key());
        CredentialAnswer.Keys both = assertInstanceOf(CredentialAnswer.Keys.class, find(source, "both"));
        assertArrayEquals(HexFormat.of().parseHex(MD5), both.md5Key());
        assertArrayEquals(HexFormat.of().parseHex(SHA256), both.sha256Key());
    }

    @Test
    @Tag("RFC8489§9.2.1")
    void offersSha256OnlyWhenEveryUserCanUseIt() throws IOException {
        write("alice:secret", "both:{MD5}" + MD5 + ":{SHA256}" + SHA256 + ":" + REALM);
        UsersSource source = source();
        assertTrue(source.supportsSha256());
        write("alice:secret", "md5:{MD5}" + MD5 + ":" + REALM);
        source.check();
        assertFalse(source.supportsSha256());
    }

    @Test
    void refusesAHashThatWasMadeForAnotherRealmAndSaysSoOnce() throws IOException {
        write("alice:{MD5}" + MD5 + ":elsewhere");
        UsersSource source = source();
        assertInstanceOf(CredentialAnswer.Refused.class, find(source, "alice"));
        assertInstanceOf(CredentialAnswer.Refused.class, find(source, "alice"));
        assertEquals(1, log.of("WARN").size());
        assertFalse(log.all().contains(MD5));
    }

    @Test
    @Tag("RFC8489§14.4")
    void findsAUserByTheHashOfNameAndRealm() throws IOException {
        write("alice:secret", "bob:other");
        UsersSource source = source();
        assertTrue(source.supportsUserhash());
        // printf alice:example.org | sha256sum
        byte[] hash = HexFormat.of().parseHex("435b7933096a304d3c734cfb833ec9075bd47ab1c0160321aed31c06a8c7009e");
        CredentialAnswer expected = new CredentialAnswer.Password("alice", "secret", 0);
        assertEquals(expected, find(source, hash, REALM), "the first time, on the watching thread");
        assertEquals(expected, find(source, hash, REALM));
        assertSame(CredentialAnswer.UNKNOWN, find(source, hash, "elsewhere"));
        assertSame(CredentialAnswer.UNKNOWN, find(source, new byte[32], REALM));
        assertSame(CredentialAnswer.UNKNOWN, find(source, new byte[0], REALM));
    }

    @Test
    @Tag("RFC8265§4.2")
    void takesTwoSpellingsOfOneNameForOneUser() throws IOException {
        write("Ren\u00e9\u00a0M:secret");
        UsersSource source = source();
        String decomposed = "Rene\u0301 M";
        assertEquals(new CredentialAnswer.Password("Ren\u00e9 M", "secret", 0), find(source, decomposed));
        assertInstanceOf(CredentialAnswer.Password.class, find(source, Users.userhash("Ren\u00e9 M", REALM), REALM));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "' OR 1=1 --",
                "user%s%x%n",
                "*)(uid=*",
                "../../x",
                "#alice",
                "alice:secret",
                "alice\u0000",
                "alice\n",
                "${karaf.etc}",
                "\uD800",
            })
    void doesNotKnowAHostileName(String username) throws IOException {
        write("alice:secret");
        assertSame(CredentialAnswer.UNKNOWN, find(source(), username));
        assertEquals("", log.all());
    }

    @Test
    void hasNoUsersAndNoComplaintWithoutAFile() throws IOException {
        UsersSource source = source();
        assertSame(CredentialAnswer.UNKNOWN, find(source, "alice"));
        assertTrue(source.supportsSha256());
        assertEquals("", log.all());
        write("alice:secret");
        source.check();
        assertInstanceOf(CredentialAnswer.Password.class, find(source, "alice"));
        Files.delete(file);
        source.check();
        assertSame(CredentialAnswer.UNKNOWN, find(source, "alice"));
    }

    @Test
    void letsNobodyInAnyMoreWhoWasTakenOut() throws IOException {
        write("alice:secret", "bob:other");
        UsersSource source = source();
        assertInstanceOf(CredentialAnswer.Password.class, find(source, Users.userhash("bob", REALM), REALM));
        write("alice:secret");
        source.check();
        assertSame(CredentialAnswer.UNKNOWN, find(source, "bob"));
        assertSame(CredentialAnswer.UNKNOWN, find(source, Users.userhash("bob", REALM), REALM));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "n0colon",
                ":hunter2",
                "bob:",
                "bob:{MD5}hunter2",
                "bob:{MD5}hunter2:example.org",
                "bob:{SHA256}0123456789abcdef0123456789abcdef:example.org",
                "bob:{MD5}0123456789abcdef0123456789abcdef",
                "bob:{MD5}0123456789abcdef0123456789abcdef:",
                "bob:{MD5}0123456789abcdef0123456789abcdef:{MD5}0123456789abcdef0123456789abcdef:x",
                "bob:{CRYPT}hunter2:example.org",
                "bob:{PLAIN}",
                "alice:hunter2",
            })
    void keepsTheOldUsersAndNamesTheLineButNotItsTextWhenALineIsBroken(String line) throws IOException {
        write("alice:secret");
        UsersSource source = source();
        write("alice:changed", line);
        source.check();
        source.check();
        assertEquals(new CredentialAnswer.Password("alice", "secret", 0), find(source, "alice"));
        assertEquals(1, log.of("ERROR").size());
        assertTrue(log.of("ERROR").get(0).contains("line 2"), log.all());
        assertFalse(log.all().contains("hunter2"));
        assertFalse(log.all().contains("0123456789"));
    }

    @Test
    void warnsOnceOfAFileThatEverybodyCanRead() throws IOException {
        write("alice:secret");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        UsersSource source = source();
        source.check();
        source.modified(Configurations.users(file.toString()));
        assertEquals(1, log.of("WARN").size());
    }

    @Test
    void refusesABadPathByItsKeyAndKeepsTheOldOne() throws IOException {
        write("alice:secret");
        UsersSource source = source();
        source.modified(Configurations.users("\u0000"));
        assertTrue(log.of("ERROR").get(0).contains("usersFile"));
        assertInstanceOf(CredentialAnswer.Password.class, find(source, "alice"));
        assertTrue(source.problem().contains("usersFile"), source.problem());
        source.modified(Configurations.users(""));
        assertSame(CredentialAnswer.UNKNOWN, find(source, "alice"));
        assertEquals("", source.problem());
    }

    @Test
    void startsWithABadPathKnowsNobodyAndTakesTheMendedOne() throws IOException {
        write("alice:secret");
        UsersSource source = new UsersSource(watch, Configurations.users("${elsewhere}/users"));
        assertEquals(1, log.of("ERROR").size());
        assertTrue(source.problem().contains("usersFile"), source.problem());
        assertSame(CredentialAnswer.UNKNOWN, find(source, "alice"));
        source.modified(Configurations.users(file.toString()));
        assertEquals("", source.problem());
        assertInstanceOf(CredentialAnswer.Password.class, find(source, "alice"));
    }

    @Test
    void showsNoSecretInAnyText() throws Exception {
        User plain = User.parse(1, "alice:hunter2");
        User keys = User.parse(1, "alice:{MD5}" + MD5 + ":" + REALM);
        assertEquals("User[alice]", plain.toString());
        assertEquals("User[alice]", keys.toString());
    }

    private UsersSource source() {
        return new UsersSource(watch, Configurations.users(file.toString()));
    }

    private void write(String... lines) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    private static CredentialAnswer find(UsersSource source, String username) {
        return source.find(new CredentialQuery.ByName(username, REALM))
                .toCompletableFuture()
                .getNow(null);
    }

    private static CredentialAnswer find(UsersSource source, byte[] userhash, String realm) {
        return source.find(new CredentialQuery.ByUserhash(userhash, realm))
                .toCompletableFuture()
                .join();
    }
}
