package dev.turntable.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import dev.turntable.api.auth.TurnCredentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("RFC8489§9.2")
class SecretsSourceTest {
    private static final long NOW = 1_700_000_000;

    @TempDir
    Path etc;

    private Path file;
    private final FileWatch watch = new FileWatch();
    private final LogLines log = new LogLines();
    private InstantSource clock = InstantSource.fixed(Instant.ofEpochSecond(NOW));

    @BeforeEach
    void nameTheFile() {
        file = etc.resolve("turntable.secret");
    }

    @AfterEach
    void stopWatching() throws InterruptedException {
        watch.stop();
        log.close();
    }

    @Test
    void answersThePasswordsOfEverySecretWithBothAlgorithms() throws IOException {
        // openssl dgst -sha1|-sha256 -hmac <secret> -binary | base64
        write("# comment", "", "north", " south ");
        CredentialAnswer.Passwords answer =
                assertInstanceOf(CredentialAnswer.Passwords.class, find(source(), "1700000600:alice"));
        assertEquals(
                List.of(
                        "gthUwOpcRoLI0MMCziCEBOWYnpo=",
                        "xPwKDiESQG3j7Uoy9nYVCEku37A=",
                        "WzcodVppADLhv9te9OPGdlvH3LztIEihHpvPZM1g4U8=",
                        "/xHeb3cYbENw3W8fmcXoXkhrGjpJ178xpW4XEyh9FJk="),
                answer.passwords());
        assertEquals("1700000600:alice", answer.username());
        assertEquals(1_700_000_600, answer.expiresAtEpochSecond());
    }

