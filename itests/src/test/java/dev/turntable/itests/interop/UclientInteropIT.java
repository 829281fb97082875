package dev.turntable.itests.interop;

import static dev.turntable.itests.interop.TurnServerUnderTest.ADDRESS;
import static dev.turntable.itests.interop.TurnServerUnderTest.ADDRESS_IPV6;
import static dev.turntable.itests.interop.TurnServerUnderTest.PASSWORD;
import static dev.turntable.itests.interop.TurnServerUnderTest.SECRET;
import static dev.turntable.itests.interop.TurnServerUnderTest.USER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.itests.interop.Uclient.Totals;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * coturn's own clients. Every message comes back, by the client's own count. Without {@code -c} the client asks for its
 * second allocation with the token of the first (EVEN-PORT and RESERVATION-TOKEN).
 *
 * <p>Alone: {@code mvn -pl itests -am verify -Dit.test=UclientInteropIT -Dfailsafe.failIfNoSpecifiedTests=false}; with
 * {@code -Dinterop.server=coturn} against coturn, and then without the assembly.
 */
@ExtendWith(TurnServerUnderTest.Shared.class)
class UclientInteropIT {
    private static final String PASSWORD_USER = "-u " + USER + " -w " + PASSWORD + " ";
    private static final String PEER = "-r " + Ports.PEER + " -e " + ADDRESS + " ";
    private static final String PEER_IPV6 = "-r " + Ports.PEER + " -e " + ADDRESS_IPV6 + " ";
    private static final List<Process> PEERS = new ArrayList<>();

    private final TurnServerUnderTest server;

    UclientInteropIT(TurnServerUnderTest server) {
        this.server = server;
    }

    @BeforeAll
    static void startPeers() throws IOException {
        Stream.of("turnutils_uclient", "turnutils_peer", "turnutils_stunclient").forEach(ForeignProgram::require);
        for (String address : List.of(ADDRESS, ADDRESS_IPV6)) {
            PEERS.add(ForeignProgram.start(
                    List.of("turnutils_peer", "-L", address, "-p", Integer.toString(Ports.PEER)),
                    TurnServerUnderTest.workDirectory(),
                    "turnutils_peer"));
        }
    }

    @AfterAll
    static void stopPeers() {
        PEERS.forEach(ForeignProgram::stop);
        PEERS.clear();
    }

    @Test
    @SideBySide
    @Tag("RFC8656§12")
    void everyMessageComesBackOnChannels() throws Exception {
        assertEquals(Totals.allBack(400), Uclient.run(ADDRESS, server.port(), PASSWORD_USER + PEER + "-n 100 -m 4"));
    }

    @Test
    @SideBySide
    @Tag("RFC8656§11")
    void everyMessageComesBackAsIndications() throws Exception {
        assertEquals(Totals.allBack(400), Uclient.run(ADDRESS, server.port(), PASSWORD_USER + PEER + "-s -n 100 -m 4"));
    }

    /** Four clients: two that reach each other, and their second allocations. */
    @ParameterizedTest(name = "options {0}")
    @SideBySide
    @ValueSource(strings = {"-y", "-y -s"})
    @Tag("RFC8656§7")
    void clientsOfThisServerReachEachOtherThroughTheirRelayedAddresses(String options) throws Exception {
        assertEquals(
                Totals.allBack(400), Uclient.run(ADDRESS, server.port(), PASSWORD_USER + options + " -n 100 -m 4"));
    }

    @ParameterizedTest(name = "client on {0}, options {1}")
    @SideBySide
    @CsvSource({ADDRESS + ",-x", ADDRESS_IPV6 + ",-x", ADDRESS_IPV6 + ",-x -s"})
    @Tag("RFC8656§7")
    void everyMessageComesBackThroughIpv6RelayedAddresses(String address, String options) throws Exception {
        assertEquals(
                Totals.allBack(400),
                Uclient.run(address, server.port(), PASSWORD_USER + PEER_IPV6 + options + " -n 100 -m 4"));
    }

    @Test
    @SideBySide
    @Tag("RFC8489§9.2")
    void restCredentialsOpenTheDoor() throws Exception {
        assertEquals(
                Totals.allBack(400),
                Uclient.run(ADDRESS, server.restPort(), "-u " + USER + " -W " + SECRET + " " + PEER + "-n 100 -m 4"));
    }

    @ParameterizedTest(name = "options {0}")
    @SideBySide
    @ValueSource(strings = {"-w wrong", "-W wrong"})
    @Tag("RFC8489§9.2")
    void wrongCredentialsGetNoAllocation(String options) throws Exception {
        int port = options.startsWith("-w") ? server.port() : server.restPort();
        String output = Uclient.runInVain(ADDRESS, port, "-u " + USER + " " + options + " " + PEER);
        assertTrue(output.contains("Cannot complete Allocation"), output);
    }

    @ParameterizedTest(name = "options {0}")
    @SideBySide
    @ValueSource(strings = {"-t", "-t -s"})
    @Tag("RFC8656§12.5")
    @Tag("RFC8489§6.2.2")
    void everyMessageComesBackOverTcp(String options) throws Exception {
        assertEquals(
                Totals.allBack(400),
                Uclient.run(ADDRESS, server.port(), PASSWORD_USER + PEER + options + " -n 100 -m 4"));
    }

    @Test
    @SideBySide
    @Tag("RFC8656§7")
    void tcpClientsReachEachOtherThroughTheirRelayedAddresses() throws Exception {
        assertEquals(Totals.allBack(400), Uclient.run(ADDRESS, server.port(), PASSWORD_USER + "-t -y -n 100 -m 4"));
    }

