package dev.turntable.itests.swap;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/**
 * Further versions of the relay to swap to: the classes that were built, under another bundle version, with a features
 * file of that version, in a Maven repository of files. What a client sees of them is the same; what an operator sees is
 * the version in {@code turn:engine-list}.
 */
final class RelayVersions {
    private static final String GROUP = "dev/turntable";
    private static final String RELAY = "dev.turntable.relay";
    private static final String CODEC = "dev.turntable.codec";
    private static final String FEATURE = "turntable-relay";
    private static final String COMPONENT = "OSGI-INF/dev.turntable.relay.RelayEngineComponent.xml";

    private final Path system;
    private final Path repository;
    private final String built;

    /** What is wrong with a version. */
    enum Fault {
        NONE,
        /** Nobody exports it: it does not resolve. */
        MISSING_IMPORT,
        /** Built for the next major version of {@code state}: it does not resolve. */
        OTHER_STATE,
        /** It resolves and starts, and its component throws. */
        FAILING_ACTIVATION
    }

    /** @param system the repository of the distribution, with the version that was built */
    RelayVersions(Path system, Path repository) throws IOException {
        this.system = system;
        this.repository = repository;
        try (Stream<Path> versions = Files.list(system.resolve(GROUP).resolve(RELAY))) {
            built = versions.filter(Files::isDirectory)
                    .map(directory -> directory.getFileName().toString())
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** The version that was built, as Maven and features say it. */
    String built() {
        return built;
    }

    /** The same as a bundle says it. */
    static String ofBundle(String version) {
        return version.replace("-", ".");
    }

    /** URL of the features file of a version that was built or made. */
    static String features(String version) {
        return "mvn:dev.turntable/turntable-relay/" + version + "/xml/features";
    }

    /** Where the relay's bundle of that version is. */
    Path relay(String version) {
        return file(version.equals(built) ? system : repository, RELAY, version, ".jar");
    }

    /** The bundle of that name as the distribution has it. */
    Path distributed(String name) {
        return file(system, name, built, ".jar");
    }

    /** Where a developer's {@code mvn install} would put the relay that was built. */
    Path inLocalRepository(Path local) {
        return file(local, RELAY, built, ".jar");
    }

    void make(String version) throws IOException {
        make(version, Fault.NONE);
    }

    void make(String version, Fault fault) throws IOException {
        copyBundle(CODEC, version, Fault.NONE);
        copyBundle(RELAY, version, fault);
        String features = Files.readString(file(system, FEATURE, built, "-features.xml"));
        write(file(repository, FEATURE, version, "-features.xml"), features.replace(built, version));
        write(
                file(repository, FEATURE, version, "-relay.cfg"),
                Files.readString(file(system, FEATURE, built, "-relay.cfg")));
    }

    private void copyBundle(String name, String version, Fault fault) throws IOException {
        Path target = file(repository, name, version, ".jar");
        Files.createDirectories(target.getParent());
        Path half = target.resolveSibling("half");
        try (JarFile source = new JarFile(file(system, name, built, ".jar").toFile());
                OutputStream out = Files.newOutputStream(half);
                JarOutputStream copy = new JarOutputStream(out, manifest(source.getManifest(), version, fault))) {
            for (JarEntry entry : source.stream().toList()) {
                if (entry.isDirectory() || entry.getName().equals(JarFile.MANIFEST_NAME)) {
                    continue;
                }
                copy.putNextEntry(new JarEntry(entry.getName()));
                try (InputStream in = source.getInputStream(entry)) {
                    copy.write(changed(entry.getName(), in.readAllBytes(), fault));
                }
                copy.closeEntry();
            }
            if (fault == Fault.FAILING_ACTIVATION) {
                String failing = FailingEngine.class.getName().replace('.', '/') + ".class";
                copy.putNextEntry(new JarEntry(failing));
                try (InputStream in = FailingEngine.class.getClassLoader().getResourceAsStream(failing)) {
                    copy.write(in.readAllBytes());
                }
                copy.closeEntry();
            }
        }
        Files.move(half, target, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Manifest manifest(Manifest manifest, String version, Fault fault) {
        Attributes attributes = manifest.getMainAttributes();
        attributes.putValue("Bundle-Version", ofBundle(version));
        String imports = attributes.getValue("Import-Package");
        switch (fault) {
            case MISSING_IMPORT -> imports += ",dev.turntable.groove;version=\"[1.0,2)\"";
            case OTHER_STATE ->
                imports = imports.replace(
                        "dev.turntable.state;version=\"[1.0,2)\"", "dev.turntable.state;version=\"[2.0,3)\"");
            default -> {}
        }
        attributes.putValue("Import-Package", imports);
        return manifest;
    }

    private static byte[] changed(String name, byte[] bytes, Fault fault) {
        if (fault != Fault.FAILING_ACTIVATION || !name.equals(COMPONENT)) {
            return bytes;
        }
        return new String(bytes, StandardCharsets.UTF_8)
                .replace(
                        "implementation class=\"dev.turntable.relay.RelayEngineComponent\"",
                        "implementation class=\"" + FailingEngine.class.getName() + "\"")
                .replaceAll("(?s)<reference .*?/>", "")
                .replace(" modified=\"modified\"", "")
                .replace(" init=\"2\"", "")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static Path file(Path repository, String artifact, String version, String end) {
        return repository.resolve(GROUP).resolve(artifact).resolve(version).resolve(artifact + "-" + version + end);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
