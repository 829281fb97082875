package dev.turntable.itests.interop;

import static dev.turntable.itests.interop.TurnServerUnderTest.ADDRESS;
import static dev.turntable.itests.interop.TurnServerUnderTest.PASSWORD;
import static dev.turntable.itests.interop.TurnServerUnderTest.USER;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.itests.interop.ChromiumCall.Report;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A browser's own WebRTC stack, allowed to use nothing but relayed addresses.
 *
 * <p>Alone: {@code mvn -pl itests -am verify -Dit.test=ChromiumInteropIT -Dfailsafe.failIfNoSpecifiedTests=false}; with
 * {@code -Dinterop.server=coturn} against coturn. {@code call.js} can be run by hand too.
 */
@ExtendWith(TurnServerUnderTest.Shared.class)
class ChromiumInteropIT {
    private static final int CALL_MILLIS = 5000;

    private final TurnServerUnderTest server;

    ChromiumInteropIT(TurnServerUnderTest server) {
        this.server = server;
    }

    @BeforeAll
    static void requirePrograms() {
        ChromiumCall.requirePrograms();
    }

    @ParameterizedTest(name = "over {0}")
    @ValueSource(strings = {"udp", "tcp"})
    @Tag("RFC8656§12")
    void twoRelayOnlyConnectionsExchangeAMegabyteAndTenSecondsOfVideo(String protocol) throws Exception {
        try (ChromiumCall call = ChromiumCall.exchange(turnUrl(protocol), USER, PASSWORD)) {
            assertExchanged(call.nextReport(), protocol);
        }
    }

    @Test
    @Tag("RFC8656§12")
    @Tag("RFC7065§3.1")
    void twoRelayOnlyConnectionsExchangeAMegabyteAndTenSecondsOfVideoOverTls() throws Exception {
        try (ChromiumCall call = ChromiumCall.exchange(turnsUrl(), USER, PASSWORD, TestAuthority.serverKeyHash())) {
            assertExchanged(call.nextReport(), "tls");
        }
    }

    /** The control of the call over TLS: it is the server's certificate that was trusted there, and nothing else. */
    @Test
    @Tag("RFC7065§3.1")
    void aCertificateThatTheBrowserDoesNotKnowGetsNoRelayedCandidate() throws Exception {
        try (ChromiumCall call = ChromiumCall.exchange(turnsUrl(), USER, PASSWORD)) {
            IOException failure = assertThrows(IOException.class, call::nextReport);
            assertTrue(failure.getMessage().contains("found no relayed candidate: 701"), failure.getMessage());
        }
    }

    @Test
    @Tag("RFC8656§12")
    void aCallThatGoesOnMissesNoMessage() throws Exception {
        try (ChromiumCall call = ChromiumCall.call(turnUrl("udp"), USER, PASSWORD)) {
            call.nextReport();
            Thread.sleep(CALL_MILLIS);
            assertRelayedVideo(call.report(), "udp", 20);
            Report last = call.stop();
            say(last);
            assertAll(
                    () -> assertEquals(0, last.number("iceRestarts")),
                    () -> assertEquals(0, last.number("disconnects")));
            for (String end : List.of("a.reliable.", "a.lossy.", "b.reliable.", "b.lossy.")) {
                assertAll(
                        () -> assertTrue(last.number(end + "sent") > CALL_MILLIS / 20, end),
                        () -> assertEquals(0, last.number(end + "missing"), end),
                        () -> assertEquals(0, last.number(end + "duplicated"), end));
            }
        }
    }

    @Test
    @Tag("RFC8489§9.2")
    void aWrongPasswordGetsNoRelayedCandidate() throws Exception {
        try (ChromiumCall call = ChromiumCall.exchange(turnUrl("udp"), USER, "wrong")) {
            IOException failure = assertThrows(IOException.class, call::nextReport);
            assertTrue(failure.getMessage().contains("found no relayed candidate: 401"), failure.getMessage());
        }
    }

    private static void assertExchanged(Report report, String protocol) {
        say(report);
        for (String way : List.of("aToB", "bToA")) {
            assertAll(
                    () -> assertEquals(1_000_000, report.number(way + ".sentBytes")),
                    () -> assertEquals(1_000_000, report.number(way + ".receivedBytes")),
                    () -> assertEquals(report.text(way + ".sentSha256"), report.text(way + ".receivedSha256")));
        }
        assertNotEquals(report.text("aToB.sentSha256"), report.text("bToA.sentSha256"));
        assertRelayedVideo(report, protocol, 100);
    }

    private static void assertRelayedVideo(Report report, String protocol, int frames) {
        for (String end : List.of("a.", "b.")) {
            assertAll(
                    () -> assertEquals("connected", report.text(end + "connectionState")),
                    () -> assertEquals("relay", report.text(end + "localCandidateType")),
                    () -> assertEquals(protocol, report.text(end + "localRelayProtocol")),
                    () -> assertEquals("relay", report.text(end + "remoteCandidateType")),
                    () -> assertEquals("1", report.text(end + "selectedPairChanges")),
                    () -> assertTrue(report.number(end + "framesDecoded") > frames, end + "framesDecoded"));
        }
        assertEquals(report.text("a.localAddress"), report.text("b.remoteAddress"));
        assertEquals(report.text("b.localAddress"), report.text("a.remoteAddress"));
    }

    private String turnUrl(String protocol) {
        return "turn:" + ADDRESS + ":" + server.port() + "?transport=" + protocol;
    }

    private String turnsUrl() {
        return "turns:" + ADDRESS + ":" + server.tlsPort() + "?transport=tcp";
    }

    @SuppressWarnings("SystemOut")
    private static void say(Report report) {
        System.out.println(new TreeMap<>(report.values()));
    }
}
