package dev.turntable.itests.interop;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs that are not of this project, run as processes of their own. */
final class ForeignProgram {
    /** What a program printed, both streams together, and its exit status. */
    record Outcome(int status, String output) {}

    private ForeignProgram() {}

    /**
     * Skips the test, aloud, where the program is not installed; fails it where the environment says {@code CI=true}, for
     * there everything should be.
     */
    static void require(String program) {
        boolean installed = Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        if (installed) {
            return;
        }
        String message = "not run: " + program + " is not installed";
        if ("true".equals(System.getenv("CI")) || Boolean.getBoolean("CI")) {
            fail(message);
        }
        warn(message);
        abort(message);
    }

    /** Runs it to its end; one that does not end in time is killed and fails the test. */
    static Outcome run(List<String> command, Path directory, int seconds) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Path log = Files.createTempFile(directory, Path.of(command.get(0)).getFileName() + "-", ".log");
        Process process = start(command, directory, log);
        boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
        stop(process);
        String output = Files.readString(log);
        if (!ended) {
            fail(String.join(" ", command) + " did not end within " + seconds + " s:\n" + output);
        }
        return new Outcome(process.exitValue(), output);
    }

    /** Starts it with both of its output streams in the file {@code name.log} of the directory. */
    static Process start(List<String> command, Path directory, String name) throws IOException {
        Files.createDirectories(directory);
        return start(command, directory, directory.resolve(name + ".log"));
    }

    private static Process start(List<String> command, Path directory, Path log) throws IOException {
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Asks the process and what it started to end, and insists after a while. */
    static void stop(Process process) {
        List<ProcessHandle> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .toList();
        all.forEach(ProcessHandle::destroy);
        try {
            process.waitFor(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        all.forEach(ProcessHandle::destroyForcibly);
    }

    @SuppressWarnings("SystemOut")
    static void warn(String message) {
        System.err.println("WARNING: " + message);
    }
}
