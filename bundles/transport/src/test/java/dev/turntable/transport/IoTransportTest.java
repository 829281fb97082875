package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IoTransportTest {
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({"auto,epoll", "epoll,epoll", "nio,nio"})
    void theOneInUseIsToldInPlaceOfTheOneAskedFor(String asked, String inUse) throws IOException {
        try (Rig rig = new Rig(asked, 1)) {
            assertEquals(inUse, rig.server.worker(0).loop().ioTransport());
        }
    }
}
