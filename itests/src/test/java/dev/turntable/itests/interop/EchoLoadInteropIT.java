package dev.turntable.itests.interop;

import static dev.turntable.itests.interop.TurnServerUnderTest.PASSWORD;
import static dev.turntable.itests.interop.TurnServerUnderTest.USER;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ClientTransport;
import dev.turntable.benchmarks.load.EchoLoad;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The load of the swap tests without a swap: nothing is lost, doubled, spoilt or sent to the wrong client, and each
 * transaction beside it has one answer.
 *
 * <p>Alone: {@code mvn -pl itests -am verify -Dit.test=EchoLoadInteropIT -Dfailsafe.failIfNoSpecifiedTests=false};
 * {@code -Dload.allocations}, {@code -Dload.packetsPerSecond} and {@code -Dload.seconds} change its size (more than 300
 * allocations want a wider {@code -Dinterop.relayedPorts}, and coturn keeps ports for a while).
 */
@ExtendWith(TurnServerUnderTest.Shared.class)
class EchoLoadInteropIT {
    private static final int ALLOCATIONS = Integer.getInteger("load.allocations", 200);
    private static final int PACKETS_PER_SECOND = Integer.getInteger("load.packetsPerSecond", 2000);
    private static final int SECONDS = Integer.getInteger("load.seconds", 10);

    private final TurnServerUnderTest server;

    EchoLoadInteropIT(TurnServerUnderTest server) {
        this.server = server;
    }

    @ParameterizedTest(name = "indications {0}, IPv6 peers {1}")
    @CsvSource({"false,false", "true,false", "false,true"})
    @Tag("RFC8656§11")
    @Tag("RFC8656§12")
    void everyPacketComesBackOnceAndUnspoilt(boolean indications, boolean ipv6Peers) throws Exception {
        EchoLoad.Settings settings = new EchoLoad.Settings(
                ClientTransport.UDP,
                server.address(),
                USER,
                PASSWORD,
                ALLOCATIONS,
                PACKETS_PER_SECOND,
                160,
                indications,
                TurnServerUnderTest.loopback(ipv6Peers),
                Duration.ofSeconds(4));
        EchoLoad.Report report;
        try (EchoLoad load = EchoLoad.open(settings)) {
            load.start();
            Thread.sleep(Duration.ofSeconds(SECONDS).toMillis());
            report = load.stop();
        }
        say(report);
        long expected = (long) PACKETS_PER_SECOND * SECONDS;
        assertAll(
                () -> assertTrue(report.sent() > expected * 9 / 10, "the load itself fell behind"),
                () -> assertEquals(0, report.sendsRefused(), "sends refused by the kernel"),
                () -> assertEquals(0, report.lost(), "lost"),
                () -> assertEquals(report.sent(), report.echoedByPeers(), "echoed by the peers"),
                () -> assertEquals(0, report.duplicated(), "duplicated"),
                () -> assertEquals(0, report.corrupted(), "corrupted"),
                () -> assertEquals(0, report.misrouted(), "misrouted"),
                () -> assertTrue(report.transactions() > ALLOCATIONS, "transactions beside the load"),
                () -> assertEquals(report.transactions(), report.answered(), "transactions answered"),
                () -> assertEquals(0, report.errors(), "transactions answered with an error"),
                () -> assertEquals(0, report.answeredTwice(), "transactions answered twice"),
                () -> assertEquals(ALLOCATIONS, report.allocationsAlive(), "allocations alive at the end"));
    }

    @Test
    void theLoadNoticesWhatIsLostDoubledAndSpoilt() throws Exception {
        try (FaultyPath path = new FaultyPath(server.address())) {
            EchoLoad.Settings settings = new EchoLoad.Settings(
                    ClientTransport.UDP,
                    path.address(),
                    USER,
                    PASSWORD,
                    1,
                    500,
                    160,
                    false,
                    TurnServerUnderTest.loopback(false),
                    Duration.ofSeconds(1));
            EchoLoad.Report report;
            try (EchoLoad load = EchoLoad.open(settings)) {
                load.start();
                Thread.sleep(2000);
                report = load.stop();
            }
            path.stop();
            say(report);
            assertAll(
                    () -> assertTrue(path.lost() > 10, "faults made"),
                    () -> assertEquals(report.sent(), report.echoedByPeers()),
                    () -> assertEquals(path.lost() + path.spoilt(), report.lost()),
                    () -> assertEquals(path.doubled(), report.duplicated()),
                    () -> assertEquals(path.spoilt(), report.corrupted()));
        }
    }

    @SuppressWarnings("SystemOut")
    private static void say(EchoLoad.Report report) {
        System.out.println(report);
    }
}
