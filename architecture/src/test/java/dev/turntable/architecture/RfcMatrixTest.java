package dev.turntable.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/rfc-matrix.md} is made from the tags of the tests, {@code @Tag("RFC8656§7.2")}: which section is proven where. To write
 * it anew: {@code mvn -pl architecture -am package -Drfc-matrix.write}.
 */
final class RfcMatrixTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path MATRIX = ROOT.resolve("docs/rfc-matrix.md");
    private static final Pattern TAG = Pattern.compile("@Tag\\(\"([^\"]*)\"\\)");
    private static final Pattern RFC = Pattern.compile("RFC(\\d+)(?:§([0-9A-Z.]+))?");
    private static final Pattern TYPE = Pattern.compile("^(?:[a-z]+ )*class (\\w+)");
    private static final Pattern METHOD = Pattern.compile("^    (?:[a-z]+ )*(?:void|boolean) (\\w+)\\(");

    @Test
    void theMatrixIsWhatTheTagsSay() throws IOException {
        String made = matrix(sections());
        if (System.getProperty("rfc-matrix.write") != null) {
            Files.writeString(MATRIX, made);
        }
        assertEquals(made, Files.readString(MATRIX), "write it anew, see the head of " + RfcMatrixTest.class);
    }

    @Test
    void eachTagIsOneThatTheTestEngineTakes() throws IOException {
        List<String> bad = new ArrayList<>();
        for (Path source : sources()) {
            Matcher tag = TAG.matcher(Files.readString(source));
            while (tag.find()) {
                if (tag.group(1).startsWith("RFC") && !RFC.matcher(tag.group(1)).matches()) {
                    bad.add(ROOT.relativize(source) + ": " + tag.group(1));
                }
            }
        }
        assertEquals(List.of(), bad, "tags of the form RFC8656§7.2");
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            List<Path> sources = files.filter(file -> file.toString().contains("/src/test/java/dev/turntable/"))
                    .filter(file -> file.toString().matches(".*(Test|IT)\\.java"))
                    .filter(file -> !file.endsWith("RfcMatrixTest.java"))
                    .sorted()
                    .toList();
            assertTrue(sources.size() > 20, "sources found below " + ROOT);
            return sources;
        }
    }

    /** Tests by section; a tag at a class speaks for the class. */
    private static Map<String, TreeSet<String>> sections() throws IOException {
        Map<String, TreeSet<String>> sections = new TreeMap<>(Comparator.comparing(RfcMatrixTest::order));
        for (Path source : sources()) {
            String module = ROOT.relativize(source).toString().replaceAll("/src/test/.*", "");
            String type = source.getFileName().toString().replace(".java", "");
            List<String> tags = new ArrayList<>();
            for (String line : Files.readAllLines(source)) {
                Matcher tag = TAG.matcher(line);
                while (tag.find()) {
                    tags.add(tag.group(1));
                }
                Matcher method = METHOD.matcher(line);
                boolean ofMethod = method.find();
                if (ofMethod || TYPE.matcher(line).find()) {
                    String test = module + ": " + type + (ofMethod ? "." + method.group(1) : "");
                    tags.stream()
                            .filter(name -> RFC.matcher(name).matches())
                            .forEach(name -> sections.computeIfAbsent(name, any -> new TreeSet<>())
                                    .add(test));
                    tags.clear();
                }
            }
        }
        return sections;
    }

    /** Numbers in their order: §7.2 before §12. */
    private static String order(String tag) {
        StringBuilder order = new StringBuilder();
        Matcher part = Pattern.compile("\\d+|[A-Z]+").matcher(tag);
        while (part.find()) {
            order.append(
                            Character.isDigit(part.group().charAt(0))
                                    ? "0".repeat(5 - part.group().length())
                                    : "")
                    .append(part.group())
                    .append(' ');
        }
        return order.toString();
    }

    private static String matrix(Map<String, TreeSet<String>> sections) {
        StringBuilder matrix = new StringBuilder("# What is proven where\n\n"
                + "Made from the tags of the tests by `RfcMatrixTest`; not to be edited. A class without a method stands for all"
                + " of its tests.\n");
        String rfc = "";
        for (Map.Entry<String, TreeSet<String>> section : sections.entrySet()) {
            Matcher tag = RFC.matcher(section.getKey());
            assertTrue(tag.matches());
            if (!tag.group(1).equals(rfc)) {
                rfc = tag.group(1);
                matrix.append("\n## RFC ").append(rfc).append("\n\n| section | tests |\n|---|---|\n");
            }
            matrix.append("| ")
                    .append(tag.group(2) == null ? "" : "§" + tag.group(2))
                    .append(" | ")
                    .append(String.join("<br>", section.getValue()))
                    .append(" |\n");
        }
        return matrix.toString();
    }
}
