package dev.turntable.itests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Distributions as an operator uses them. */
final class KarIT {
    static final Set<String> BUNDLES = Set.of(
            "dev.turntable.api",
            "dev.turntable.auth",
            "dev.turntable.codec",
            "dev.turntable.relay",
            "dev.turntable.selftest",
            "dev.turntable.shell",
            "dev.turntable.state",
            "dev.turntable.transport");

    /** Seen to fail: with the jar of Declarative Services taken out of the KAR. */
    @Test
    void theKarInstallsInAStockKarafWithNoNetworkAndAnEmptyLocalRepository() throws IOException, InterruptedException {
        try (KarafProcess karaf = KarafProcess.stock("stock-kar")) {
            karaf.start();
            assertEquals(Map.of(), karaf.turntableBundles());
            karaf.drop(KarafProcess.BUILD.resolve("containers/turntable-features.kar"));
            awaitBundles(karaf);
            // A part that is pinned beside the whole would keep its old version at the next upgrade.
            assertEquals(
                    Set.of("turntable"),
                    karaf.requiredFeatures().stream()
                            .filter(name -> name.startsWith("turntable"))
                            .collect(Collectors.toSet()));
            try (Stream<Path> fetched = Files.list(karaf.home().resolve("empty-repository"))) {
                assertEquals(0, fetched.count());
            }
        }
    }

    @Test
    void theDistributionStartsWithItsShellOnLoopbackOnly() throws IOException, InterruptedException {
        try (KarafProcess karaf = KarafProcess.assembly("assembly")) {
            String shell = Files.readString(karaf.home().resolve("etc/org.apache.karaf.shell.cfg"));
            assertTrue(shell.contains("sshHost=127.0.0.1"), shell);
            assertFalse(shell.contains("0.0.0.0"), shell);
            karaf.start();
            awaitBundles(karaf);
        }
    }

    private static void awaitBundles(KarafProcess karaf) {
        KarafProcess.await("all bundles, active", Duration.ofMinutes(3), () -> {
            Map<String, String> bundles = karaf.turntableBundles();
            return bundles.keySet().equals(BUNDLES) && bundles.values().stream().allMatch("Active"::equals);
        });
    }
}
