package dev.turntable.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import aQute.bnd.header.Attrs;
import aQute.bnd.header.OSGiHeader;
import aQute.bnd.header.Parameters;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * The table of rooms (docs/adr/0001) against the built bundles. A new bundle, arrow or export needs a row here.
 *
 * <p>Seen to fail: with a use of {@code dev.turntable.codec} in {@code auth}, without {@code -removeheaders} and the closing
 * {@code !*} in the bnd file of {@code transport}, and with an {@code @Export} on {@code relay}.
 */
final class RoomsTest {
    /** What a bundle exports, which of our bundles it may know, and which container packages it may import. */
    private record Room(Set<String> exports, Set<String> knows, Set<String> container) {}

    private static final Set<String> SERVICES =
            Set.of("org.slf4j", "org.osgi.service.component", "org.osgi.service.metatype", "org.osgi.framework");

    private static final Map<String, Room> ROOMS = Map.of(
            "api",
                    new Room(
                            Set.of("dev.turntable.api", "dev.turntable.api.auth", "dev.turntable.api.event"),
                            Set.of(),
                            Set.of()),
            "codec", new Room(Set.of("dev.turntable.codec"), Set.of(), Set.of()),
            "state", new Room(Set.of("dev.turntable.state"), Set.of("api"), SERVICES),
            "transport", new Room(Set.of(), Set.of("api", "state"), SERVICES),
            "relay", new Room(Set.of(), Set.of("api", "codec", "state"), SERVICES),
            "auth", new Room(Set.of(), Set.of("api"), SERVICES),
            "selftest", new Room(Set.of(), Set.of("api"), SERVICES),
            "shell", new Room(Set.of(), Set.of("api"), Set.of("org.slf4j", "org.apache.karaf.shell")));

    private static final Set<String> LIBRARIES = Set.of("io.netty", "org.bouncycastle");

    /** Carried inside a bundle: the classes count as the bundle's own. */
    private static final Map<String, Set<String>> PRIVATE_PARTS =
            Map.of("transport", LIBRARIES, "selftest", Set.of("dev.turntable.codec"));

    static final List<String> BUNDLES = ROOMS.keySet().stream().sorted().toList();

    private static final Path JARS = Path.of(System.getProperty("bundles"));

    private static final JavaClasses CLASSES = classes();

    private static JavaClasses classes() {
        List<JarFile> jars = BUNDLES.stream().map(RoomsTest::open).toList();
        try {
            // Not the classes of libraries.
            return new ClassFileImporter()
                    .withImportOption(location -> location.contains("dev/turntable/"))
                    .importJars(jars);
        } finally {
            jars.forEach(RoomsTest::close);
        }
    }

