package dev.turntable.selftest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.AddressText;
import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import dev.turntable.api.SelfTest;
import dev.turntable.api.SelfTest.Outcome;
import dev.turntable.api.auth.TurnCredentials;
import dev.turntable.codec.Method;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class StreamSelfTestTest {
    private static final Patience PATIENCE = new Patience(400, 1500);

    private final ListenerSelfTest selfTest = new ListenerSelfTest(PATIENCE);
    private ScriptedServer server;
    private StreamFront front;
    private List<String> listeners = List.of("stream");
    private String protocols;
    private InetSocketAddress address;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer();
        selfTest.listeners = new Listeners() {
            @Override
            public List<ListenerInfo> list() {
                ListenerInfo.State state = ListenerInfo.State.LISTENING;
                return listeners.stream()
                        .map(name -> new ListenerInfo(name, protocols, "", state, "", 1, "nio", 0, 0, 0, 0))
                        .toList();
            }

            @Override
            public List<InetSocketAddress> reachableAt(String name) {
                return List.of(address);
            }
        };
        selfTest.credentials = (name, lifetime) ->
                new TurnCredentials.Minted(ScriptedServer.USERNAME, ScriptedServer.PASSWORD, Instant.MAX);
    }

    @AfterEach
    void stop() throws Exception {
        if (front != null) {
            front.close();
            assertEquals(List.of(), front.faults);
        }
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tls"})
    @Tag("RFC8656§12.5")
    void callsOverAStreamHoweverItIsCut(String protocol) throws Exception {
        listenOver(protocol);
        for (boolean trickles : new boolean[] {false, true}) {
            front.trickles = trickles;
            server.heard.clear();
            SelfTest.Result result = runOne();
            assertEquals("", result.problem());
            assertEquals(Outcome.PASSED, result.outcome());
            assertEquals(protocol, result.protocol());
            assertEquals(AddressText.of(address), result.serverAddress());
            assertEquals(
                    List.of(
                            "Connect",
                            "Connect, second",
                            "Binding",
                            "Allocate",
                            "Allocate, second",
                            "CreatePermission",
                            "CreatePermission, second",
                            "ChannelBind",
                            "Round trip"),
                    names(result));
            assertTrue(result.steps().stream().allMatch(step -> step.millis() > 0), result.toString());
            assertEquals(2, Collections.frequency(server.heard, "Refresh"));
        }
    }

    @Test
    @Tag("RFC7443§3")
    void asksForNoNameOverTlsAndOffersTurn() throws Exception {
        listenOver("tls");
        runOne();
        assertEquals(List.of("[] stun.turn", "[] stun.turn"), front.greetings);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tls"})
    @Tag("RFC8489§6.2.2")
    void sendsNoRequestAgainOverAStream(String protocol) throws Exception {
        listenOver(protocol);
        server.silentAbout.add(Method.CREATE_PERMISSION);
        SelfTest.Result result = runOne();
        assertEquals(
                "no answer to CreatePermission from " + AddressText.of(address) + " within 400 ms", result.problem());
        assertEquals(1, Collections.frequency(server.heard, "CreatePermission"));
        assertEquals(2, Collections.frequency(server.heard, "Refresh"), "nothing is left behind");
    }

    @Test
    void sendsAgainWhatGotLostBetweenTheRelayedAddresses() throws Exception {
        listenOver("tcp");
        server.channelDataLossesLeft = 2;
        SelfTest.Result result = runOne();
        assertEquals("", result.problem());
        assertTrue(result.steps().get(8).millis() > 150, "two losses are two turns of 80 ms");
    }

    @Test
    void saysThatTheServerClosedTheConnection() throws Exception {
        listenOver("tcp");
        front.endsAfter = 1;
        SelfTest.Result result = runOne();
        assertEquals("no way to " + AddressText.of(address) + ": it closed the connection", result.problem());
        assertEquals("Allocate", names(result).get(3));
    }

    @Test
    void saysThatTheOtherEndDoesNotSpeakTls() throws Exception {
        listenOver("tcp");
        front.endsAfter = 0;
        protocols = "tls";
        SelfTest.Result result = runOne();
        assertTrue(result.problem().startsWith("no way to " + AddressText.of(address)), result.problem());
        assertEquals(List.of("Connect"), names(result));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "tls"})
    void saysAtOnceThatNothingListens(String protocol) throws IOException {
        protocols = protocol;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = (InetSocketAddress) closed.getLocalSocketAddress();
        }
        SelfTest.Result result = runOne();
        assertEquals("nothing listens at " + AddressText.of(address), result.problem());
        assertEquals(List.of("Connect"), names(result));
    }

    @Test
    void waitsNoLongerForAHandshakeThanForAnAnswer() throws IOException {
        protocols = "tls";
        try (ServerSocket mute = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            address = (InetSocketAddress) mute.getLocalSocketAddress();
            assertEquals("no connection to " + AddressText.of(address) + " within 400 ms", runOne().problem());
        }
    }

    @Test
    void listenersOfOneNameShareTheirTime() throws Exception {
        listenOver("tcp");
        server.silentAbout.add(Method.BINDING);
        listeners = Collections.nCopies(8, "stream");
        long start = System.nanoTime();
        List<SelfTest.Result> results = selfTest.run("stream");
        assertTrue(System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(2500));
        assertEquals(8, results.size());
        assertEquals("the time for this listener is up", results.get(7).problem());
    }

    @Test
    void callsOverEachProtocolOfAListenerAndSaysWhichItDoesNotSpeak() throws Exception {
        listenOver("tcp");
        protocols = "tcp, dtls";
        List<SelfTest.Result> results = selfTest.run(null);
        assertEquals(Outcome.PASSED, results.get(0).outcome());
        assertEquals(
                new SelfTest.Result(
                        "stream", "dtls", "", Outcome.NOT_TESTED, List.of(), "this client does not speak dtls"),
                results.get(1));
        assertEquals(2, results.size());
    }

    private void listenOver(String protocol) throws Exception {
        protocols = protocol;
        front = protocol.equals("tls") ? StreamFront.tls(server) : StreamFront.tcp(server);
        address = front.address();
    }

    private SelfTest.Result runOne() {
        List<SelfTest.Result> results = selfTest.run(null);
        assertEquals(1, results.size());
        return results.get(0);
    }

    private static List<String> names(SelfTest.Result result) {
        return result.steps().stream().map(SelfTest.Step::name).toList();
    }
}
