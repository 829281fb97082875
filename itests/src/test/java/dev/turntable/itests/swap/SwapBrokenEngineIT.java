package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.itests.swap.RelayVersions.Fault;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A relay that does not fit never takes over. Where Karaf notices before it takes the old one away, that goes on; where it
 * notices afterwards, reading stays paused until there is a sound one.
 */
@ExtendWith(SharedServer.class)
class SwapBrokenEngineIT {
    private static final String BROKEN = "1.2.0";
    /** Few enough for the receive buffer to hold what comes while an operator reads the log and goes back. */
    private static final int PACKETS_PER_SECOND = 100;

    private final LiveServer server;
    private final String built;

    SwapBrokenEngineIT(LiveServer server) {
        this.server = server;
        built = RelayVersions.ofBundle(server.relayVersions().built());
    }

    @AfterEach
    void forgetTheBrokenOne() {
        server.shell("feature:repo-remove " + RelayVersions.features(BROKEN));
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"MISSING_IMPORT", "OTHER_STATE"})
    void anUpgradeThatDoesNotResolveIsRefusedAndTheOldOneGoesOn(Fault fault) throws Exception {
        server.relayVersions().make(BROKEN, fault);
        long bundle = server.bundle("dev.turntable.relay").id();
        int swaps = server.swaps();
        try (Load load = Load.start("upgrade to " + fault, server, 50, 500)) {
            String output = upgrade(BROKEN);
            assertTrue(output.contains("Unable to resolve"), output);
            assertTrue(
                    output.contains(fault == Fault.OTHER_STATE ? "dev.turntable.state" : "dev.turntable.groove"),
                    output);
            assertEquals(built, server.engine());
            assertEquals(bundle, server.bundle("dev.turntable.relay").id());
            assertEquals(swaps, server.swaps(), "swaps");
            load.endWithoutLoss();
        }
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void sideBySideTheOldOneGoesOnWhateverIsWrong(Fault fault) throws Exception {
        server.relayVersions().make(BROKEN, fault);
        int swaps = server.swaps();
        try (Load load = Load.start("side by side with " + fault, server, 50, 500)) {
            long broken = server.install(server.relayVersions().relay(BROKEN));
            assertEquals(built, server.engine());
            assertEquals(swaps, server.swaps(), "swaps");
            server.shell("bundle:uninstall " + broken);
            load.endWithoutLoss();
        }
    }

    @Test
    void afterAFailedActivationReadingWaitsAndTheOldVersionResumesEveryAllocation() throws Exception {
        server.relayVersions().make(BROKEN, Fault.FAILING_ACTIVATION);
        int log = server.log().length();
        try (Load load = Load.start("upgrade to FAILING_ACTIVATION and back", server, 50, PACKETS_PER_SECOND)) {
            upgrade(BROKEN);
            assertEquals("", server.engine());
            server.await("a warning", Duration.ofSeconds(30), () -> info().contains("no relay engine"));
            assertTrue(info().contains("reading is paused"), info());
            assertTrue(server.logSince(log).contains(FailingEngine.WHY));
            upgrade(server.relayVersions().built());
            assertEquals(built, server.engine());
            load.endWithoutLoss();
        }
        String warning = "no relay engine for";
        assertEquals(
                1,
                server.logSince(log)
                        .lines()
                        .filter(line -> line.contains(warning))
                        .count(),
                "one warning");
    }

    @ParameterizedTest
    @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void inPlaceReadingWaitsForASoundOne(Fault fault) throws Exception {
        server.relayVersions().make(BROKEN, fault);
        long id = server.bundle("dev.turntable.relay").id();
        try (Load load = Load.start("bundle:update with " + fault + " and back", server, 50, PACKETS_PER_SECOND)) {
            server.shell(
                    "bundle:update " + id + " file:" + server.relayVersions().relay(BROKEN));
            assertEquals("", server.engine());
            server.shell("bundle:update " + id + " file:"
                    + server.relayVersions().relay(server.relayVersions().built()));
            server.shell("bundle:start " + id);
            assertEquals(built, server.engine());
            load.endWithoutLoss();
        }
    }

    private String upgrade(String version) {
        server.shell("feature:repo-add " + RelayVersions.features(version));
        return server.upgrade(version);
    }

    private String info() {
        return server.shell("turn:info");
    }
}
