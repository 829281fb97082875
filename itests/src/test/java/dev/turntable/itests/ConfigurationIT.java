package dev.turntable.itests;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.benchmarks.load.EchoLoad;
import dev.turntable.benchmarks.load.TurnClient;
import dev.turntable.benchmarks.load.TurnError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an operator changes in a running container, by file and in the shell, and what then happens to calls. */
@ExtendWith(StockTurntable.Shared.class)
final class ConfigurationIT {
    private static final int ALLOCATIONS = 50;
    private static final Duration SOON = Duration.ofSeconds(30);
    /** Longer than the container takes to see a file. */
    private static final long SEEN_MILLIS = 4000;

    /** No path on any system, as a properties file spells it. */
    private static final String NO_PATH = "\\u0000";

    private static final String SECOND_SECRET = "the-b-side-that-came-later-9wq2";

    private final StockTurntable turntable;
    private final KarafProcess karaf;
    private final int port;
    private final Map<Path, String> before = new TreeMap<>();
    private int mark;

    ConfigurationIT(StockTurntable turntable) {
        this.turntable = turntable;
        this.karaf = turntable.karaf();
        this.port = turntable.address().getPort() + 10;
    }

    @BeforeEach
    void isServed() throws IOException {
        KarafProcess.await("service", SOON, turntable::serves);
        for (Path file : ownFiles()) {
            before.put(file, Files.readString(file));
        }
    }

    /** What a test that failed left behind must not fail the next. */
    @AfterEach
    void leaveFilesAsTheyWere() throws IOException {
        for (Path file : ownFiles()) {
            if (!before.containsKey(file)) {
                Files.delete(file);
            }
        }
        for (Map.Entry<Path, String> file : before.entrySet()) {
            if (!Files.exists(file.getKey()) || !Files.readString(file.getKey()).equals(file.getValue())) {
                Files.writeString(file.getKey(), file.getValue());
            }
        }
    }

    private List<Path> ownFiles() throws IOException {
        try (Stream<Path> files = Files.list(turntable.etc(""))) {
            return files.filter(file ->
                            file.getFileName().toString().matches("dev\\.turntable\\..*cfg|turntable\\.(secret|users)"))
                    .toList();
        }
    }

    /**
     * An operator who deletes a file and later has a new one of that name. Within the moment in which the container hears
     * of the deleted configuration, it deletes a new file too.
     */
    private void delete(Path file, String until, BooleanSupplier gone) throws IOException, InterruptedException {
        Files.delete(file);
        KarafProcess.await(until, SOON, gone);
        Thread.sleep(SEEN_MILLIS);
    }

    @Test
    void changesUnderCallsLoseNeitherAnAllocationNorAPacket() throws Exception {
        EchoLoad.Report report;
        try (EchoLoad load = turntable.load(ALLOCATIONS, 250)) {
            load.start();
            changeTheLogLevel();
            changeTheRelayByFileAndInTheShell();
            touchAndWriteAnUnknownKey();
            writeABadValue();
            changeTheServer();
            addASecret();
            changeAnotherListener();
            report = load.stop();
        }
        assertAll(
                () -> assertEquals(0, report.lost(), report.toString()),
                () -> assertEquals(0, report.errors(), report.toString()),
                () -> assertEquals(0, report.unanswered(), report.toString()),
                () -> assertEquals(ALLOCATIONS, report.allocationsAlive(), report.toString()));
        assertFalse(karaf.log().contains(SECOND_SECRET));
    }

    private void changeTheLogLevel() {
        karaf.shell("log:set DEBUG dev.turntable");
        assertTrue(karaf.shell("log:get dev.turntable").contains("DEBUG"));
        karaf.shell("log:set INFO dev.turntable");
    }

    private void changeTheRelayByFileAndInTheShell() throws IOException {
        mark();
        turntable.set(StockTurntable.RELAY, Map.of("channelsPerAllocation", 500));
        awaitLine("channelsPerAllocation = 500");
        mark();
        karaf.shell("config:property-set -p dev.turntable.relay permissionsPerAllocation 77");
        awaitLine("permissionsPerAllocation = 77");
        // The file follows a moment later; whoever edits it before that would take the change back.
        KarafProcess.await("the shell's change in the file", SOON, this::relayFileHasTheChangeOfTheShell);
        mark();
        turntable.set(StockTurntable.RELAY, Map.of("peersAllow", "127.0.0.0/8, 169.254.7.0/24"));
        awaitLine("peersAllow = [127.0.0.0/8, 169.254.7.0/24]");
    }

