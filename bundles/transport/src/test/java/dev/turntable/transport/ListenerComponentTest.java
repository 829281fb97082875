package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ListenerInfo;
import dev.turntable.state.ManagedServer;
import dev.turntable.state.ServerState;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ListenerComponentTest {
    private static final Map<String, Object> GOOD = keys(String.valueOf(Rig.PORT));
    private static final Map<String, Object> BAD = keys("here");
    private static final String REFUSED =
            "configuration of listener udp refused: port = here: a whole number from 1 to 65535 is needed";

    private static Map<String, Object> keys(String port) {
        return Map.of("service.pid", "dev.turntable.listener~udp", "address", "127.0.0.1", "port", port);
    }

    private final ServerState server = new ServerState(Rig.configuration("nio", 1, false), System::nanoTime);

    private List<String> refusals() {
        return new ManagedServer(server)
                .info().warnings().stream()
                        .filter(warning -> warning.contains("refused"))
                        .toList();
    }

    @Test
    void aBadConfigurationIsToldUntilItIsMendedOrGone() throws IOException {
        TransportComponent transport = new TransportComponent(server);
        try {
            ListenerComponent listener = new ListenerComponent(transport, BAD);
            assertEquals(ListenerInfo.State.FAILED, transport.list().get(0).state());
            assertTrue(transport.list().get(0).problem().startsWith("port = here"));
            assertEquals(List.of(REFUSED), refusals());

            listener.configure(GOOD);
            assertEquals(ListenerInfo.State.LISTENING, transport.list().get(0).state());
            assertEquals("", transport.list().get(0).problem());
            assertEquals(List.of(), refusals());

            listener.configure(BAD);
            assertEquals(ListenerInfo.State.LISTENING, transport.list().get(0).state());
            assertTrue(transport.list().get(0).problem().startsWith("port = here"));
            assertEquals(List.of(REFUSED), refusals());

            listener.close();
            assertEquals(List.of(), transport.list());
            assertEquals(List.of(), refusals());
        } finally {
            transport.stop();
        }
    }
}
