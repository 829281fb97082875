package dev.turntable.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the secret file of a first start, so that nobody gets an open relay and nobody has to edit a file to try the server. */
final class FirstSecret {
    private static final Logger LOG = LoggerFactory.getLogger(FirstSecret.class);

    private FirstSecret() {}

    /** Writes a random secret of 256 bits, readable by the owner alone, unless there is a file. */
    static void makeIfMissing(Path path) {
        if (Files.exists(path)) {
            return;
        }
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        String text = """
                # Shared secrets of this TURN server, one a line; the first one mints. Keep this file to yourself (mode 0600).
                # To change the secret: add the new one as first line, tell it to your applications, later remove the old one.
                """ + Base64.getUrlEncoder().withoutPadding().encodeToString(random) + "\n";
        Path whole = null;
        try {
            // Complete before it has its name: a crash in between leaves no empty secret file. Mode 0600 by default.
            whole = Files.createTempFile(path.getParent(), path.getFileName().toString(), ".new");
            Files.writeString(whole, text);
            Files.move(whole, path);
            LOG.info("Made a random shared secret: {}", path);
        } catch (IOException e) {
            LOG.error("There is no secret file {} and none could be made: {}", path, e.toString());
            deleteQuietly(whole);
        }
    }

    private static void deleteQuietly(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            LOG.warn("A file was left behind: {}", file);
        }
    }
}
