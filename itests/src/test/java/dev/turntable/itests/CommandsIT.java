package dev.turntable.itests;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.benchmarks.load.EchoLoad;
import dev.turntable.benchmarks.load.TurnClient;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What administrators and viewers can do and see, in a stock Karaf with the KAR in it. */
@ExtendWith(StockTurntable.Shared.class)
final class CommandsIT {
    private static final String REFUSED = "Insufficient credentials|Command not found|SecurityException";

    private final StockTurntable turntable;
    private final KarafProcess karaf;

    CommandsIT(StockTurntable turntable) {
        this.turntable = turntable;
        this.karaf = turntable.karaf();
    }

    @BeforeEach
    void thereIsNoAllocation() {
        for (String id : allocations()) {
            karaf.shell("turn:allocation-delete -f " + id);
        }
    }

    @Test
    @Tag("RFC8656§11")
    @Tag("RFC8656§12")
    void aCallRelaysThroughIt() throws Exception {
        EchoLoad.Report report;
        try (EchoLoad load = turntable.load(10, 200)) {
            load.start();
            Thread.sleep(3000);
            report = load.stop();
        }
        assertAll(
                () -> assertTrue(report.received() > 300, report.toString()),
                () -> assertEquals(0, report.lost(), report.toString()),
                () -> assertEquals(0, report.errors(), report.toString()),
                () -> assertEquals(10, report.allocationsAlive(), report.toString()));
    }

    @Test
    void theSelftestPasses() {
        List<List<String>> steps = karaf.table("turn:selftest");
        Set<String> transports = new TreeSet<>();
        for (List<String> step : steps) {
            if (step.get(0).equals("tls")) {
                assertEquals("not tested: it is WAITING: no certificate files are configured", step.get(5));
            } else {
                assertEquals("ok", step.get(5), steps.toString());
                transports.add(step.get(1));
            }
        }
        assertEquals(Set.of("udp", "tcp"), transports, steps.toString());
        for (String transport : transports) {
            List<String> names = steps.stream()
                    .filter(step -> step.get(1).equals(transport))
                    .map(step -> step.get(3))
                    .toList();
            assertTrue(names.containsAll(List.of("Binding", "Allocate", "Round trip")), steps.toString());
        }
    }

    @Test
    void everyCommandRunsAsAdministratorAndThoseThatLookAsViewer() throws Exception {
        try (TurnClient client = TurnClient.open(turntable.address(), StockTurntable.USER, StockTurntable.PASSWORD)) {
            client.allocate(600, false);
            String id = onlyAllocation();
            Map<String, String> looking = new TreeMap<>();
            for (String command : List.of(
                    "turn:info",
                    "turn:listener-list",
                    "turn:certificate-show",
                    "turn:allocation-list",
                    "turn:allocation-show " + id,
                    "turn:sweep-show",
                    "turn:engine-list",
                    "turn:stats")) {
                looking.put(command, "");
            }
            looking.put("turn:allocation-show " + id, StockTurntable.USER);
            looking.put("turn:listener-list", "LISTENING");
            Map<String, String> administrating = new TreeMap<>(looking);
            administrating.put("turn:selftest", "");
            administrating.put("turn:credentials-create alice", "iceServers");

            Set<String> covered = new TreeSet<>(Set.of("turn:allocation-delete", "turn:user-hash"));
            administrating.keySet().forEach(command -> covered.add(name(command)));
            assertEquals(commands(), covered, "commands that this test runs");

            runInAllForms("karaf", administrating);
            runInAllForms(StockTurntable.VIEWER, looking);
            for (String user : List.of("karaf", StockTurntable.VIEWER)) {
                String line = run(user, "turn:user-hash -p secret alice example.org");
                assertTrue(line.contains("alice:{MD5}") && line.contains(":example.org"), line);
            }
            client.refresh(0);
        }
    }

    @Test
    void aViewerCanNeitherDeleteAnAllocationNorMakeCredentialsNorPlaceACall() throws Exception {
        try (TurnClient client = TurnClient.open(turntable.address(), StockTurntable.USER, StockTurntable.PASSWORD)) {
            client.allocate(600, false);
            String id = onlyAllocation();
            for (String command :
                    List.of("turn:allocation-delete -f " + id, "turn:credentials-create alice", "turn:selftest")) {
                String said = run(StockTurntable.VIEWER, command);
                assertTrue(Pattern.compile(REFUSED).matcher(said).find(), command + ": " + said);
                assertFalse(said.contains("Password"), said);
            }
            assertTrue(client.refresh(600) > 0, "the allocation is there");

            String said = run("karaf", "turn:allocation-delete " + id);
            assertTrue(said.contains("say -f"), said);
            said = run("karaf", "turn:allocation-delete -f " + id);
            assertTrue(said.contains("Deleted " + id), said);
            assertEquals(List.of(), allocations());
            String audit = Files.readString(karaf.home().resolve("data/log/security.log"));
            assertTrue(audit.contains("allocation " + id + " deleted by karaf"), audit);
        }
    }