    private static JarFile open(String bundle) {
        try {
            return new JarFile(jar(bundle).toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(JarFile jar) {
        try {
            jar.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path jar(String bundle) {
        return JARS.resolve("dev.turntable." + bundle + ".jar");
    }

    private static Attributes manifest(String bundle) throws IOException {
        try (JarFile jar = open(bundle)) {
            return jar.getManifest().getMainAttributes();
        }
    }

    private static Parameters header(String bundle, String name) throws IOException {
        return OSGiHeader.parseHeader(manifest(bundle).getValue(name));
    }

    private static boolean in(String packageName, String root) {
        return packageName.equals(root) || packageName.startsWith(root + ".");
    }

    private static boolean inAny(String packageName, Set<String> roots) {
        return roots.stream().anyMatch(root -> in(packageName, root));
    }

    private static Set<String> packagesOf(Set<String> bundles) {
        return bundles.stream().map(b -> "dev.turntable." + b).collect(Collectors.toSet());
    }

    @Test
    void everyBuiltBundleHasARow() throws IOException {
        try (Stream<Path> built = Files.list(JARS)) {
            Set<String> names =
                    built.map(p -> p.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
            Set<String> rows = BUNDLES.stream()
                    .map(b -> "dev.turntable." + b + ".jar")
                    .collect(Collectors.toCollection(TreeSet::new));
            assertEquals(rows, names);
        }
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("BUNDLES")
    void exportsWhatItsRowSaysAndNothingElse(String bundle) throws IOException {
        assertEquals(
                ROOMS.get(bundle).exports(), header(bundle, "Export-Package").keySet());
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("BUNDLES")
    void importsOnlyFromBundlesThatItMayKnow(String bundle) throws IOException {
        Room room = ROOMS.get(bundle);
        Set<String> own = Set.of("dev.turntable." + bundle);
        for (String imported : header(bundle, "Import-Package").keySet()) {
            boolean allowed = in(imported, "java")
                    || in(imported, "javax.crypto")
                    || in(imported, "javax.net")
                    || in(imported, "javax.security")
                    || inAny(imported, room.container())
                    || inAny(imported, packagesOf(room.knows()))
                    || inAny(imported, own);
            assertTrue(allowed, () -> bundle + " imports " + imported);
        }
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("BUNDLES")
    void importsNothingOptionallyOrDynamically(String bundle) throws IOException {
        // Either is rewired by a stranger's feature:install, and the bundle refreshed with its calls.
        assertNull(manifest(bundle).getValue("DynamicImport-Package"));
        assertNull(manifest(bundle).getValue("Require-Bundle"));
        assertNull(manifest(bundle).getValue("Fragment-Host"));
        for (Map.Entry<String, Attrs> imported :
                header(bundle, "Import-Package").entrySet()) {
            assertFalse(
                    "optional".equals(imported.getValue().get("resolution:")),
                    () -> bundle + " imports " + imported.getKey() + " optionally");
        }
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("BUNDLES")
    void neitherImportsNorExportsALibraryThatIsPrivate(String bundle) throws IOException {
        for (String name : List.of("Import-Package", "Export-Package", "DynamicImport-Package")) {
            String value = manifest(bundle).getValue(name);
            for (String library : LIBRARIES) {
                assertFalse(value != null && value.contains(library), () -> bundle + " " + name + ": " + value);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("BUNDLES")
    void hasNoActivator(String bundle) throws IOException {
        assertNull(manifest(bundle).getValue("Bundle-Activator"));
    }

    @ParameterizedTest(name = "{0}")
    @FieldSource("BUNDLES")
    void usesOnlyClassesOfBundlesThatItMayKnow(String bundle) {
        Room room = ROOMS.get(bundle);
        Set<String> ours = new TreeSet<>(packagesOf(room.knows()));
        ours.add("dev.turntable." + bundle);
        ours.addAll(PRIVATE_PARTS.getOrDefault(bundle, Set.of()));
        DescribedPredicate<JavaClass> foreign = DescribedPredicate.describe(
                "in another room",
                c -> (in(c.getPackageName(), "dev.turntable") || inAny(c.getPackageName(), LIBRARIES))
                        && !inAny(c.getPackageName(), ours));
        ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("dev.turntable." + bundle + "..")
                .should()
                .dependOnClassesThat(foreign)
                .check(CLASSES);
    }

    @Test
    void noCycleAmongTheBundles() {
        SlicesRuleDefinition.slices()
                .matching("dev.turntable.(*)..")
                .should()
                .beFreeOfCycles()
                .check(CLASSES);
    }

    @Test
    void theNativesOfBothProcessorsAreInTransport() throws IOException {
        try (JarFile jar = open("transport")) {
            for (String processor : List.of("x86_64", "aarch_64")) {
                assertTrue(
                        jar.getEntry("META-INF/native/libnetty_transport_native_epoll_" + processor + ".so") != null,
                        processor);
            }
        }
    }

    @Test
    void packagesAreNamedByRole() {
        ArchRuleDefinition.noClasses()
                .that()
                .resideInAPackage("dev.turntable..")
                .should()
                .resideInAnyPackage("..util..", "..impl..", "..model..", "..manager..", "..common..", "..helper..")
                .check(CLASSES);
    }
}
