package dev.turntable.itests.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A WebRTC call of two relay-only connections in a headless Chromium, driven by {@code src/test/js/call.js}; its head
 * says what it prints. The first call of a build fetches playwright-core into {@code target/js}.
 */
public final class ChromiumCall implements AutoCloseable {
    private static final int INSTALL_SECONDS = 120;
    private static final int REPORT_SECONDS = 90;

    private final Process process;
    private final Path errors;
    private final BlockingQueue<Report> reports = new ArrayBlockingQueue<>(100);

    /** What a call says about itself. The names are those of {@code page.js}; {@code a} and {@code b} are its ends. */
    public record Report(Map<String, String> values) {
        public String text(String name) {
            String value = values.get(name);
            if (value == null) {
                throw new AssertionError("no " + name + " in " + values);
            }
            return value;
        }

        public long number(String name) {
            return Long.parseLong(text(name));
        }
    }

    private ChromiumCall(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
    }

    public static void requirePrograms() {
        List.of("chromium", "node", "npm").forEach(ForeignProgram::require);
    }

    /** 1 MB each way beside 10 s of video; {@link #nextReport()} has the result. */
    static ChromiumCall exchange(String turnUrl, String username, String password)
            throws IOException, InterruptedException {
        return start("exchange", turnUrl, username, password, "");
    }

    /**
     * As above, where the server's certificate is one that Chromium does not know.
     *
     * @param trustedKey SHA-256 hash of its SubjectPublicKeyInfo, in Base64
     */
    static ChromiumCall exchange(String turnUrl, String username, String password, String trustedKey)
            throws IOException, InterruptedException {
        return start("exchange", turnUrl, username, password, trustedKey);
    }

    /**
     * Numbered messages and video until {@link #stop()}. {@link #nextReport()} returns when the call is up. Missing
     * messages of a report before the last count those that are under way.
     */
    public static ChromiumCall call(String turnUrl, String username, String password)
            throws IOException, InterruptedException {
        return start("call", turnUrl, username, password, "");
    }

    public Report nextReport() throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(REPORT_SECONDS);
        while (System.nanoTime() - end < 0) {
            Report report = reports.poll(200, TimeUnit.MILLISECONDS);
            if (report != null) {
                return report;
            }
            if (!process.isAlive() && reports.isEmpty()) {
                break;
            }
        }
        throw new IOException("no report from Chromium: " + Files.readString(errors));
    }

    public Report report() throws IOException, InterruptedException {
        tell("report");
        return nextReport();
    }

    /** The last report: what is missing in it is missing for good. */
    public Report stop() throws IOException, InterruptedException {
        tell("stop");
        return nextReport();
    }

    @Override
    public void close() {
        ForeignProgram.stop(process);
    }

    private static ChromiumCall start(String mode, String turnUrl, String username, String password, String trustedKey)
            throws IOException, InterruptedException {
        Path scripts = installScripts();
        Path profile = Files.createTempDirectory(TurnServerUnderTest.workDirectory(), "chromium-profile-");
        Path errors = profile.resolveSibling(profile.getFileName() + ".log");
        ProcessBuilder builder = new ProcessBuilder(
                        "node", "call.js", mode, turnUrl, username, password, profile.toString())
                .directory(scripts.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("TRUSTED_KEY", trustedKey);
        Process process = builder.start();
        ChromiumCall call = new ChromiumCall(process, errors);
        Thread reader = new Thread(call::read, "chromium-reports");
        reader.setDaemon(true);
        reader.start();
        return call;
    }

    private static synchronized Path installScripts() throws IOException, InterruptedException {
        Path sources =
                Path.of(System.getProperty("basedir", "."), "src/test/js").toAbsolutePath();
        Path scripts = TurnServerUnderTest.workDirectory().resolveSibling("js");
        Files.createDirectories(scripts);
        Files.createDirectories(TurnServerUnderTest.workDirectory());
        for (String name : List.of("package.json", "call.js", "page.js")) {
            Files.copy(sources.resolve(name), scripts.resolve(name), StandardCopyOption.REPLACE_EXISTING);
        }
        if (!Files.exists(scripts.resolve("node_modules/playwright-core/package.json"))) {
            ForeignProgram.Outcome outcome = ForeignProgram.run(
                    List.of("npm", "install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"),
                    scripts,
                    INSTALL_SECONDS);
            assertEquals(0, outcome.status(), outcome::output);
        }
        return scripts;
    }

    private void read() {
        Map<String, String> values = new LinkedHashMap<>();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int equals = line.indexOf('=');
                if (equals > 0) {
                    values.put(line.substring(0, equals), line.substring(equals + 1));
                } else if (line.equals("end")) {
                    reports.add(new Report(Map.copyOf(values)));
                    values.clear();
                }
            }
        } catch (IOException e) {
            ForeignProgram.warn("output of Chromium's driver: " + e);
        }
    }

    private void tell(String line) throws IOException {
        BufferedWriter writer = process.outputWriter(StandardCharsets.UTF_8);
        writer.write(line + "\n");
        writer.flush();
    }
}