    private boolean relayFileHasTheChangeOfTheShell() {
        try {
            return Files.readString(turntable.etc(StockTurntable.RELAY + ".cfg"))
                    .contains("77");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void touchAndWriteAnUnknownKey() throws Exception {
        mark();
        for (String pid : List.of(StockTurntable.RELAY, StockTurntable.LISTENER, "dev.turntable.server")) {
            Files.setLastModifiedTime(turntable.etc(pid + ".cfg"), FileTime.from(Instant.now()));
        }
        Thread.sleep(SEEN_MILLIS);
        assertEquals(
                List.of(),
                newLines().filter(line -> line.contains(" - dev.turntable.")).toList());
        turntable.set(StockTurntable.RELAY, Map.of("chanelsPerAllocation", 5));
        awaitLine("means nothing: chanelsPerAllocation");
        assertEquals(
                0,
                newLines()
                        .filter(line -> line.contains("configuration in force: "))
                        .count());
    }

    private void writeABadValue() throws IOException {
        mark();
        turntable.set(StockTurntable.RELAY, Map.of("permissionLifetimeSeconds", -5, "channelsPerAllocation", 44));
        awaitLine("permissionLifetimeSeconds: 1 to 86400");
        assertTrue(
                newLines().anyMatch(line -> line.contains("| ERROR |") && line.contains("permissionLifetimeSeconds")));
        assertEquals(
                0,
                newLines()
                        .filter(line -> line.contains("configuration in force: "))
                        .filter(line -> line.contains("channelsPerAllocation = 44"))
                        .count());
        assertTrue(info().contains("permissionLifetimeSeconds"), info());
        turntable.set(StockTurntable.RELAY, Map.of("permissionLifetimeSeconds", 299));
        awaitLine("permissionLifetimeSeconds = 299");
        assertFalse(info().contains("permissionLifetimeSeconds"), info());
    }

    private void changeTheServer() throws IOException {
        mark();
        turntable.set("dev.turntable.server", Map.of("maxAllocationsPerWorker", "many", "swapWaitMillis", 1500));
        awaitLine("maxAllocationsPerWorker");
        assertTrue(info().contains("maxAllocationsPerWorker"), info());
        mark();
        turntable.set("dev.turntable.server", Map.of("maxAllocationsPerWorker", 5000, "workers", 3));
        awaitLine("takes effect at restart: workers");
        assertTrue(info().contains("takes effect at restart: workers"), info());
        turntable.set("dev.turntable.server", Map.of("workers", 2));
        KarafProcess.await("no change that waits", SOON, () -> !info().contains("at restart"));
    }

    private void addASecret() throws Exception {
        turntable.writePrivate("turntable.secret", SECOND_SECRET + "\n" + StockTurntable.SECRET + "\n");
        KarafProcess.await("the second secret", SOON, () -> servesRest(SECOND_SECRET));
        assertTrue(servesRest(StockTurntable.SECRET));
        assertFalse(servesRest("another"));
        turntable.writePrivate("turntable.secret", StockTurntable.SECRET + "\n");
        KarafProcess.await("one secret", SOON, () -> !servesRest(SECOND_SECRET));
    }

    private void changeAnotherListener() throws IOException {
        turntable.write("dev.turntable.listener-other", Map.of("address", "127.0.0.1", "port", port));
        awaitState("other", "LISTENING");
        assertTrue(answers(port));
        turntable.set("dev.turntable.listener-other", Map.of("port", port + 1));
        KarafProcess.await("the other port", SOON, () -> answers(port + 1));
        assertFalse(answers(port));
        Files.delete(turntable.etc("dev.turntable.listener-other.cfg"));
        awaitGone("other");
    }

    @Test
    void ofTwoListenersOnOnePortOneListensAndTheOtherTakesOver() throws Exception {
        Map<String, ?> same = Map.of("address", "127.0.0.1", "port", port);
        turntable.write("dev.turntable.listener-first", same);
        awaitState("first", "LISTENING");
        turntable.write("dev.turntable.listener-second", same);
        awaitState("second", "FAILED");
        assertEquals("LISTENING", turntable.listener("first").get(3));
        String problem = turntable.listener("second").get(10);
        assertTrue(problem.contains(String.valueOf(port)) && problem.contains("first"), problem);
        Files.delete(turntable.etc("dev.turntable.listener-first.cfg"));
        awaitGone("first");
        awaitState("second", "LISTENING");
        assertTrue(answers(port));
        Files.delete(turntable.etc("dev.turntable.listener-second.cfg"));
        awaitGone("second");
        assertFree(port);
    }

    @Test
    void aPortOfAnotherProgramIsNamedAndTakenOnceItIsFree() throws Exception {
        try (DatagramSocket other = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            assertTrue(other.isBound());
            turntable.write("dev.turntable.listener-late", Map.of("address", "127.0.0.1", "port", port));
            awaitState("late", "FAILED");
            String problem = turntable.listener("late").get(10);
            assertTrue(problem.contains("127.0.0.1:" + port), problem);
        }
        awaitState("late", "LISTENING");
        Files.delete(turntable.etc("dev.turntable.listener-late.cfg"));
        awaitGone("late");
    }

    @Test
    void aListenerFollowsItsFileWhenThatIsRenamed() throws Exception {
        turntable.write("dev.turntable.listener-before", Map.of("address", "127.0.0.1", "port", port));
        awaitState("before", "LISTENING");
        Path after = turntable.etc("dev.turntable.listener-after.cfg");
        Files.move(turntable.etc("dev.turntable.listener-before.cfg"), after);
        awaitGone("before");
        awaitState("after", "LISTENING");
        assertTrue(answers(port));
        Files.delete(after);
        awaitGone("after");
        assertFalse(answers(port));
        assertFree(port);
    }

    @Test
    void aListenerThatTheShellMakesHasAFileAndFollowsIt() throws Exception {
        karaf.shell(
                "config:edit --factory --alias made dev.turntable.listener",
                "config:property-set address 127.0.0.1",
                "config:property-set port " + port,
                "config:update");
        awaitState("made", "LISTENING");
        turntable.set("dev.turntable.listener-made", Map.of("port", port + 1));
        KarafProcess.await("the other port", SOON, () -> answers(port + 1));
        assertFalse(answers(port));
        Files.delete(turntable.etc("dev.turntable.listener-made.cfg"));
        awaitGone("made");
    }

    @Test
    void aHalfWrittenListenerFileIsRefusedAndTheWholeOneThatFollowsListens() throws Exception {
        mark();
        turntable.write("dev.turntable.listener-half", Map.of("address", "127.0.0.1", "port", ""));
        awaitState("half", "FAILED");
        assertTrue(
                turntable.listener("half").get(10).contains("port"),
                turntable.listener("half").toString());
        awaitLine("port");
        turntable.write("dev.turntable.listener-half", Map.of("address", "127.0.0.1", "port", port));
        awaitState("half", "LISTENING");
        mark();
        turntable.write("dev.turntable.listener-half", Map.of("address", "127.0.0.1", "port", port));
        Thread.sleep(SEEN_MILLIS);
        assertEquals(
                List.of(),
                newLines().filter(line -> line.contains(" - dev.turntable.")).toList());
        Files.delete(turntable.etc("dev.turntable.listener-half.cfg"));
        awaitGone("half");
    }

    /** No file, then files with empty keys, then whole ones. */
    @Test
    void withoutASourceOfCredentialsTurnIsRefusedAndBindingIsServed() throws Exception {
        List<String> pids = List.of("dev.turntable.auth.secrets", "dev.turntable.auth.users");
        Map<String, String> shipped = Map.of(
                pids.get(0), Files.readString(turntable.etc(pids.get(0) + ".cfg")),
                pids.get(1), Files.readString(turntable.etc(pids.get(1) + ".cfg")));
        Files.delete(turntable.etc(pids.get(0) + ".cfg"));
        delete(turntable.etc(pids.get(1) + ".cfg"), "no source", () -> info().contains("TURN is refused"));
        assertOnlyBindingIsServed();
        turntable.write(pids.get(0), Map.of("secretFile", ""));
        turntable.write(pids.get(1), Map.of("usersFile", ""));
        Thread.sleep(SEEN_MILLIS);
        assertOnlyBindingIsServed();
        for (String pid : pids) {
            Files.writeString(turntable.etc(pid + ".cfg"), shipped.get(pid));
        }
        turntable.awaitService();
        KarafProcess.await("shared secrets", SOON, () -> servesRest(StockTurntable.SECRET));
    }

    /** The container starts without a file of the relay; then comes one with an empty key, then the whole one. */
    @Test
    void whatWasDeletedStaysClosedAfterARestartAndLateConfigurationIsTakenUp() throws Exception {
        turntable.write("dev.turntable.listener-gone", Map.of("address", "127.0.0.1", "port", port));
        awaitState("gone", "LISTENING");
        Files.delete(turntable.etc("dev.turntable.listener-gone.cfg"));
        awaitGone("gone");
        // While it runs: Karaf keeps what it read of a file that is deleted while it is stopped.
        Path relay = turntable.etc(StockTurntable.RELAY + ".cfg");
        String whole = Files.readString(relay);
        Files.delete(relay);
        KarafProcess.await("no engine", SOON, () -> info().contains("none: reading is paused"));

        karaf.close();
        karaf.start();
        KarafProcess.await("the listener", Duration.ofMinutes(2), () -> turntable.listener("udp") != null);
        assertEquals(null, turntable.listener("gone"));
        assertFree(port);
        assertTrue(info().contains("none: reading is paused"), info());

        mark();
        Files.writeString(relay, "permissionLifetimeSeconds =\n");
        awaitLine("permissionLifetimeSeconds");
        assertErrors(1, "permissionLifetimeSeconds");
        assertTrue(info().contains("dev.turntable.relay refused: permissionLifetimeSeconds"), info());
        assertTrue(info().contains("none: reading is paused"), info());
        assertFalse(turntable.serves());
        Files.writeString(relay, whole);
        KarafProcess.await("service", SOON, turntable::serves);
        assertFalse(info().contains("refused"), info());
    }

    @Test
    void aBadFirstConfigurationOfTheServerIsToldAndTheMendedOneServes() throws Exception {
        Path server = turntable.etc("dev.turntable.server.cfg");
        String whole = Files.readString(server);
        delete(server, "no server", () -> !info().contains("Workers"));
        mark();
        Files.writeString(server, whole + "\nworkers = many\n");
        KarafProcess.await(
                "what is wrong",
                SOON,
                () -> info().contains("dev.turntable.server refused: workers: not a whole number"));
        assertErrors(1, "workers");
        assertTrue(info().contains("not running"), info());
        assertFree(turntable.address().getPort());
        Files.writeString(server, whole);
        KarafProcess.await("service", SOON, turntable::serves);
        assertFalse(info().contains("refused"), info());
    }

    /** Bad at first, mended, bad again, and deleted as it is. */
    @Test
    void whatIsWrongWithAListenerOrASourceIsToldUntilItIsMendedOrDeleted() throws Exception {
        turntable.write("dev.turntable.listener-odd", Map.of("address", "127.0.0.1", "port", "here"));
        awaitState("odd", "FAILED");
        assertTrue(info().contains("listener odd refused: port = here"), info());
        turntable.write("dev.turntable.listener-odd", Map.of("address", "127.0.0.1", "port", port, "protocls", "tcp"));
        KarafProcess.await("the misspelt key", SOON, () -> info().contains("means nothing: protocls"));
        turntable.write("dev.turntable.listener-odd", Map.of("address", "127.0.0.1", "port", port));
        awaitState("odd", "LISTENING");
        assertFalse(info().contains("refused"), info());
        assertEquals("", turntable.listener("odd").get(10));
        turntable.write("dev.turntable.listener-odd", Map.of("address", "127.0.0.1", "port", "there"));
        KarafProcess.await("the problem", SOON, () -> info().contains("listener odd refused: port = there"));
        assertEquals("LISTENING", turntable.listener("odd").get(3));
        assertTrue(turntable.listener("odd").get(10).contains("port = there"));
        assertTrue(answers(port));
        Files.delete(turntable.etc("dev.turntable.listener-odd.cfg"));
        awaitGone("odd");
        assertFalse(info().contains("refused"), info());

        for (String key : List.of("secretFile", "usersFile")) {
            String pid = key.equals("secretFile") ? "dev.turntable.auth.secrets" : "dev.turntable.auth.users";
            String whole = Files.readString(turntable.etc(pid + ".cfg"));
            String problem = pid + " refused: " + key;
            Files.delete(turntable.etc(pid + ".cfg"));
            Thread.sleep(SEEN_MILLIS);
            mark();
            turntable.write(pid, Map.of(key, NO_PATH));
            KarafProcess.await(problem, SOON, () -> info().contains(problem));
            assertErrors(1, problem);
            Files.writeString(turntable.etc(pid + ".cfg"), whole);
            KarafProcess.await("no " + problem, SOON, () -> !info().contains(problem));
            KarafProcess.await("service", SOON, () -> turntable.serves() && servesRest(StockTurntable.SECRET));
            turntable.write(pid, Map.of(key, NO_PATH));
            KarafProcess.await(problem, SOON, () -> info().contains(problem));
            assertTrue(turntable.serves() && servesRest(StockTurntable.SECRET));
            delete(turntable.etc(pid + ".cfg"), "no " + problem, () -> !info().contains(problem));
            Files.writeString(turntable.etc(pid + ".cfg"), whole);
            KarafProcess.await("service", SOON, () -> turntable.serves() && servesRest(StockTurntable.SECRET));
        }
    }

    private void assertOnlyBindingIsServed() throws IOException {
        for (String user : List.of(StockTurntable.USER, "karaf", "admin", "user")) {
            try (TurnClient client = TurnClient.open(
                    turntable.address(), user, user.equals(StockTurntable.USER) ? StockTurntable.PASSWORD : user)) {
                assertTrue(client.bind().getPort() > 0);
                assertThrows(TurnError.class, () -> client.allocate(600, false));
            }
        }
        assertFalse(servesRest(StockTurntable.SECRET));
        assertFalse(servesRest(""));
    }

    private boolean servesRest(String secret) {
        String username = Instant.now().getEpochSecond() + 600 + ":alice";
        return turntable.serves(username, hmac(secret, username));
    }

    private static String hmac(String secret, String username) {
        try {
            Mac mac = Mac.getInstance("HmacSHA1");
            // A key cannot be empty; one zero byte is the same HMAC.
            byte[] key = secret.isEmpty() ? new byte[1] : secret.getBytes(StandardCharsets.UTF_8);
            mac.init(new SecretKeySpec(key, "HmacSHA1"));
            return Base64.getEncoder().encodeToString(mac.doFinal(username.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertErrors(int count, String naming) {
        List<String> errors = newLines()
                .filter(line -> line.contains("| ERROR |") && line.contains(naming))
                .toList();
        assertEquals(count, errors.size(), errors.toString());
    }

    private static boolean answers(int port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        try (TurnClient client = TurnClient.open(address, "", "")) {
            return client.isAnswered(Duration.ofMillis(500));
        } catch (IOException e) {
            return false;
        }
    }

    private static void assertFree(int port) throws IOException {
        new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)).close();
    }

    private void awaitState(String listener, String state) {
        KarafProcess.await(listener + " " + state, SOON, () -> {
            List<String> row = turntable.listener(listener);
            return row != null && row.get(3).equals(state);
        });
    }

    private void awaitGone(String listener) {
        KarafProcess.await(listener + " gone", SOON, () -> turntable.listener(listener) == null);
    }

    private String info() {
        return karaf.shell("turn:info");
    }

    private void mark() {
        mark = karaf.log().length();
    }

    private Stream<String> newLines() {
        return karaf.log().substring(mark).lines();
    }

    private void awaitLine(String text) {
        KarafProcess.await("a line with " + text, SOON, () -> newLines().anyMatch(line -> line.contains(text)));
    }
}