    /** A mark that is put into a property of a service shows that the search would find a secret there. */
    @Test
    void noSecretIsInAnyListing() throws Exception {
        String mark = "planted-beside-the-path";
        karaf.shell("config:property-set -p dev.turntable.auth.users mark " + mark);
        Map<String, String> listings;
        try {
            KarafProcess.await(
                    "the mark in force",
                    Duration.ofSeconds(30),
                    () -> karaf.shell("service:list").contains(mark));
            listings = listings();
        } finally {
            karaf.shell("config:property-delete -p dev.turntable.auth.users mark");
        }
        for (String where : List.of("config:list", "service:list")) {
            assertTrue(listings.get("karaf: " + where).contains(mark), where + ": " + listings.get("karaf: " + where));
        }
        assertTrue(listings.get("MBeans").contains("HeapMemoryUsage"), "attributes are in the listing");
        listings.forEach((what, text) -> {
            assertFalse(text.contains(StockTurntable.SECRET), "the shared secret is in " + what);
            assertFalse(text.contains(StockTurntable.PASSWORD), "the password of a user is in " + what);
        });
    }

    private Map<String, String> listings() throws Exception {
        Map<String, String> listings = new TreeMap<>();
        for (String user : List.of("karaf", StockTurntable.VIEWER)) {
            for (String command : List.of(
                    "config:list",
                    "config:property-list -p dev.turntable.auth.secrets",
                    "config:property-list -p dev.turntable.auth.users",
                    "service:list",
                    "service:list dev.turntable.api.auth.CredentialSource",
                    "bundle:headers dev.turntable.auth",
                    "turn:info --json",
                    "turn:listener-list --json",
                    "turn:allocation-list --json",
                    "turn:stats --json",
                    "turn:engine-list --json",
                    "log:display -n 500")) {
                listings.put(user + ": " + command, run(user, command));
            }
        }
        listings.put("karaf.log", karaf.log());
        listings.put("security.log", Files.readString(karaf.home().resolve("data/log/security.log")));
        listings.put("MBeans", attributesOfAllMBeans());
        return listings;
    }

    private void runInAllForms(String user, Map<String, String> commands) {
        commands.forEach((command, wanted) -> {
            for (String form : List.of("", " --no-format", " --json")) {
                String line = command.replaceFirst("^turn:[a-z-]+", "$0" + form);
                String said = run(user, line);
                if (line.equals("turn:certificate-show --no-format")) {
                    // There is no certificate, so there is no row.
                    assertEquals("", said.strip(), user + ": " + line);
                    continue;
                }
                assertFalse(said.isBlank(), user + ": " + line);
                assertFalse(said.contains("Error executing command"), user + ": " + line + ": " + said);
                assertFalse(Pattern.compile(REFUSED).matcher(said).find(), user + ": " + line + ": " + said);
                assertTrue(said.contains(wanted) || wanted.equals("iceServers"), user + ": " + line + ": " + said);
                if (form.equals(" --json")) {
                    assertTrue(said.strip().matches("(?s)[\\[{].*[]}]"), user + ": " + line + ": " + said);
                }
            }
        });
    }

    private String run(String user, String command) {
        return karaf.shellAs(user, user, command);
    }

    /** By the classes of the bundle: {@code help} prints nothing where there is no terminal. */
    private static Set<String> commands() throws IOException {
        Set<String> names = new TreeSet<>();
        try (ZipFile kar = new ZipFile(
                KarafProcess.BUILD.resolve("containers/turntable-features.kar").toFile())) {
            ZipEntry shell = kar.stream()
                    .filter(entry -> entry.getName().matches(".*/dev[.]turntable[.]shell-[^/]*[.]jar"))
                    .findFirst()
                    .orElseThrow();
            try (ZipInputStream jar = new ZipInputStream(kar.getInputStream(shell))) {
                for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
                    Matcher command =
                            Pattern.compile(".*/(\\w+)Command[.]class").matcher(entry.getName());
                    if (command.matches()) {
                        names.add("turn:"
                                + command.group(1)
                                        .replaceAll("(?<=[a-z])(?=[A-Z])", "-")
                                        .toLowerCase(Locale.ROOT));
                    }
                }
            }
        }
        return names;
    }

    private static String name(String command) {
        int end = command.indexOf(' ');
        return end < 0 ? command : command.substring(0, end);
    }

    private List<String> allocations() {
        return karaf.table("turn:allocation-list").stream()
                .map(row -> row.get(0))
                .filter(id -> !id.isEmpty())
                .toList();
    }

    private String onlyAllocation() {
        List<String> ids = allocations();
        assertEquals(1, ids.size(), ids.toString());
        return ids.get(0);
    }

    private String attributesOfAllMBeans() throws Exception {
        List<String> lines = new ArrayList<>();
        try (JMXConnector connector = karaf.jmx()) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            for (ObjectName name : server.queryNames(null, null)) {
                lines.add(name.toString());
                for (var attribute : server.getMBeanInfo(name).getAttributes()) {
                    lines.add(text(server, name, attribute.getName()));
                }
            }
        }
        return String.join("\n", lines);
    }

    private static String text(MBeanServerConnection server, ObjectName name, String attribute) throws IOException {
        try {
            return new Attribute(attribute, server.getAttribute(name, attribute)).toString();
        } catch (Exception e) {
            if (e instanceof IOException io && !(e instanceof java.rmi.RemoteException)) {
                throw io;
            }
            return attribute + ": " + e;
        }
    }
}