    @Test
    void refusesAnExpiredCredentialFromItsSecondOn() throws IOException {
        write("north");
        assertInstanceOf(CredentialAnswer.Passwords.class, find(source(), (NOW + 1) + ":alice"));
        assertInstanceOf(CredentialAnswer.Refused.class, find(source(), NOW + ":alice"));
        assertInstanceOf(CredentialAnswer.Refused.class, find(source(), "0:alice"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":alice",
                "alice",
                "1700000600",
                "-1700000600:alice",
                "+1700000600:alice",
                " 1700000600:alice",
                "1700000600 :alice",
                "١٧٠٠٠٠٠٦٠٠:alice",
                "9999999999999999999:alice",
                "' OR 1=1 --",
                "user%s%x%n",
                "*)(uid=*",
                "../../x",
                "${karaf.etc}:x",
            })
    void doesNotKnowANameThatDoesNotSayWhenItExpires(String username) throws IOException {
        write("north");
        assertSame(CredentialAnswer.UNKNOWN, find(source(), username));
        assertEquals(List.of(), log.of("ERROR"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1700000600:",
                "1700000600:@user:matrix.example",
                "1700000600:' OR 1=1 --",
                "1700000600:user%s%x%n",
                "1700000600:*)(uid=*",
                "1700000600:../../x",
                "1700000600:{}\n\u0000",
                "999999999999999999:x",
            })
    void takesWhateverIsBehindTheColonAsBytesToSignAndNothingElse(String username) throws IOException {
        write("north");
        CredentialAnswer.Passwords answer =
                assertInstanceOf(CredentialAnswer.Passwords.class, find(source(), username));
        assertEquals(username, answer.username());
    }

    @Test
    void cannotFindAnybodyByHash() throws IOException {
        write("north");
        SecretsSource source = source();
        assertFalse(source.supportsUserhash());
        assertTrue(source.supportsSha256());
        assertSame(
                CredentialAnswer.UNKNOWN,
                source.find(new CredentialQuery.ByUserhash(new byte[32], "realm"))
                        .toCompletableFuture()
                        .join());
    }

    @Test
    void makesARandomSecretThatNobodyElseCanReadAndLogsItsPathAlone() throws IOException {
        SecretsSource source = source();
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        List<String> secrets = Files.readAllLines(file).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertEquals(1, secrets.size());
        assertEquals(43, secrets.get(0).length(), "256 bits in base64");
        assertEquals(1, log.of("INFO").size());
        assertTrue(log.all().contains(file.toString()));
        assertFalse(log.all().contains(secrets.get(0)));
        assertEquals(List.of("turntable.secret"), namesInEtc());
        assertInstanceOf(CredentialAnswer.Passwords.class, find(source, "1700000600:alice"));
    }

    @Test
    void keepsTheSecretOfTheFirstStart() throws IOException {
        source();
        String made = Files.readString(file);
        source();
        assertEquals(made, Files.readString(file));
    }

    @Test
    void saysWhichFileCouldNotBeMadeAndServesNobody() {
        file = etc.resolve("missing-directory").resolve("turntable.secret");
        assertInstanceOf(CredentialAnswer.Unavailable.class, find(source(), "1700000600:alice"));
        assertTrue(log.of("ERROR").get(0).contains(file.toString()));
    }

    @Test
    void takesAnAddedSecretWithoutBeingRestarted() throws IOException {
        write("north");
        SecretsSource source = source();
        TurnCredentials.Minted before = source.create("alice", Duration.ofMinutes(10));
        write("south", "north");
        source.check();
        assertEquals(4, passwords(source, before.username()).size());
        assertTrue(passwords(source, before.username()).contains(before.password()));
        assertNotEquals(before, source.create("alice", Duration.ofMinutes(10)), "the first secret mints");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "# nothing but a comment\n", "a\nb\nc\nd\ne\nf\ng\nh\ni\n", "\uFEFFsouth\n", "so\u0000uth\n"
            })
    void keepsTheOldSecretsAndSaysSoOnceWhenTheFileGetsBroken(String broken) throws IOException {
        write("north");
        SecretsSource source = source();
        List<String> before = passwords(source, "1700000600:alice");
        Files.writeString(file, broken);
        source.check();
        source.check();
        assertEquals(before, passwords(source, "1700000600:alice"));
        assertEquals(1, log.of("ERROR").size());
        assertFalse(log.all().contains("south"));
    }

    @Test
    void keepsTheOldSecretsWhenTheFileIsNotTextOrGone() throws IOException {
        write("north");
        SecretsSource source = source();
        List<String> before = passwords(source, "1700000600:alice");
        Files.write(file, new byte[] {(byte) 0xC3, '(', '\n'});
        source.check();
        Files.delete(file);
        source.check();
        source.check();
        assertEquals(before, passwords(source, "1700000600:alice"));
        assertEquals(2, log.of("ERROR").size());
        assertFalse(Files.exists(file), "a secret is made at a start alone");
    }

    @Test
    void isUnavailableWhileTheFileOfAFirstStartIsBrokenAndHealsWithIt() throws IOException {
        write("# still to come");
        SecretsSource source = source();
        assertInstanceOf(CredentialAnswer.Unavailable.class, find(source, "1700000600:alice"));
        assertThrows(IllegalStateException.class, () -> source.create("alice", Duration.ofMinutes(1)));
        write("north");
        source.check();
        assertEquals(2, passwords(source, "1700000600:alice").size());
    }

    @Test
    void warnsOnceOfAFileThatEverybodyCanRead() throws IOException {
        write("north");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        SecretsSource source = source();
        source.check();
        assertEquals(1, log.of("WARN").size());
        assertTrue(log.of("WARN").get(0).contains(file.toString()));
    }

    @Test
    void keepsTheSecretsWhenThePathChangesToAFileThatCannotBeUsed() throws IOException {
        write("north");
        SecretsSource source = source();
        source.modified(
                Configurations.secrets(file.resolveSibling("no-such-folder").resolve("secret")));
        assertEquals(2, passwords(source, "1700000600:alice").size());
        assertTrue(source.problem().contains("no-such-folder"));
    }

    @Test
    void asksNobodyToTakeTheRightsFromAFolder() throws IOException {
        Path folder = Files.createDirectory(file.resolveSibling("folder"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        source().modified(Configurations.secrets(folder));
        assertEquals(List.of(), log.of("WARN"));
    }

    @Test
    void doesNothingWhenTheSameConfigurationComesAgain() throws IOException {
        write("north");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        SecretsSource source = source();
        String before = log.all();
        source.modified(Configurations.secrets(file));
        assertEquals(before, log.all());
    }

    @Test
    void refusesABadPathByItsKeyAndKeepsTheOldOne() throws IOException {
        write("north");
        SecretsSource source = source();
        source.modified(Configurations.secrets("/tmp/\u0000"));
        source.modified(Configurations.secrets("${elsewhere}/secret"));
        assertEquals(2, log.of("ERROR").size());
        assertTrue(log.of("ERROR").stream().allMatch(line -> line.contains("secretFile")));
        assertEquals(2, passwords(source, "1700000600:alice").size());
        assertTrue(source.problem().contains("secretFile"), source.problem());
        source.modified(Configurations.secrets(file));
        assertEquals("", source.problem());
    }

    @Test
    void startsWithABadPathJudgesNobodyAndTakesTheMendedOne() throws IOException {
        write("north");
        SecretsSource source = new SecretsSource(watch, Configurations.secrets("${elsewhere}/secret"), clock);
        source.modified(Configurations.secrets("${elsewhere}/secret"));
        assertEquals(1, log.of("ERROR").size());
        assertEquals(
                "configuration dev.turntable.auth.secrets refused: secretFile: a variable in it is not known:"
                        + " ${elsewhere}/secret",
                source.problem());
        assertInstanceOf(CredentialAnswer.Unavailable.class, find(source, "1700000600:alice"));
        assertSame(CredentialAnswer.UNKNOWN, find(source, "alice"));
        assertFalse(source.supportsUserhash());
        assertThrows(IllegalStateException.class, () -> source.create("alice", Duration.ofMinutes(1)));
        assertEquals(List.of("turntable.secret"), namesInEtc());
        source.modified(Configurations.secrets(file));
        assertEquals("", source.problem());
        assertEquals(2, passwords(source, "1700000600:alice").size());
    }

    @Test
    void tellsWhatIsWrongWithTheFile() throws IOException {
        write("north");
        SecretsSource source = source();
        assertEquals("", source.problem());
        Files.delete(file);
        source.check();
        assertEquals(file + " is not used: it does not exist", source.problem());
        write("north");
        source.check();
        assertEquals("", source.problem());
    }

    @Test
    void takesAnotherFileWhileRunning() throws IOException {
        write("north");
        SecretsSource source = source();
        List<String> before = passwords(source, "1700000600:alice");
        Path other = etc.resolve("other.secret");
        Files.writeString(other, "south\n");
        source.modified(Configurations.secrets(other));
        assertNotEquals(before, passwords(source, "1700000600:alice"));
    }

    @Test
    void knowsNobodyAndStandsInNobodysWayWhenSwitchedOff() {
        SecretsSource source = new SecretsSource(watch, Configurations.secrets(" "), clock);
        assertSame(CredentialAnswer.UNKNOWN, find(source, "1700000600:alice"));
        assertTrue(source.supportsUserhash());
        assertThrows(IllegalStateException.class, () -> source.create("alice", Duration.ofMinutes(1)));
        assertEquals("", log.all());
    }

    @Test
    void mintsWhatItKnows() throws IOException {
        write("north");
        SecretsSource source = source();
        TurnCredentials.Minted minted = source.create("alice", Duration.ofSeconds(600));
        assertEquals("1700000600:alice", minted.username());
        assertEquals(Instant.ofEpochSecond(1_700_000_600), minted.expiresAt());
        assertEquals("gthUwOpcRoLI0MMCziCEBOWYnpo=", minted.password());
        assertTrue(passwords(source, minted.username()).contains(minted.password()));
        assertFalse(minted.toString().contains(minted.password()));
    }

    @Test
    void mintsWithinBoundsAlone() throws IOException {
        write("north");
        SecretsSource source = source();
        Duration minute = Duration.ofMinutes(1);
        source.create("", Duration.ofDays(30));
        assertThrows(IllegalArgumentException.class, () -> source.create("a:b", minute));
        assertThrows(IllegalArgumentException.class, () -> source.create("a\nb", minute));
        assertThrows(IllegalArgumentException.class, () -> source.create("a".repeat(498), minute));
        source.create("a".repeat(497), minute);
        assertThrows(IllegalArgumentException.class, () -> source.create("a", Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> source.create("a", Duration.ofMillis(999)));
        assertThrows(
                IllegalArgumentException.class,
                () -> source.create("a", Duration.ofDays(30).plusNanos(1)));
    }

    @Test
    void showsNoSecretInAnyText() throws IOException {
        write("north");
        SecretsSource source = source();
        assertFalse(source.toString().contains("north"));
        assertFalse(SharedSecrets.NONE.toString().contains("north"));
        CredentialAnswer answer = find(source, "1700000600:alice");
        for (String password : passwords(source, "1700000600:alice")) {
            assertFalse(answer.toString().contains(password));
        }
    }

    private SecretsSource source() {
        return new SecretsSource(watch, Configurations.secrets(file), clock);
    }

    private void write(String... lines) throws IOException {
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(file, String.join("\n", lines) + "\n");
    }

    private List<String> namesInEtc() throws IOException {
        try (var files = Files.list(etc)) {
            return files.map(path -> path.getFileName().toString()).toList();
        }
    }

    private static CredentialAnswer find(SecretsSource source, String username) {
        return source.find(new CredentialQuery.ByName(username, "realm"))
                .toCompletableFuture()
                .getNow(null);
    }

    private static List<String> passwords(SecretsSource source, String username) {
        return ((CredentialAnswer.Passwords) find(source, username)).passwords();
    }
}
