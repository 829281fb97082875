package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.turntable.state.ManagedServer;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.ServerConfiguration;
import java.io.IOException;
import java.net.DatagramSocket;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SharedSocketsTest {
    static {
        Leaks.detect();
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void oneThatCannotBeBoundIsToldAndTriedAgain(String io) throws Exception {
        ServerConfiguration configuration = Rig.configuration(io, 1, true);
        Rig rig;
        int port = SharedSockets.port(configuration, 0, 0, false);
        int next = SharedSockets.port(configuration, 0, 1, false);
        try (DatagramSocket one = new DatagramSocket(Rig.at(Rig.IPV4, port));
                DatagramSocket other = new DatagramSocket(Rig.at(Rig.IPV4, next))) {
            rig = new Rig(configuration);
            assertEquals(
                    List.of("2 shared relayed sockets cannot be opened, the first is " + Rig.IPV4.getHostAddress() + ":"
                            + one.getLocalPort() + ": the port is in use"),
                    problems(rig));
            assertNull(socket(rig, false));
            assertNotNull(socket(rig, true));
            assertEquals(next, other.getLocalPort());
        }
        try (rig) {
            Thread.sleep(ListenerRegistry.RETRY_SECONDS * 1000 + 1500);
            assertEquals(List.of(), problems(rig));
            assertNotNull(socket(rig, false));
        }
    }

    /** It holds what the peers of all send. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void oneHasTheReceiveBufferOfAListener(String io) throws Exception {
        try (Rig rig = new Rig(Rig.configuration(io, 1, true))) {
            UdpListener listener = rig.listener("udp", Rig.PORT, Rig.IPV4);
            UdpSocket shared = (UdpSocket) socket(rig, false);
            assertEquals(
                    listener.info().receiveBufferBytes(), rig.loops.all().get(0).call(shared::receiveBufferBytes));
        }
    }

    private static RelayedSocket socket(Rig rig, boolean ipv6) throws IOException {
        NettyLoop loop = rig.loops.all().get(0);
        return loop.call(() -> loop.worker().sharedPeers().leastLoaded(ipv6));
    }

    private static List<String> problems(Rig rig) {
        return new ManagedServer(rig.server)
                .info().warnings().stream()
                        .filter(warning -> warning.contains("shared relayed"))
                        .toList();
    }
}
