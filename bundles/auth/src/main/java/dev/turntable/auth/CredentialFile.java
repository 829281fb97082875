package dev.turntable.auth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that holds credentials and may change at any time. What it said last stays good while it cannot be read or makes no
 * sense. Nothing of its content gets into a log line or an exception: problems are told by path and line number.
 *
 * @param <T> what is read from it, immutable
 */
final class CredentialFile<T> {
    private static final Logger LOG = LoggerFactory.getLogger(CredentialFile.class);
    private static final long MAX_BYTES = 64L << 20;

    /** Makes sense of the lines of a file. */
    interface Format<T> {
        /** Takes lines without their ends, white space around them stripped. */
        T parse(String[] lines) throws BadLine;
    }

    /** A line that makes no sense; the message must not quote it. */
    static final class BadLine extends Exception {
        private static final long serialVersionUID = 1L;

        /** Line 0 stands for the whole file. */
        BadLine(int line, String problem) {
            super(line == 0 ? problem : "line " + line + ": " + problem);
        }
    }

    private record Stamp(FileTime modified, long bytes, Object inode) {}

    private final Path path;
    private final Format<T> format;
    private final T whenMissing;
    private Stamp stamp;
    private volatile String problem = "";
    private boolean warnedOfReaders;
    private volatile T current;

    /**
     * @param whenMissing what a missing file stands for; null if that is a problem
     * @param atFirst what is current until a file was read
     */
    CredentialFile(Path path, Format<T> format, T whenMissing, T atFirst) {
        this.path = path;
        this.format = format;
        this.whenMissing = whenMissing;
        this.current = atFirst;
    }

    /**
     * The path that a configuration value names, null where it is empty; {@code ${karaf.etc}} may stand in it.
     *
     * @throws IllegalArgumentException where it is none, naming the key
     */
    static Path pathOf(String key, String value) {
        String text = value.strip();
        if (text.isEmpty()) {
            return null;
        }
        if (text.contains("${karaf.etc}")) {
            text = text.replace("${karaf.etc}", System.getProperty("karaf.etc", "etc"));
        }
        if (text.contains("${")) {
            throw new IllegalArgumentException(key + ": a variable in it is not known: " + text);
        }
        try {
            return Path.of(text).toAbsolutePath();
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(key + ": not a path: " + e.getReason(), e);
        }
    }

    /** Where the file is; null for none. */
    static Path pathOf(CredentialFile<?> file) {
        return file == null ? null : file.path;
    }

    /** What the file said when it last made sense. Any thread, never waits. */
    T current() {
        return current;
    }

    /** Reads the file if it changed since it was last looked at. Waits for the disk. */
    synchronized void check() {
        try {
            BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
            Stamp now = new Stamp(attributes.lastModifiedTime(), attributes.size(), attributes.fileKey());
            if (attributes.isRegularFile()) {
                warnIfWorldReadable();
            }
            if (now.equals(stamp)) {
                return;
            }
            stamp = now;
            current = format.parse(lines(attributes));
            if (!problem.isEmpty()) {
                LOG.info("{} is good again", path);
            }
            problem = "";
        } catch (NoSuchFileException e) {
            stamp = null;
            if (whenMissing == null) {
                complain("it does not exist");
            } else {
                current = whenMissing;
                problem = "";
            }
        } catch (BadLine e) {
            complain(e.getMessage());
        } catch (IOException e) {
            // Read again next time: permissions change without a new time of modification.
            stamp = null;
            complain("it cannot be read: " + e.getClass().getSimpleName());
        }
    }

    private String[] lines(BasicFileAttributes attributes) throws IOException, BadLine {
        if (!attributes.isRegularFile()) {
            throw new BadLine(0, "it is not a file");
        }
        if (attributes.size() > MAX_BYTES) {
            throw new BadLine(0, "it is larger than 64 MiB");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(path)))
                    .toString();
            String[] lines = text.split("\n", -1);
            for (int i = 0; i < lines.length; i++) {
                lines[i] = lines[i].strip();
                // A byte order mark and the like would become a part of a name or secret that nobody can see.
                if (lines[i].chars().anyMatch(c -> c < ' ' || c == 0x7F || c == 0xFEFF)) {
                    throw new BadLine(i + 1, "it holds a control character or a byte order mark");
                }
            }
            return lines;
        } catch (CharacterCodingException e) {
            throw new BadLine(0, "it is not UTF-8");
        }
    }

    /** What is wrong with the file, one sentence; empty where nothing is. Any thread, never waits. */
    String problem() {
        return problem;
    }

    private void complain(String why) {
        String sentence = path + " is not used: " + why;
        if (!sentence.equals(problem)) {
            problem = sentence;
            LOG.error("{}. What was read before stays in force", sentence);
        }
    }

    private void warnIfWorldReadable() throws IOException {
        boolean readable;
        try {
            readable = Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_READ);
        } catch (UnsupportedOperationException e) {
            return;
        }
        if (readable && !warnedOfReaders) {
            LOG.warn("{} holds credentials and every user of this host can read it: chmod 600", path);
        }
        warnedOfReaders = readable;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
