package dev.turntable.itests.interop;

import static dev.turntable.itests.interop.TurnServerUnderTest.ADDRESS;
import static dev.turntable.itests.interop.TurnServerUnderTest.PASSWORD;
import static dev.turntable.itests.interop.TurnServerUnderTest.USER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.benchmarks.load.TurnClient;
import dev.turntable.itests.interop.EchoingPeer.Arrival;
import dev.turntable.itests.interop.TurntableAssembly.Settings;
import dev.turntable.itests.interop.Uclient.Totals;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Permissions and channels of 4 seconds under a client that refreshes them every 30: the call is cut at the deadline, and the sweep
 * takes away what is left of it. The same call goes at the same time to a server that does not sweep, and there the test fails.
 */
class ExpiryInteropIT {
    private static final int LIFETIME_SECONDS = 4;
    private static final int MESSAGES = 400;
    private static final int INTERVAL_MILLIS = 20;

    /** The deadline is kept to a batch of packets; the rest is for a busy machine. */
    private static final long TOLERANCE_MILLIS = 250;

    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    private static TurntableAssembly sweeping;
    private static TurntableAssembly unswept;
    private static Call sweptCall;
    private static Call unsweptCall;

    /** What {@code turn:sweep-show} tells, all workers together. */
    private record Sweep(
            long allocations,
            long permissions,
            long channelBindings,
            long reapedAllocations,
            long reapedPermissions,
            long reapedChannelBindings) {
        static Sweep of(TurntableAssembly server) {
            String json = server.shell("turn:sweep-show --json");
            return new Sweep(
                    sum(json, "liveAllocations"),
                    sum(json, "livePermissions"),
                    sum(json, "liveChannelBindings"),
                    sum(json, "reapedAllocations"),
                    sum(json, "reapedPermissions"),
                    sum(json, "reapedChannelBindings"));
        }

        private static long sum(String json, String key) {
            Matcher matcher = Pattern.compile("\"" + key + "\": *(\\d+)").matcher(json);
            assertTrue(matcher.find(), () -> "no " + key + " in: " + json);
            long sum = 0;
            do {
                sum += Long.parseLong(matcher.group(1));
            } while (matcher.find());
            return sum;
        }
    }

    /**
     * What was seen of a call of the foreign client.
     *
     * @param arrivals at its peer
     * @param startNanos of the client's process
     * @param during as soon as a channel is bound
     * @param afterDeadline while the client still sends
     */
    private record Call(
            long startNanos,
            Totals totals,
            List<Arrival> arrivals,
            Sweep during,
            Sweep afterDeadline,
            boolean wentOn,
            String log) {
        long passedSinceStartMillis() {
            return millis(arrivals.get(arrivals.size() - 1).nanos() - startNanos);
        }

        long passedMillis() {
            return millis(
                    arrivals.get(arrivals.size() - 1).nanos() - arrivals.get(0).nanos());
        }
    }

    @BeforeAll
    static void callBothServers() throws Exception {
        ForeignProgram.require("turnutils_uclient");
        Map<String, Integer> brief =
                Map.of("permissionLifetimeSeconds", LIFETIME_SECONDS, "channelLifetimeSeconds", LIFETIME_SECONDS);
        Future<TurntableAssembly> first = start(0, new Settings(Map.of(), brief, ""));
        Future<TurntableAssembly> second =
                start(1, new Settings(Map.of(), brief, "-Ddev.turntable.test.sweepOff=true"));
        try {
            sweeping = first.get();
        } finally {
            unswept = second.get();
        }
        Future<Call> swept = THREADS.submit(() -> call(sweeping));
        unsweptCall = call(unswept);
        sweptCall = swept.get();
    }

    private static Future<TurntableAssembly> start(int block, Settings settings) {
        return THREADS.submit(() -> TurntableAssembly.start(Ports.own(block), settings));
    }

    @AfterAll
    static void stop() {
        for (TurntableAssembly server : new TurntableAssembly[] {sweeping, unswept}) {
            if (server != null) {
                server.close();
            }
        }
        THREADS.shutdownNow();
    }

