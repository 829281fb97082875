package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.itests.interop.ChromiumCall;
import dev.turntable.itests.interop.ChromiumCall.Report;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A WebRTC call, relayed at both ends, goes on while the relay is swapped ten times. */
@ExtendWith(SharedServer.class)
class SwapChromiumIT {
    private static final int SWAPS = 10;

    private final LiveServer server;

    SwapChromiumIT(LiveServer server) {
        this.server = server;
    }

    @BeforeAll
    static void requirePrograms() {
        ChromiumCall.requirePrograms();
    }

    @Test
    void aCallAcrossTenSwapsMissesNoMessageAndDoesNotRestartIce() throws Exception {
        RelayVersions versions = server.relayVersions();
        server.addFeatures("1.0.1");
        versions.make("1.1.0");
        server.shell("feature:repo-add " + RelayVersions.features("1.1.0"));
        List<String> cycle = List.of("1.0.1", "1.1.0", versions.built());
        String url = "turn:127.0.0.1:" + server.address().getPort() + "?transport=udp";
        try (ChromiumCall call = ChromiumCall.call(url, LiveServer.USER, LiveServer.PASSWORD)) {
            call.nextReport();
            for (int swap = 0; swap < SWAPS; swap++) {
                upgrade(cycle.get(swap % cycle.size()));
                Thread.sleep(500);
            }
            assertRelayed(call.report());
            Report last = call.stop();
            say(last);
            assertAll(
                    () -> assertEquals(0, last.number("iceRestarts"), "ICE restarts"),
                    () -> assertEquals(0, last.number("disconnects"), "disconnects"));
            for (String end : List.of("a.reliable.", "a.lossy.", "b.reliable.", "b.lossy.")) {
                assertAll(
                        () -> assertTrue(last.number(end + "sent") > 100, end),
                        () -> assertEquals(0, last.number(end + "missing"), end + "missing"),
                        () -> assertEquals(0, last.number(end + "duplicated"), end + "duplicated"));
            }
        } finally {
            upgrade(versions.built());
        }
    }

    private void upgrade(String version) throws IOException {
        String output = server.upgrade(version);
        assertEquals(RelayVersions.ofBundle(version), server.engine(), output);
    }

    private static void assertRelayed(Report report) {
        for (String end : List.of("a.", "b.")) {
            assertAll(
                    () -> assertEquals("connected", report.text(end + "connectionState")),
                    () -> assertEquals("relay", report.text(end + "localCandidateType")),
                    () -> assertEquals("relay", report.text(end + "remoteCandidateType")),
                    () -> assertEquals("1", report.text(end + "selectedPairChanges")),
                    () -> assertTrue(report.number(end + "framesDecoded") > 20, end + "framesDecoded"));
        }
    }

    @SuppressWarnings("SystemOut")
    private static void say(Report report) {
        System.out.println("SWAP Chromium: " + new TreeMap<>(report.values()));
    }
}
