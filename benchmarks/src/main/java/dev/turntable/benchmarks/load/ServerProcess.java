package dev.turntable.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the kernel tells of a process (Linux). */
public final class ServerProcess {
    /** Clock ticks in a second, the same on every Linux that Java runs on. */
    private static final double TICKS = 100;

    private final Path directory;

    public ServerProcess(long pid) {
        directory = Path.of("/proc", Long.toString(pid));
    }

    /** CPU time of all its threads so far, user and system. Resolution 10 ms. */
    public double cpuSeconds() throws IOException {
        String stat = Files.readString(directory.resolve("stat"));
        // The name, in parentheses, may hold blanks.
        List<String> fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
        return (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))) / TICKS;
    }

    /** Resident memory now. */
    public long residentBytes() throws IOException {
        for (String line : Files.readAllLines(directory.resolve("status"))) {
            if (line.startsWith("VmRSS:")) {
                return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        throw new IOException("no VmRSS in " + directory);
    }
}
