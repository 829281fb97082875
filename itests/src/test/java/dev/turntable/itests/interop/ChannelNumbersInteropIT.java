package dev.turntable.itests.interop;

import static dev.turntable.itests.interop.TurnServerUnderTest.PASSWORD;
import static dev.turntable.itests.interop.TurnServerUnderTest.USER;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.turntable.benchmarks.load.TurnClient;
import dev.turntable.benchmarks.load.TurnError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a client meets that chooses channel numbers as RFC 5766 had them. */
@ExtendWith(TurnServerUnderTest.Shared.class)
class ChannelNumbersInteropIT {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();

    private final TurnServerUnderTest server;

    ChannelNumbersInteropIT(TurnServerUnderTest server) {
        this.server = server;
    }

    /** A change of the file applies while the allocation lives on. */
    @Test
    @Tag("RFC8656§12")
    @Tag("RFC8656§12.2")
    void numbersFrom0x5000AreAnswered400UnlessTheOptionIsOn() throws Exception {
        try (TurnClient client = TurnClient.open(server.address(), USER, PASSWORD)) {
            client.allocate(600, false);
            server.offerLegacyChannelNumbers(false);
            try {
                await(400, client);
                for (int number : new int[] {0x5000, 0x7FFE}) {
                    assertEquals(400, bind(client, number));
                }
                assertEquals(0, bind(client, 0x4FFF));
            } finally {
                server.offerLegacyChannelNumbers(true);
            }
            await(0, client);
            assertEquals(0, bind(client, 0x7FFE));
            assertEquals(400, bind(client, 0x7FFF));
            client.refresh(0);
        }
    }

    private static void await(int answer, TurnClient client) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (bind(client, 0x5000) != answer && System.nanoTime() - end < 0) {
            Thread.sleep(100);
        }
        assertEquals(answer, bind(client, 0x5000));
    }

    /** The number of the error, or 0. Each number has a peer of its own. */
    private static int bind(TurnClient client, int number) throws IOException {
        try {
            client.bindChannel(number, new InetSocketAddress(TurnServerUnderTest.loopback(false), number));
            return 0;
        } catch (TurnError e) {
            return e.code();
        }
    }
}
