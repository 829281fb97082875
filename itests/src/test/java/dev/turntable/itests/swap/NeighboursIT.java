package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Features that have nothing to do with us come and go in the same container; no bundle of ours is refreshed for it. */
class NeighboursIT {
    /** Features file of a Netty that is not ours. */
    static final Path OTHER_NETTY = Path.of(System.getProperty("basedir", "."), "src/test/features/other-netty.xml")
            .toAbsolutePath();

    @Test
    void otherFeaturesComeAndGoWhileCallsGoOn() throws Exception {
        try (LiveServer server = LiveServer.own("")) {
            server.shell("feature:repo-add file:" + OTHER_NETTY);
            Map<Long, LiveServer.BundleLine> bundles = server.bundles();
            int log = server.log().length();
            try (Load load = Load.start("neighbours", server, 50, 500)) {
                for (String feature : List.of("http", "webconsole", "scr", "other-netty")) {
                    String plan = server.shell("feature:install -t -v " + feature);
                    assertFalse(plan.contains("dev.turntable"), plan);
                    String output = server.shell("feature:install " + feature);
                    assertTrue(reaches(server, "feature:list -i --no-format", feature + "\t"), feature + ": " + output);
                    assertUntouched(server, bundles, log, feature + " installed");
                }
                for (String feature : List.of("other-netty", "scr", "webconsole", "http")) {
                    server.shell("feature:uninstall " + feature);
                    assertUntouched(server, bundles, log, feature + " uninstalled");
                }
                assertEquals(1, server.engines().size(), "engines since the start");
                load.endWithoutLoss();
            }
        }
    }

    private static void assertUntouched(
            LiveServer server, Map<Long, LiveServer.BundleLine> bundles, int log, String when) throws IOException {
        assertEquals(bundles, server.bundles(), when);
        List<String> ours = server.logSince(log)
                .lines()
                .filter(line -> line.contains("FeaturesServiceImpl") && line.contains("dev.turntable"))
                .toList();
        assertEquals(List.of(), ours, when);
    }

    /** The shell itself may be on its way back. */
    private static boolean reaches(LiveServer server, String command, String text)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (System.nanoTime() - end < 0) {
            if (server.shell(command).replace(" ", "").contains(text)) {
                return true;
            }
            Thread.sleep(200);
        }
        return false;
    }
}