    @Test
    @Alone
    @Tag("RFC8656§12.5")
    void fiftySessionsOverTcpAtOnceLoseNothing() throws Exception {
        assertEquals(
                Totals.allBack(5_000), Uclient.run(ADDRESS, server.port(), PASSWORD_USER + PEER + "-t -n 100 -m 50"));
    }

    @ParameterizedTest(name = "options {0}")
    @SideBySide
    @ValueSource(strings = {"-t -S", "-t -S -s"})
    @Tag("RFC8656§3.1")
    void everyMessageComesBackOverTls(String options) throws Exception {
        assertEquals(
                Totals.allBack(400),
                Uclient.run(ADDRESS, server.tlsPort(), PASSWORD_USER + PEER + options + " -n 100 -m 4"));
    }

    @Test
    @SideBySide
    @Tag("RFC8656§3.1")
    void tlsClientsReachEachOtherThroughTheirRelayedAddresses() throws Exception {
        assertEquals(
                Totals.allBack(400), Uclient.run(ADDRESS, server.tlsPort(), PASSWORD_USER + "-t -S -y -n 100 -m 4"));
    }

    @Test
    @Alone
    @Tag("RFC8656§3.1")
    void fiftySessionsOverTlsAtOnceLoseNothing() throws Exception {
        assertEquals(
                Totals.allBack(5_000),
                Uclient.run(ADDRESS, server.tlsPort(), PASSWORD_USER + PEER + "-t -S -n 100 -m 50"));
    }

    /** {@code -S} without {@code -t}: DTLS. */
    @ParameterizedTest(name = "options {0}")
    @SideBySide
    @ValueSource(strings = {"-S", "-S -s"})
    @Tag("RFC7350§4.6")
    void everyMessageComesBackOverDtls(String options) throws Exception {
        assertEquals(
                Totals.allBack(400),
                Uclient.run(ADDRESS, server.tlsPort(), PASSWORD_USER + PEER + options + " -n 100 -m 4"));
    }

    @Test
    @SideBySide
    @Tag("RFC7350§4.6")
    void dtlsClientsReachEachOtherThroughTheirRelayedAddresses() throws Exception {
        assertEquals(Totals.allBack(400), Uclient.run(ADDRESS, server.tlsPort(), PASSWORD_USER + "-S -y -n 100 -m 4"));
    }

    @Test
    @Alone
    @Tag("RFC7350§4.6")
    void fiftySessionsOverDtlsAtOnceLoseNothing() throws Exception {
        assertEquals(
                Totals.allBack(5_000),
                Uclient.run(ADDRESS, server.tlsPort(), PASSWORD_USER + PEER + "-S -n 100 -m 50"));
    }

    /**
     * {@code -T}: allocations for TCP, in pairs. Each client connects to the relayed address of its neighbour, binds the connection by a
     * second one to the server, and its neighbour binds what it is told of. With {@code -P} the client loses half of its messages by its own
     * count, and does so through coturn too.
     */
    @Test
    @Alone
    @Tag("RFC6062§5.2")
    @Tag("RFC6062§5.3")
    @Tag("RFC6062§5.4")
    void everyMessageComesThroughTcpAllocations() throws Exception {
        assertEquals(Totals.allBack(400), Uclient.run(ADDRESS, server.port(), PASSWORD_USER + "-T -n 100 -m 4"));
    }

    @Test
    @Alone
    @Tag("RFC6062§5.4")
    void everyByteComesThroughTcpAllocationsOverTls() throws Exception {
        Totals totals = Uclient.run(ADDRESS, server.tlsPort(), PASSWORD_USER + "-S -T -n 100 -m 4");
        // What comes from a peer is a stream; over TLS the client counts its reads, of which one may hold two messages.
        Totals all = Totals.allBack(400);
        assertEquals(all.sentBytes(), totals.sentBytes(), totals::toString);
        assertEquals(all.receivedBytes(), totals.receivedBytes(), totals::toString);
        assertEquals(0, totals.dropped(), totals::toString);
    }

    /** Each with each: 870 connections of clients, and as many of peers. More would be above the limit for one source. */
    @Test
    @Alone
    @Tag("RFC6062§5.4")
    void thirtySessionsOfTcpAllocationsLoseNothing() throws Exception {
        assertEquals(Totals.allBack(3_000), Uclient.run(ADDRESS, server.port(), PASSWORD_USER + "-T -n 100 -m 30"));
    }

    @Test
    @Alone
    @Tag("RFC8656§12")
    void aHundredSessionsAtOnceLoseNothing() throws Exception {
        assertEquals(
                Totals.allBack(10_000), Uclient.run(ADDRESS, server.port(), PASSWORD_USER + PEER + "-n 100 -m 100"));
    }

    @ParameterizedTest(name = "on {0}")
    @SideBySide
    @ValueSource(strings = {ADDRESS, ADDRESS_IPV6})
    @Tag("RFC8489§7.3.1")
    void theStunClientLearnsItsReflexiveAddress(String address) throws Exception {
        ForeignProgram.Outcome outcome = ForeignProgram.run(
                List.of("turnutils_stunclient", "-p", Integer.toString(server.port()), address),
                TurnServerUnderTest.workDirectory(),
                30);
        assertEquals(0, outcome.status(), outcome::output);
        assertTrue(outcome.output().contains("UDP reflexive addr: " + address + ":"), outcome::output);
    }
}
