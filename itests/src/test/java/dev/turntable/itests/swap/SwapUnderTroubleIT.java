package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.benchmarks.load.AllocateOnce;
import dev.turntable.benchmarks.load.TurnClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Swaps at bad moments. */
@ExtendWith(SharedServer.class)
class SwapUnderTroubleIT {
    private static final int EXPIRING = Load.FULL ? 1000 : 200;
    private static final int SLOW_REQUESTS = 50;
    private static final Duration WAIT = Duration.ofSeconds(60);

    private final LiveServer server;
    private final long relay;

    SwapUnderTroubleIT(LiveServer server) {
        this.server = server;
        relay = server.bundle("dev.turntable.relay").id();
    }

    @Test
    void allocationsThatExpireDuringSwapsAreReapedAndTheOthersGoOn() throws Exception {
        Path file = server.etc("dev.turntable.relay.cfg");
        String before = Files.readString(file);
        List<TurnClient> expiring = new ArrayList<>();
        try (Load load = Load.start("while " + EXPIRING + " allocations expire", server, 100, 500)) {
            Set<String> staying = server.allocationIds();
            // The load has asked for 600 s; these get what they ask for from now on.
            int log = server.log().length();
            LiveServer.append(file, "allocationLifetimeSeconds = 3");
            server.await("short lifetimes", WAIT, () -> server.logSince(log).contains("configuration in force"));
            for (int i = 0; i < EXPIRING; i++) {
                TurnClient client = TurnClient.open(server.address(), LiveServer.USER, LiveServer.PASSWORD);
                expiring.add(client);
                client.allocate(3, false);
            }
            for (int i = 0; i < 30; i++) {
                server.shell("bundle:restart " + relay);
                Thread.sleep(100);
            }
            server.await("all of them gone", WAIT, () -> server.allocationIds().equals(staying));
            Files.writeString(file, before);
            load.endWithoutLoss();
        } finally {
            Files.writeString(file, before);
            for (TurnClient client : expiring) {
                client.close();
            }
        }
    }

    @Test
    void aMassTeardownGoesOnAcrossSwaps() throws Exception {
        List<TurnClient> ending = new ArrayList<>();
        try (Load load = Load.start("while " + EXPIRING + " allocations are deleted", server, 100, 500)) {
            Set<String> staying = server.allocationIds();
            for (int i = 0; i < EXPIRING; i++) {
                TurnClient client = TurnClient.open(server.address(), LiveServer.USER, LiveServer.PASSWORD);
                ending.add(client);
                client.allocate(600, false);
            }
            Set<String> ids = server.allocationIds();
            ids.removeAll(staying);
            CompletableFuture<String> deletion = CompletableFuture.supplyAsync(
                    () -> server.shell("turn:allocation-delete -f " + String.join(" ", ids)));
            for (int i = 0; i < 5 || !deletion.isDone(); i++) {
                server.shell("bundle:restart " + relay);
            }
            assertEquals(EXPIRING, deletion.join().lines().count(), deletion.join());
            assertEquals(staying, server.allocationIds());
            load.endWithoutLoss();
        } finally {
            for (TurnClient client : ending) {
                client.close();
            }
        }
    }

    @Test
    void aRequestThatWaitsForASlowSourceHasOneAnswerAcrossSwaps() throws Exception {
        long source = server.install(SlowSource.bundle(server.home().resolve("slow-source.jar")));
        List<AllocateOnce> requests = new ArrayList<>();
        try (Load load = Load.start("while a credential source is slow", server, 50, 200)) {
            for (int i = 0; i < SLOW_REQUESTS; i++) {
                requests.add(AllocateOnce.begin(server.address(), SlowSource.USER, SlowSource.PASSWORD));
            }
            long end = System.nanoTime() + SlowSource.DELAY.plusSeconds(3).toNanos();
            int swaps = 0;
            while (System.nanoTime() - end < 0) {
                server.shell("bundle:restart " + relay);
                swaps++;
                for (AllocateOnce request : requests) {
                    request.poll();
                }
            }
            assertTrue(swaps >= 2, "swaps");
            for (AllocateOnce request : requests) {
                assertEquals(List.of("success"), request.answers());
            }
            load.endWithoutLoss();
        } finally {
            server.shell("bundle:uninstall " + source);
            for (AllocateOnce request : requests) {
                request.close();
            }
        }
    }

    @Test
    void whileARelayIsSwappedItsConfigurationMayChange() throws Exception {
        Path file = server.etc("dev.turntable.relay.cfg");
        String before = Files.readString(file);
        try (Load load = Load.start("while configuration changes", server, 100, 500)) {
            for (int swap = 0; swap < 2 * Load.SWAPS; swap++) {
                Files.writeString(file, before + "\nnonceLifetimeSeconds = " + (1000 + swap) + "\n");
                // The container looks at its files once a second.
                for (int i = 0; i < 4; i++) {
                    server.shell("bundle:restart " + relay);
                    Thread.sleep(200);
                }
            }
            Files.writeString(file, before);
            load.endWithoutLoss();
        } finally {
            Files.writeString(file, before);
        }
    }
}
