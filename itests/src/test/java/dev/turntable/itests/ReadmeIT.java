package dev.turntable.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What README.md and the manual tell the reader to type. A command that is new there and not run here fails the first test. */
@ExtendWith(StockTurntable.Shared.class)
final class ReadmeIT {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath().getParent();
    private static final Pattern BLOCK = Pattern.compile("(?ms)^\\s*```\\w*\\n(.*?)^\\s*```");
    /** The test command runs this test; the start is what {@link KarIT} does with the same distribution. */
    private static final Set<String> ELSEWHERE = Set.of("mvn -B verify", "./turntable");

    private static final String HOME = "karaf-assembly/target/assembly";

    private final StockTurntable turntable;
    private final KarafProcess karaf;

    ReadmeIT(StockTurntable turntable) {
        this.turntable = turntable;
        this.karaf = turntable.karaf();
    }

    @Test
    void everyCommandOfTheReadmeWorks() throws Exception {
        List<String> terminal = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        for (String command : commands(ROOT.resolve("README.md"))) {
            if (command.startsWith("turn:")) {
                String said = karaf.shell(command);
                assertFalse(said.isBlank() || said.contains("not found") || said.contains("FAILED"), said);
                seen.add(command.replaceFirst(" .*", ""));
            } else if (!ELSEWHERE.contains(command)) {
                terminal.add(command);
            } else {
                seen.add(command);
            }
        }
        assertEquals(Set.of("mvn -B verify", "./turntable", "turn:selftest", "turn:credentials-create"), seen);
        assertTrue(Files.isExecutable(ROOT.resolve("turntable")));
        assertTrue(Files.readString(ROOT.resolve(".ci/run")).contains("mvn -B verify"));
        assumeTrue(isInstalled("turnutils_uclient"), "turnutils_uclient is not installed");
        runInATerminal(terminal);
    }

    @Test
    void whatCredentialsCreatePrintsIsTakenByTheServer() {
        List<List<String>> fields = karaf.shell("turn:credentials-create --no-format alice")
                .lines()
                .map(line -> List.of(line.split("\t")))
                .toList();
        assertTrue(turntable.serves(value(fields, "Username"), value(fields, "Password")), fields.toString());
        String pasted = fields.get(fields.size() - 1).get(0);
        assertTrue(pasted.startsWith("{\"iceServers\":[{\"urls\":["), pasted);
        assertTrue(pasted.contains("\"credential\":\"" + value(fields, "Password") + "\""), pasted);
    }

    /** Each {@code turn:*} command that the manual names is one, and takes the options that it is shown with. */
    @Test
    void theManualNamesCommandsAndOptionsThatThereAre() throws Exception {
        Set<String> names = new TreeSet<>();
        try (Stream<Path> pages = Files.list(ROOT.resolve("docs/manual"))) {
            for (Path page : pages.toList()) {
                String text = Files.readString(page);
                Matcher found =
                        Pattern.compile("turn:([a-z]+-?[a-z]+)\\b(?![.:/])").matcher(text);
                while (found.find()) {
                    names.add(found.group());
                }
                for (String command : blocks(text)) {
                    String bare = command.replaceFirst("^karaf@root\\(\\)> ", "");
                    if (bare.startsWith("turn:")) {
                        String said = karaf.shell(bare);
                        assertFalse(said.isBlank() || said.contains("rror"), bare + ": " + said);
                    }
                }
            }
        }
        names.remove("turn:turn");
        assertTrue(names.size() >= 11, names.toString());
        for (String name : names) {
            String help = karaf.shell(name + " --help");
            assertTrue(help.contains("DESCRIPTION"), name + ": " + help);
        }
        for (Map.Entry<String, List<String>> shown : Map.of(
                        "turn:allocation-delete", List.of("-f"),
                        "turn:credentials-create", List.of("-l", "--lifetime", "-u", "--url"),
                        "turn:user-hash", List.of("-p"))
                .entrySet()) {
            String help = karaf.shell(shown.getKey() + " --help");
            shown.getValue().forEach(option -> assertTrue(help.contains(option), help));
        }
    }

    private void runInATerminal(List<String> lines) throws Exception {
        Path directory = Files.createDirectories(KarafProcess.BUILD.resolve("readme"));
        // The reader's container is this one, on another port.
        String script = String.join("\n", lines)
                .replace(HOME, karaf.home().toString())
                .replace(
                        "turnutils_uclient ",
                        "turnutils_uclient -p " + turntable.address().getPort() + " ");
        Process process = new ProcessBuilder("bash", "-euo", "pipefail", "-c", script)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(process.waitFor(2, TimeUnit.MINUTES), said);
        assertEquals(0, process.exitValue(), said);
        assertTrue(said.contains("Total lost packets 0 (0.0"), said);
        // Two clients, each with a second session of its own.
        assertTrue(said.contains("tot_send_msgs=80, tot_recv_msgs=80"), said);
    }

    private static boolean isInstalled(String program) throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "command -v " + program).start().waitFor() == 0;
    }

    private static String value(List<List<String>> fields, String name) {
        return fields.stream()
                .filter(row -> row.get(0).equals(name))
                .findFirst()
                .orElseThrow()
                .get(1);
    }

    private static List<String> commands(Path page) throws IOException {
        return blocks(Files.readString(page));
    }

    /** Lines of the code blocks, without comments. */
    private static List<String> blocks(String text) {
        List<String> lines = new ArrayList<>();
        Matcher block = BLOCK.matcher(text);
        while (block.find()) {
            block.group(1)
                    .lines()
                    .map(line -> line.replaceFirst("(^|\\s+)# .*", "").strip())
                    .filter(line -> !line.isEmpty())
                    .forEach(lines::add);
        }
        return lines;
    }
}
