package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Other ways to take an engine away and bring one, and two at once. */
@ExtendWith(SharedServer.class)
class SwapStopStartIT {
    private static final Duration AWAY = Duration.ofSeconds(Load.FULL ? 60 : 5);

    private final LiveServer server;

    SwapStopStartIT(LiveServer server) {
        this.server = server;
    }

    @Test
    void whileTheRelayIsStoppedPacketsWaitAndTheServerSaysSo() throws Exception {
        long id = server.bundle("dev.turntable.relay").id();
        int log = server.log().length();
        try (Load load = Load.start("bundle:stop, " + AWAY.toSeconds() + " s, bundle:start", server, 50, 100)) {
            server.shell("bundle:stop " + id);
            Thread.sleep(AWAY.toMillis());
            String info = server.shell("turn:info --no-format");
            assertTrue(info.contains("reading is paused, clients wait"), info);
            assertTrue(info.contains("no relay engine"), info);
            server.shell("bundle:start " + id);
            load.endWithoutLoss();
        }
        List<String> complaints = LiveServer.complaints(server.logSince(log));
        assertEquals(1, complaints.size(), complaints.toString());
    }

    @Test
    void whatADeveloperCompilesIsTakenUpByBundleWatch() throws Exception {
        RelayVersions versions = server.relayVersions();
        versions.make("1.0.1");
        long id = server.bundle("dev.turntable.relay").id();
        Path local = server.localRepositoryRelay();
        Files.createDirectories(local.getParent());
        server.shell("bundle:watch " + id);
        try (Load load = Load.start("bundle:watch", server, 50, 200)) {
            for (String version : List.of("1.0.1", versions.built())) {
                Path half = local.resolveSibling("half");
                Files.copy(versions.relay(version), half);
                Files.setLastModifiedTime(half, FileTime.fromMillis(System.currentTimeMillis()));
                Files.move(half, local, StandardCopyOption.REPLACE_EXISTING);
                server.awaitEngine(RelayVersions.ofBundle(version));
            }
            load.endWithoutLoss();
        } finally {
            server.shell("bundle:watch --remove " + id);
            Files.deleteIfExists(local);
        }
    }

    @Test
    void theOtherBundlesThatExportNothingAreUpdatedWhileCallsGoOn() throws Exception {
        RelayVersions versions = server.relayVersions();
        try (Load load = Load.start("bundle:update of auth, selftest and shell", server, 50, 200)) {
            for (String name : List.of("dev.turntable.auth", "dev.turntable.selftest", "dev.turntable.shell")) {
                long id = server.bundle(name).id();
                server.shell("bundle:update " + id + " file:" + versions.distributed(name));
                server.await(
                        name,
                        Duration.ofSeconds(20),
                        () -> server.bundle(name).state().equals("Active"));
            }
            load.endWithoutLoss();
        }
    }

    @Test
    void theNextFeatureInstallUndoesBundleUpdate() throws Exception {
        RelayVersions versions = server.relayVersions();
        versions.make("1.0.1");
        long id = server.bundle("dev.turntable.relay").id();
        server.shell("feature:repo-add file:" + NeighboursIT.OTHER_NETTY);
        try (Load load = Load.start("bundle:update, and another feature", server, 50, 200)) {
            server.shell("bundle:update " + id + " file:" + versions.relay("1.0.1"));
            assertEquals("1.0.1", server.engine());
            server.shell("feature:install other-netty");
            server.awaitEngine(RelayVersions.ofBundle(versions.built()));
            server.bundle("dev.turntable.relay");
            server.shell("feature:uninstall other-netty");
            load.endWithoutLoss();
        }
    }

    @Test
    void twoSwapsAtOnceEndWithOneEngineAndLoseNothing() throws Exception {
        RelayVersions versions = server.relayVersions();
        versions.make("1.0.1");
        server.addFeatures("1.1.0");
        long id = server.bundle("dev.turntable.relay").id();
        try (Load load = Load.start("two swaps at once", server, 50, 200)) {
            List<CompletableFuture<String>> swaps = Stream.of(
                            "bundle:update " + id + " file:" + versions.relay("1.0.1"),
                            "feature:install --upgrade turntable-relay/1.1.0")
                    .map(command -> CompletableFuture.supplyAsync(() -> server.shell(command)))
                    .toList();
            swaps.forEach(CompletableFuture::join);
            server.awaitEngine("1.1.0");
            server.upgrade(versions.built());
            assertEquals(RelayVersions.ofBundle(versions.built()), server.engine());
            server.bundle("dev.turntable.relay");
            load.endWithoutLoss();
        }
    }
}
