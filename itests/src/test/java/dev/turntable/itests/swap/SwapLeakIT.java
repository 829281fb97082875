package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.benchmarks.load.AllocateOnce;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** After many swaps of each kind the server is as it was: no old engine can be reached, nothing else has become more. */
class SwapLeakIT {
    /** Swaps before the first look: what is made once is there then. */
    private static final int FIRST = 4;

    private static final int SWAPS = 20;
    private static final int METASPACE_SLACK_BYTES = 4 << 20;

    private LiveServer server;
    private RelayVersions versions;

    /** Of its own: what other tests put into it, such as stack traces of engines that failed, would be counted here. */
    @BeforeEach
    void start() throws Exception {
        server = LiveServer.own("");
        versions = server.relayVersions();
        server.addFeatures("1.0.1");
        server.addFeatures("1.1.0");
        // A source that starts a thread when an engine asks it, one that lasts.
        server.install(SlowSource.bundle(server.home().resolve("slow-source.jar")));
        AllocateOnce.begin(server.address(), SlowSource.USER, SlowSource.PASSWORD)
                .close();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void twentySwapsLeaveNothingBehind() throws Exception {
        try (Load load = Load.start("of each kind, for leaks", server, 50, 200)) {
            for (int swap = 0; swap < FIRST; swap++) {
                swap(swap);
            }
            Census before = Census.of(server);
            for (int swap = 0; swap < SWAPS; swap++) {
                swap(swap);
            }
            Census after = Census.of(server);
            load.endWithoutLoss();
            say(before, after);
            assertAll(
                    () -> assertEquals(1, after.engineClasses(), "class loaders of engines"),
                    () -> assertEquals(1, after.codecClasses(), "class loaders of codecs"),
                    () -> assertEquals(before.bundleLoaders(), after.bundleLoaders(), "class loaders of bundles"),
                    () -> assertEquals(1, after.engines(), "engines in the heap"),
                    () -> assertEquals(before.workerThreads(), after.workerThreads(), "threads of ours"),
                    () -> assertTrue(after.threads() <= before.threads() + 3, "other threads"),
                    () -> assertTrue(after.descriptors() <= before.descriptors() + 3, "descriptors"),
                    () -> assertEquals(before.mbeans(), after.mbeans(), "MBeans"),
                    () -> assertTrue(
                            after.metaspaceBytes() <= before.metaspaceBytes() + METASPACE_SLACK_BYTES, "metaspace"));
        }
    }

    private void swap(int swap) {
        switch (swap % 4) {
            case 0 -> upgrade("1.0.1");
            case 1 -> upgrade("1.1.0");
            case 2 -> {
                upgrade(versions.built());
                server.shell("bundle:update "
                        + server.bundle("dev.turntable.relay").id() + " file:" + versions.relay("1.0.1"));
                server.shell("bundle:update "
                        + server.bundle("dev.turntable.relay").id() + " file:" + versions.relay(versions.built()));
            }
            default -> sideBySide();
        }
    }

    private void upgrade(String version) {
        String output = server.upgrade(version);
        assertEquals(RelayVersions.ofBundle(version), server.engine(), output);
    }

    private void sideBySide() {
        long old = server.bundle("dev.turntable.relay").id();
        long next = server.install(versions.relay("1.1.0"));
        String output = server.shell("bundle:stop " + old);
        String engines = server.shell("turn:engine-list");
        assertEquals("1.1.0", server.engine(), () -> output + engines + server.shell("bundle:list -t 0 -s"));
        server.shell("bundle:start " + old);
        server.shell("bundle:stop " + next);
        server.shell("bundle:uninstall " + next);
    }

    @SuppressWarnings("SystemOut")
    private static void say(Census before, Census after) {
        System.out.println("SWAP leaks before: " + before + "\nSWAP leaks after:  " + after);
    }
}
