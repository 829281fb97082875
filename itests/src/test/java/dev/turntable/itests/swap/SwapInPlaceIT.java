package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.benchmarks.load.EchoLoad;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The same bundle, with other content: reading pauses meanwhile, and what comes waits in the kernel. */
class SwapInPlaceIT {
    @Test
    @ExtendWith(SharedServer.class)
    void updatingTheBundleLosesNothing(LiveServer server) throws Exception {
        server.relayVersions().make("1.0.1");
        try (Load load = Load.start("bundle:update", server)) {
            for (int swap = 0; swap < Load.SWAPS; swap++) {
                update(server, swap % 2 == 0 ? "1.0.1" : server.relayVersions().built());
            }
            load.endWithoutLoss();
        }
    }

    @Test
    @ExtendWith(SharedServer.class)
    void restartingTheBundleLosesNothing(LiveServer server) throws Exception {
        long id = server.bundle("dev.turntable.relay").id();
        try (Load load = Load.start("bundle:restart", server)) {
            for (int swap = 0; swap < Load.SWAPS; swap++) {
                server.shell("bundle:restart " + id);
                assertEquals(RelayVersions.ofBundle(server.relayVersions().built()), server.engine());
            }
            load.endWithoutLoss();
        }
    }

    /** The control: with the pause switched off the same swaps lose packets, so the tests above do see losses. */
    @Test
    void withoutThePauseUpdatingLosesPackets() throws Exception {
        try (LiveServer server = LiveServer.own("-Ddev.turntable.state.swapWithoutPause=true")) {
            server.relayVersions().make("1.0.1");
            try (Load load = Load.start("bundle:update WITHOUT PAUSE", server)) {
                for (int swap = 0; swap < Load.SWAPS; swap++) {
                    update(
                            server,
                            swap % 2 == 0 ? "1.0.1" : server.relayVersions().built());
                }
                EchoLoad.Report report = load.end();
                assertTrue(report.lost() > 0, "packets lost without the pause");
                assertEquals(report.allocations(), report.allocationsAlive());
            }
        }
    }

    private static void update(LiveServer server, String version) throws IOException {
        long id = server.bundle("dev.turntable.relay").id();
        String output = server.shell(
                "bundle:update " + id + " file:" + server.relayVersions().relay(version));
        assertEquals(RelayVersions.ofBundle(version), server.engine(), output);
    }
}
