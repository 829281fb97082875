package dev.turntable.itests.swap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The UDP sockets of a process over IPv4, as the kernel sees them. */
final class UdpSockets {
    private static final String OPEN = "socket:[";

    /** @param drops datagrams that found no room in its receive buffer since it was opened */
    record Line(int port, long drops) {}

    private UdpSockets() {}

    static List<Line> of(long pid) throws IOException {
        Path process = Path.of("/proc", String.valueOf(pid));
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> files = Files.list(process.resolve("fd"))) {
            for (Path file : files.toList()) {
                String target = Files.isSymbolicLink(file) ? target(file) : "";
                if (target.startsWith(OPEN)) {
                    inodes.add(target.substring(OPEN.length(), target.length() - 1));
                }
            }
        }
        try (Stream<String> lines = Files.lines(process.resolve("net/udp"), StandardCharsets.US_ASCII)) {
            return lines.skip(1)
                    .map(line -> line.trim().split("\\s+"))
                    .filter(columns -> inodes.contains(columns[9]))
                    .map(columns -> new Line(
                            Integer.parseInt(columns[1].substring(columns[1].indexOf(':') + 1), 16),
                            Long.parseLong(columns[12])))
                    .toList();
        }
    }

    static long drops(List<Line> sockets) {
        return sockets.stream().mapToLong(Line::drops).sum();
    }

    /** Empty where it was closed meanwhile. */
    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