    @Test
    @Tag("RFC8656§9")
    @Tag("RFC8656§12")
    void aCallIsCutAtTheDeadlineAndTheSweepReapsItsPermissionAndChannel() {
        assertCutAndReaped(sweptCall);
    }

    /** The control. All that is not the sweep's doing is the same here: the call is cut at the same moment. */
    @Test
    @Tag("RFC8656§9")
    void withTheSweepOffTheSameTestFailsBecauseNothingIsReaped() {
        assertTrue(unsweptCall.log().contains("nothing that expires is reaped"), unsweptCall.log());
        AssertionError failure = assertThrows(AssertionError.class, () -> assertCutAndReaped(unsweptCall));
        assertTrue(failure.getMessage().startsWith("permissions reaped"), failure::getMessage);
        assertEquals(0, unsweptCall.afterDeadline().reapedPermissions());
        assertEquals(0, unsweptCall.afterDeadline().reapedChannelBindings());
        assertEquals(
                unsweptCall.during().channelBindings(),
                unsweptCall.afterDeadline().channelBindings());
        assertEquals(
                unsweptCall.during().permissions(), unsweptCall.afterDeadline().permissions());
    }

    private static void assertCutAndReaped(Call call) {
        Sweep during = call.during();
        Sweep after = call.afterDeadline();
        String seen = call.totals() + ", passed for " + call.passedMillis() + " ms, " + during + ", " + after;
        assertTrue(during.permissions() > 0 && during.channelBindings() > 0, seen);

        // The binding was made between the start of the client and its first message.
        long lifetime = TimeUnit.SECONDS.toMillis(LIFETIME_SECONDS);
        assertTrue(call.passedMillis() < lifetime + TOLERANCE_MILLIS, seen);
        assertTrue(call.passedSinceStartMillis() > lifetime - TOLERANCE_MILLIS, seen);
        // Until the deadline nothing is lost, after it nothing passes.
        assertEquals(MESSAGES, call.totals().sent(), seen);
        long due = call.passedMillis() / INTERVAL_MILLIS;
        assertTrue(call.arrivals().size() >= due * 9 / 10, call.arrivals().size() + " of " + due + ": " + seen);
        assertEquals(call.arrivals().size(), call.totals().received(), 2, seen);

        assertTrue(call.wentOn(), "the client sent beyond the deadline: " + seen);
        assertEquals(during.permissions(), after.reapedPermissions(), "permissions reaped: " + seen);
        assertEquals(during.channelBindings(), after.reapedChannelBindings(), "channel bindings reaped: " + seen);
        assertEquals(0, after.permissions() + after.channelBindings(), seen);
        assertEquals(0, after.reapedAllocations(), seen);
        assertTrue(after.allocations() > 0, seen);
        assertFalse(call.log().contains("| ERROR |"), call.log());
    }

    @Test
    @Tag("RFC8656§11.3")
    @Tag("RFC8656§12.6")
    @Tag("RFC8656§12.7")
    void nothingPassesAfterTheDeadlineEvenWhereNothingIsReaped() throws Exception {
        long permissions = Sweep.of(unswept).permissions();
        try (TurnClient client = client(unswept);
                EchoingPeer peer = EchoingPeer.open()) {
            var relayed = client.allocate(600, false);
            client.bindChannel(0x4000, peer.address());
            client.sendOnChannel(0x4000, payload());
            assertTrue(client.receive(Duration.ofSeconds(2)) != null);
            Thread.sleep(LIFETIME_SECONDS * 1000 + TOLERANCE_MILLIS);
            client.sendOnChannel(0x4000, payload());
            client.send(peer.address(), payload());
            peer.send(relayed, payload());
            assertEquals(null, client.receive(Duration.ofSeconds(1)));
            assertEquals(1, peer.arrivals().size());
            assertEquals(permissions + 1, Sweep.of(unswept).permissions());

            client.bindChannel(0x4000, peer.address());
            client.sendOnChannel(0x4000, payload());
            assertTrue(client.receive(Duration.ofSeconds(2)) != null);
            client.refresh(0);
        }
    }

