package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ListenerInfo;
import dev.turntable.state.ManagedServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListenerTest {
    static {
        Leaks.detect();
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void saysThatThePortIsInUseAndListensWhenItIsFree(String io) throws Exception {
        try (Rig rig = new Rig(io, 2)) {
            UdpListener listener;
            // Another server that would share the port: only a bind without the option finds it.
            try (DatagramChannel other = DatagramChannel.open(StandardProtocolFamily.INET)) {
                other.setOption(StandardSocketOptions.SO_REUSEPORT, true);
                other.bind(Rig.at(Rig.IPV4, Rig.PORT));
                listener = rig.listener("udp", Rig.PORT, Rig.IPV4, Rig.IPV6);
                ListenerInfo info = listener.info();
                assertEquals(ListenerInfo.State.FAILED, info.state());
                assertTrue(info.problem().contains("127.0.0.1:" + Rig.PORT), info.problem());
                assertEquals(0, info.sockets());
                assertEquals(List.of(), rig.registry.reachableAt("udp"));
            }
            Thread.sleep(ListenerRegistry.RETRY_SECONDS * 1000 + 1500);
            ListenerInfo info = listener.info();
            assertEquals(ListenerInfo.State.LISTENING, info.state(), info.problem());
            assertEquals("", info.problem());
            assertEquals(io.equals("epoll") ? 4 : 2, info.sockets());
            assertEquals(io, info.ioTransport());
            assertEquals(
                    Set.of(Rig.at(Rig.IPV4, Rig.PORT), Rig.at(Rig.IPV6, Rig.PORT)),
                    Set.copyOf(rig.registry.reachableAt("udp")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void letsTheFirstOfTwoListenersWithOnePortGoOn(String io) throws Exception {
        try (Rig rig = new Rig(io, 1);
                TestClient client = new TestClient(Rig.IPV4)) {
            UdpListener first = rig.listener("first", Rig.PORT, Rig.address("0.0.0.0"));
            UdpListener second = rig.listener("second", Rig.PORT, Rig.IPV4);
            assertEquals(ListenerInfo.State.FAILED, second.info().state());
            assertTrue(
                    second.info().problem().contains("listener first"),
                    second.info().problem());
            assertTrue(warns(rig, "Listener second does not listen"));
            client.allocate(Rig.at(Rig.IPV4, Rig.PORT), 9);
            first.close();
            second.retry();
            assertEquals(
                    ListenerInfo.State.LISTENING,
                    second.info().state(),
                    second.info().problem());
            assertFalse(warns(rig, "Listener second"));
            assertEquals(
                    List.of("second"),
                    rig.registry.list().stream().map(ListenerInfo::name).toList());
        }
    }

    private static boolean warns(Rig rig, String text) {
        return new ManagedServer(rig.server).info().warnings().stream().anyMatch(warning -> warning.startsWith(text));
    }

    @Test
    void answersFromTheAddressThatWasAsked() throws Exception {
        try (Rig rig = new Rig("epoll", 2);
                DatagramChannel client = DatagramChannel.open(StandardProtocolFamily.INET)) {
            rig.listener("udp", Rig.PORT, Rig.address("0.0.0.0"), Rig.address("::"));
            Set<InetAddress> asked = new HashSet<>();
            for (InetSocketAddress address : rig.registry.reachableAt("udp")) {
                assertTrue(!address.getAddress().isAnyLocalAddress());
                asked.add(address.getAddress());
            }
            assertTrue(asked.contains(Rig.IPV4));
            // A connected socket hears that address only.
            client.connect(Rig.at(Rig.IPV4, Rig.PORT));
            client.write(java.nio.ByteBuffer.wrap(new byte[] {0, 0, 0, 9}));
            client.socket().setSoTimeout(5000);
            java.nio.ByteBuffer answer = java.nio.ByteBuffer.allocate(100);
            client.read(answer);
            assertEquals(4, answer.position());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void changesNothingForTheSameConfigurationAndRebindsForAnother(String io) throws Exception {
        try (Rig rig = new Rig(io, 2);
                TestClient client = new TestClient(Rig.IPV4);
                TestClient peer = new TestClient(Rig.IPV4)) {
            UdpListener listener = rig.listener("udp", Rig.PORT, Rig.IPV4);
            UdpListener other = rig.listener("other", Rig.PORT + 1, Rig.IPV4);
            InetSocketAddress server = Rig.at(Rig.IPV4, Rig.PORT);
            client.allocate(server, peer.port());
            byte[] payload = TestClient.payload(100, 1);

            listener.configure(Rig.udp(Set.of(Rig.IPV4), Rig.PORT, 0));
            listener.configure(Rig.udp(Set.of(Rig.IPV4), Rig.PORT, 65_536));
            assertEquals(65_536, listener.info().receiveBufferBytes());
            // An address more disturbs nobody on the others.
            listener.configure(Rig.udp(Set.of(Rig.IPV4, Rig.IPV6), Rig.PORT, 65_536));
            client.sendOnChannel(server, payload);
            assertEquals(100, peer.receive().length);
            assertEquals(1, rig.allocations());

            listener.configure(Rig.udp(Set.of(Rig.IPV4), Rig.PORT + 2, 0));
            assertEquals(0, rig.allocations(), "nobody can answer its client");
            assertEquals(List.of(Rig.at(Rig.IPV4, Rig.PORT + 2)), listener.boundAddresses());
            PortProbe.probe(server);
            client.allocate(Rig.at(Rig.IPV4, Rig.PORT + 2), peer.port());
            client.allocate(Rig.at(Rig.IPV4, Rig.PORT + 1), peer.port());
            assertEquals(2, rig.allocations());
            assertEquals(1, other.info().clientPackets());
            other.close();
            assertEquals(1, rig.allocations());
        }
    }

    @Test
    void spreadsClientsOverTheWorkersAndKeepsEachOnOne() throws Exception {
        try (Rig rig = new Rig("epoll", 4)) {
            rig.listener("udp", Rig.PORT, Rig.IPV4);
            InetSocketAddress server = Rig.at(Rig.IPV4, Rig.PORT);
            Set<Thread> threads = new HashSet<>();
            for (int i = 0; i < 30; i++) {
                try (TestClient client = new TestClient(Rig.IPV4)) {
                    client.allocate(server, 9);
                    threads.add(rig.desk.thread);
                    Thread first = rig.desk.thread;
                    client.allocate(server, 9);
                    assertSame(first, rig.desk.thread);
                }
            }
            assertNotEquals(1, threads.size());
        }
    }

    @Test
    void failsWhereTheAddressIsNotOfThisHost() throws Exception {
        try (Rig rig = new Rig("epoll", 1)) {
            ListenerInfo info =
                    rig.listener("udp", Rig.PORT, Rig.address("203.0.113.7")).info();
            assertEquals(ListenerInfo.State.FAILED, info.state());
            assertTrue(info.problem().contains("203.0.113.7"), info.problem());
        }
    }
}
