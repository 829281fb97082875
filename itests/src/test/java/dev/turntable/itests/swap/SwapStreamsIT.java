package dev.turntable.itests.swap;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.turntable.api.ClientTransport;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections of clients live on while relays are swapped in each way, and lose nothing. */
@ExtendWith(SharedServer.class)
class SwapStreamsIT {
    private final LiveServer server;

    SwapStreamsIT(LiveServer server) {
        this.server = server;
    }

    @ParameterizedTest
    @EnumSource(
            value = ClientTransport.class,
            names = {"TCP", "TLS"})
    void connectionsOutliveTheRelay(ClientTransport transport) throws Exception {
        RelayVersions versions = server.relayVersions();
        versions.make("1.0.1");
        server.addFeatures("1.1.0");
        try (Load load = Load.start("over " + transport, server, transport, 50, 500)) {
            for (String version : new String[] {"1.1.0", versions.built()}) {
                String output = server.upgrade(version);
                assertEquals(RelayVersions.ofBundle(version), server.engine(), output);
            }
            long id = server.bundle("dev.turntable.relay").id();
            for (String version : new String[] {"1.0.1", versions.built()}) {
                server.shell("bundle:update " + id + " file:" + versions.relay(version));
                assertEquals(RelayVersions.ofBundle(version), server.engine());
            }
            server.shell("bundle:stop " + id);
            Thread.sleep(1000);
            server.shell("bundle:start " + id);
            server.awaitEngine(RelayVersions.ofBundle(versions.built()));
            load.endWithoutLoss();
        }
    }
}
