package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promise: an operator upgrades the relay's feature in the middle of the day, and goes back, and no call notices.
 * Karaf's deployer updates the bundle where the new version differs in the third number only, and installs the new one
 * beside the old where it differs in the second.
 */
@ExtendWith(SharedServer.class)
class SwapUpgradeIT {
    private final LiveServer server;

    SwapUpgradeIT(LiveServer server) {
        this.server = server;
    }

    @ParameterizedTest(name = "to {0} and back")
    @ValueSource(strings = {"1.0.1", "1.1.0"})
    void featureInstallWithUpgradeLosesNothing(String version) throws Exception {
        RelayVersions versions = server.relayVersions();
        versions.make(version);
        server.shell("feature:repo-add " + RelayVersions.features(version));
        try (Load load = Load.start("feature:install --upgrade, " + version, server)) {
            for (int swap = 0; swap < Load.SWAPS; swap++) {
                upgrade(swap % 2 == 0 ? version : versions.built());
            }
            load.endWithoutLoss();
        }
    }

    private void upgrade(String version) throws IOException {
        String output = server.upgrade(version);
        assertEquals(RelayVersions.ofBundle(version), server.engine(), output);
        assertEquals(
                RelayVersions.ofBundle(version),
                server.bundle("dev.turntable.relay").version());
        assertEquals(
                RelayVersions.ofBundle(version),
                server.bundle("dev.turntable.codec").version());
    }
}
