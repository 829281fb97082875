package dev.turntable.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.AddressText;
import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import dev.turntable.api.SelfTest;
import dev.turntable.api.auth.TurnCredentials;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.Method;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ListenerSelfTestTest {
    private static final Patience PATIENCE = new Patience(400, 1500);
    private static final List<String> ALL_STEPS = List.of(
            "Binding",
            "Allocate",
            "Allocate, second",
            "CreatePermission",
            "CreatePermission, second",
            "ChannelBind",
            "Round trip");

    private final ListenerSelfTest selfTest = new ListenerSelfTest(PATIENCE);
    private final TreeMap<String, List<InetSocketAddress>> addresses = new TreeMap<>();
    private ListenerInfo.State state = ListenerInfo.State.LISTENING;
    private String protocols = "udp";
    private ScriptedServer server;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        addresses.put("udp", List.of(server.address()));
        selfTest.listeners = new Listeners() {
            @Override
            public List<ListenerInfo> list() {
                return addresses.keySet().stream()
                        .map(name -> new ListenerInfo(name, protocols, "", state, "port in use", 1, "nio", 0, 0, 0, 0))
                        .toList();
            }

            @Override
            public List<InetSocketAddress> reachableAt(String name) {
                return addresses.get(name);
            }
        };
        selfTest.credentials = (name, lifetime) -> {
            assertEquals(Duration.ofMinutes(1), lifetime);
            return new TurnCredentials.Minted(ScriptedServer.USERNAME, ScriptedServer.PASSWORD, Instant.MAX);
        };
    }

    @AfterEach
    void stop() throws InterruptedException {
        server.close();
    }

    @Test
    void callsThroughTheListenerAndEndsBothAllocations() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        SelfTest.Result result = runOne();
        assertEquals("", result.problem());
        assertEquals(SelfTest.Outcome.PASSED, result.outcome());
        assertEquals(ALL_STEPS, names(result));
        assertEquals(AddressText.of(server.address()), result.serverAddress());
        assertTrue(result.steps().stream().allMatch(step -> step.millis() > 0), result.toString());
        assertEquals(2, Collections.frequency(server.heard, "Refresh"));
        Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
        left.removeAll(before);
        assertEquals(Set.of(), left);
    }

    @Test
    void sendsAgainWhatGotLost() {
        server.lossesLeft = 2;
        SelfTest.Result result = runOne();
        assertEquals(SelfTest.Outcome.PASSED, result.outcome(), result.problem());
        assertTrue(result.steps().get(0).millis() > 150, "two losses are two turns of 80 ms");
    }

    @Test
    void takesANewNonceWhenTheServerSaysThatItsOwnIsStale() throws CallFailed {
        TurnCredentials.Minted minted = selfTest.credentials.create("selftest", Duration.ofMinutes(1));
        try (TurnClient client = new TurnClient("udp", server.address(), minted, PATIENCE, PATIENCE.deadlineNanos())) {
            client.allocate();
            server.nonce = "second";
            client.createPermission(client.binding());
        }
        assertEquals(
                List.of("Allocate", "Allocate", "Binding", "CreatePermission", "CreatePermission", "Refresh"),
                server.heard);
    }

    @Test
    void asksForIpv6WhereTheServerRelaysNoIpv4() {
        server.ipv6Alone = true;
        assertEquals(SelfTest.Outcome.PASSED, runOne().outcome());
    }

    @Test
    void saysWhichRequestGotNoAnswer() {
        server.silentAbout.add(Method.CREATE_PERMISSION);
        SelfTest.Result result = runOne();
        assertEquals(SelfTest.Outcome.FAILED, result.outcome());
        assertEquals(
                "no answer to CreatePermission from " + AddressText.of(server.address()) + " within 400 ms",
                result.problem());
        assertEquals(ALL_STEPS.subList(0, 4), names(result));
        assertEquals(5, Collections.frequency(server.heard, "CreatePermission"), "sent again each 80 ms");
        assertEquals(2, Collections.frequency(server.heard, "Refresh"), "nothing is left behind");
    }

    @Test
    void saysWithWhichErrorARequestWasAnswered() {
        server.errors.put(Method.ALLOCATE, ErrorCode.ALLOCATION_QUOTA_REACHED);
        SelfTest.Result result = runOne();
        assertEquals("Allocate was answered 486 Allocation Quota Reached", result.problem());
        assertEquals(ALL_STEPS.subList(0, 2), names(result));
    }

    @Test
    void saysThatTheCredentialsAreNotTaken() {
        selfTest.credentials = (name, lifetime) -> new TurnCredentials.Minted("x", "y", Instant.MAX);
        assertEquals("Allocate was answered 401 Unauthenticated", runOne().problem());
        assertEquals(2, Collections.frequency(server.heard, "Allocate"));
    }

    @Test
    void doesNotTrustASuccessThatIsSignedWithAnotherKey() {
        server.signsWrong = true;
        assertEquals("the success of Allocate has no valid MESSAGE-INTEGRITY", runOne().problem());
    }

    @Test
    void saysInWhichDirectionNothingArrived() {
        server.losesChannelData = true;
        assertEquals(
                "what was sent on a channel from 192.0.2.1:50000 did not arrive at 192.0.2.1:50001 within 400 ms",
                runOne().problem());
        server.losesChannelData = false;
        server.losesIndications = true;
        SelfTest.Result back = runOne();
        assertTrue(back.problem().startsWith("what was sent by a Send indication from"), back.problem());
        assertEquals(ALL_STEPS, names(back));
    }

    @Test
    void noticesAPayloadThatComesFromTheWrongAddress() {
        server.tellsAnotherPeer = true;
        assertEquals(
                "the payload came from 192.0.2.1:50007, not from the other relayed address 192.0.2.1:50000",
                runOne().problem());
    }

    @Test
    void saysAtOnceThatNothingListens() throws IOException {
        try (DatagramSocket closed = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            addresses.put("udp", List.of((InetSocketAddress) closed.getLocalSocketAddress()));
        }
        SelfTest.Result result = runOne();
        assertTrue(result.problem().startsWith("nothing listens at 127.0.0.1:"), result.problem());
    }

    @Test
    void endsInTimeHoweverManyAddressesDoNotAnswer() {
        server.silentAbout.add(Method.BINDING);
        addresses.put("udp", Collections.nCopies(8, server.address()));
        long start = System.nanoTime();
        List<SelfTest.Result> results = selfTest.run(null);
        assertTrue(System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(2000));
        assertEquals(8, results.size());
        assertEquals("the time for this listener is up", results.get(7).problem());
    }

    @Test
    void keepsTheTenSecondsThatAreUsuallyPromised() {
        long ends = 2 * Patience.USUAL.turnNanos();
        assertTrue(TimeUnit.MILLISECONDS.toNanos(Patience.USUAL.listenerMillis()) + ends <= 10_000_000_000L);
    }

    @Test
    void stopsWhenItsThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        SelfTest.Result result = runOne();
        assertTrue(Thread.interrupted(), "the interrupt is the caller's to clear");
        assertEquals("interrupted", result.problem());
    }

    @Test
    void testsTheListenerThatIsAskedForAlone() {
        addresses.put("other", addresses.get("udp"));
        assertEquals(2, selfTest.run(null).size());
        assertEquals(1, selfTest.run("other").size());
        assertEquals(
                "there is no listener of that name", selfTest.run("none").get(0).problem());
    }

    @Test
    void saysWhyAListenerCannotBeTested() {
        protocols = "dtls";
        SelfTest.Result untested = runOne();
        assertEquals(SelfTest.Outcome.NOT_TESTED, untested.outcome());
        assertEquals("this client does not speak dtls", untested.problem());
        state = ListenerInfo.State.WAITING;
        untested = runOne();
        assertEquals(SelfTest.Outcome.NOT_TESTED, untested.outcome());
        assertEquals("it is WAITING: port in use", untested.problem());
        state = ListenerInfo.State.FAILED;
        SelfTest.Result failed = runOne();
        assertEquals(SelfTest.Outcome.FAILED, failed.outcome());
        assertEquals("it is FAILED: port in use", failed.problem());
        state = ListenerInfo.State.LISTENING;
        protocols = "udp";
        addresses.put("udp", List.of());
        assertEquals("it has no address that can be reached from this host", runOne().problem());
    }

    @Test
    void saysWhatIsMissingInTheContainer() {
        selfTest.credentials = (name, lifetime) -> {
            throw new IllegalStateException("no shared secret is configured");
        };
        assertEquals("no shared secret is configured", runOne().problem());
        selfTest.credentials = null;
        assertEquals("nothing mints credentials: no auth is active", runOne().problem());
        selfTest.listeners = null;
        assertEquals("there are no listeners: no transport is active", runOne().problem());
    }

    private SelfTest.Result runOne() {
        List<SelfTest.Result> results = selfTest.run(null);
        assertEquals(1, results.size());
        SelfTest.Result result = results.get(0);
        assertEquals(
                result.outcome() == SelfTest.Outcome.PASSED, result.problem().isEmpty());
        return result;
    }

    private static List<String> names(SelfTest.Result result) {
        return result.steps().stream().map(SelfTest.Step::name).toList();
    }
}
