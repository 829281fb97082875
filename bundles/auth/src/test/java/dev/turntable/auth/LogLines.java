package dev.turntable.auth;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What is logged while it is open: the test logger writes to the error stream. */
final class LogLines implements AutoCloseable {
    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    LogLines() {
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    String all() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    List<String> of(String level) {
        return all().lines().filter(line -> line.contains(" " + level + " ")).toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
