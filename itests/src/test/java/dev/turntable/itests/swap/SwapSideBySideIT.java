package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Both versions are there; one is started before the other is stopped, and going back is the same two commands. */
@ExtendWith(SharedServer.class)
class SwapSideBySideIT {
    private final LiveServer server;

    SwapSideBySideIT(LiveServer server) {
        this.server = server;
    }

    @Test
    void startingTheOneAndStoppingTheOtherLosesNothingAndLeavesNoGap() throws Exception {
        RelayVersions versions = server.relayVersions();
        versions.make("1.1.0");
        long old = server.bundle("dev.turntable.relay").id();
        try (Load load = Load.start("side by side", server)) {
            int before = server.swaps();
            long next = server.install(versions.relay("1.1.0"));
            assertEquals(RelayVersions.ofBundle(versions.built()), server.engine(), "the one that serves goes on");
            for (int swap = 0; swap < Load.SWAPS; swap++) {
                boolean there = swap % 2 == 0;
                server.shell("bundle:start " + (there ? next : old));
                server.shell("bundle:stop " + (there ? old : next));
                assertEquals(there ? "1.1.0" : RelayVersions.ofBundle(versions.built()), server.engine());
            }
            List<LiveServer.EngineLine> swaps = server.engines().stream()
                    .filter(engine -> engine.swaps() > before)
                    .toList();
            server.shell("bundle:uninstall " + next);
            load.endWithoutLoss();
            assertTrue(swaps.stream().allMatch(engine -> engine.gapMillis() == 0), swaps.toString());
        }
    }
}