    /** A permission of one second, and a channel of three to the same peer. */
    @ParameterizedTest(name = "channelHoldsPermission = {0}")
    @ValueSource(booleans = {false, true})
    @Tag("RFC8656§12")
    void aChannelHoldsThePermissionOfItsPeerOrByTheStrictKeyDoesNot(boolean holds) throws Exception {
        int changes = changes(sweeping);
        sweeping.configureRelay(
                Map.of("permissionLifetimeSeconds", 1, "channelLifetimeSeconds", 3, "channelHoldsPermission", holds));
        while (changes(sweeping) == changes) {
            Thread.sleep(50);
        }
        Sweep before = Sweep.of(sweeping);
        try (TurnClient client = client(sweeping);
                EchoingPeer peer = EchoingPeer.open()) {
            client.allocate(600, false);
            client.bindChannel(0x4000, peer.address());
            long bound = System.nanoTime();
            while (System.nanoTime() - bound < TimeUnit.MILLISECONDS.toNanos(4_200)) {
                client.sendOnChannel(0x4000, payload());
                Thread.sleep(INTERVAL_MILLIS);
            }
            List<Arrival> arrivals = peer.arrivals();
            long passed = millis(arrivals.get(arrivals.size() - 1).nanos() - bound);
            long end = holds ? 3_000 : 1_000;
            assertTrue(passed > end - TOLERANCE_MILLIS && passed < end + TOLERANCE_MILLIS, "passed for " + passed);
            Sweep after = Sweep.of(sweeping);
            assertEquals(before.reapedPermissions() + 1, after.reapedPermissions());
            assertEquals(before.reapedChannelBindings() + 1, after.reapedChannelBindings());
            assertEquals(before.reapedAllocations(), after.reapedAllocations());
            client.refresh(0);
        }
    }

    private static int changes(TurntableAssembly server) throws IOException {
        return server.log().split("configuration in force", -1).length;
    }

    private static Call call(TurntableAssembly server) throws Exception {
        relay(server);
        try (EchoingPeer peer = EchoingPeer.open()) {
            Callable<Totals> client = () -> Uclient.run(
                    ADDRESS,
                    server.port(),
                    "-u " + USER + " -w " + PASSWORD + " -e " + ADDRESS + " -r "
                            + peer.address().getPort() + " -c -m 1 -n " + MESSAGES + " -z " + INTERVAL_MILLIS);
            Sweep during = Sweep.of(server);
            long start = System.nanoTime();
            Future<Totals> totals = THREADS.submit(client);
            while ((peer.arrivals().isEmpty() || during.channelBindings() == 0) && !totals.isDone()) {
                Sweep now = Sweep.of(server);
                during = now.channelBindings() > during.channelBindings() ? now : during;
            }
            Thread.sleep(Math.max(0, LIFETIME_SECONDS * 1000 + 1_500 - sinceFirst(peer)));
            Sweep afterDeadline = Sweep.of(server);
            boolean wentOn = sinceFirst(peer) < (long) MESSAGES * INTERVAL_MILLIS && !totals.isDone();
            Totals ended = totals.get();
            relay(server);
            return new Call(start, ended, peer.arrivals(), during, afterDeadline, wentOn, server.log());
        }
    }

    private static long sinceFirst(EchoingPeer peer) {
        return millis(System.nanoTime() - peer.arrivals().get(0).nanos());
    }

    /** A call of another client, of which nothing is left. */
    private static void relay(TurntableAssembly server) throws IOException {
        try (TurnClient client = client(server);
                EchoingPeer peer = EchoingPeer.open()) {
            client.allocate(600, false);
            client.bindChannel(0x4001, peer.address());
            for (int i = 0; i < 20; i++) {
                client.sendOnChannel(0x4001, payload());
                assertTrue(client.receive(Duration.ofSeconds(2)) != null, "another call relays");
            }
            client.refresh(0);
        }
    }

    private static TurnClient client(TurntableAssembly server) throws IOException {
        return TurnClient.open(server.address(), USER, PASSWORD);
    }

    private static ByteBuffer payload() {
        return ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
