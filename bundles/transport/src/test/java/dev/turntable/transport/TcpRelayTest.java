package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.state.PortPool;
import dev.turntable.state.SocketOpening;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Relayed TCP over real sockets (RFC 6062), with an engine that lets everybody do everything. */
@Tag("RFC6062")
class TcpRelayTest {
    private static final InetSocketAddress SERVER = Rig.at(Rig.IPV4, Rig.PORT);

    static {
        Leaks.detect();
    }

    /** Two workers: a client's second connection is accepted on the other one, and has to be moved. */
    private static final class Call implements AutoCloseable {
        final Rig rig;
        final StreamListener listener;
        final TcpDesk desk = new TcpDesk();
        final ServerSocket peers = new ServerSocket(0, 50, Rig.IPV4);
        final StreamClient control;
        final InetSocketAddress relayed;

        Call(String io, int workers) throws IOException {
            rig = new Rig(io, workers);
            rig.server.engineSlot().bind(desk, -1);
            listener = rig.streamListener("tcp", Rig.PORT, StreamLimits.DEFAULTS, Rig.IPV4);
            control = new StreamClient(SERVER);
            control.send(TcpDesk.message(TcpDesk.ALLOCATE, 0));
            relayed = Rig.at(Rig.IPV4, answer(control, TcpDesk.ALLOCATE));
            peers.setSoTimeout(5_000);
        }

        static int answer(StreamClient client, char letter) throws IOException {
            byte[] bytes = client.socket.getInputStream().readNBytes(8);
            assertEquals(8, bytes.length, "the stream ended");
            assertEquals(letter, (char) bytes[0]);
            return ByteBuffer.wrap(bytes).getInt(4);
        }

        /** Connects to the peer: its end. The id is to be read. */
        Socket connect() throws IOException {
            return connect(peers);
        }

        /** Connects to a peer that has none yet. */
        Socket connectToAnother() throws IOException {
            try (ServerSocket another = new ServerSocket(0, 50, Rig.IPV4)) {
                another.setSoTimeout(5_000);
                return connect(another);
            }
        }

        private Socket connect(ServerSocket peer) throws IOException {
            control.send(TcpDesk.message(TcpDesk.CONNECT, peer.getLocalPort()));
            Socket accepted = peer.accept();
            accepted.setSoTimeout(5_000);
            return accepted;
        }

        /** The peer connects to the relayed address; the id is to be read. */
        Socket connectAsPeer() throws IOException {
            Socket peer = new Socket(relayed.getAddress(), relayed.getPort());
            peer.setSoTimeout(5_000);
            return peer;
        }

        StreamClient bind(int id) throws IOException {
            StreamClient data = new StreamClient(SERVER);
            data.send(TcpDesk.message(TcpDesk.BIND, id));
            assertEquals(id, answer(data, TcpDesk.BIND));
            return data;
        }

        int rows() throws IOException {
            int sum = 0;
            for (NettyLoop loop : rig.loops.all()) {
                sum += loop.call(() ->
                        loop.worker().peerConnections().size() + loop.streams().splices());
            }
            return sum;
        }

        @Override
        public void close() throws IOException {
            control.close();
            peers.close();
            try {
                await("all is gone", () -> rig.allocations() == 0 && rows() == 0);
                await("no connection is counted", () -> listener.connections().all() == 0);
                for (NettyLoop loop : rig.loops.all()) {
                    assertEquals(0, loop.streams().assigned().get(), "counted on the loops");
                }
                for (int port = Rig.RELAYED_PORTS; port < Rig.RELAYED_PORTS + 40; port++) {
                    PortProbe.probeTcp(Rig.at(Rig.IPV4, port));
                }
            } catch (IOException e) {
                throw e;
            } catch (Exception e) {
                throw new AssertionError(e);
            } finally {
                rig.close();
            }
        }
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        for (int i = 0; i < 250 && !condition.call(); i++) {
            Thread.sleep(20);
        }
        assertTrue(condition.call(), what);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String read(Socket socket, int length) throws IOException {
        return new String(socket.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @CsvSource({"epoll,1", "epoll,2", "nio,1", "nio,2"})
    @Tag("RFC6062§5.2")
    @Tag("RFC6062§5.4")
    void relaysBothWaysFromTheRelayedAddress(String io, int workers) throws Exception {
        try (Call call = new Call(io, workers);
                Socket peer = call.connect()) {
            assertEquals(call.relayed, peer.getRemoteSocketAddress());
            int id = Call.answer(call.control, TcpDesk.CONNECT);
            try (StreamClient data = new StreamClient(SERVER)) {
                byte[] bind = TcpDesk.message(TcpDesk.BIND, id);
                ByteArrayOutputStream both = new ByteArrayOutputStream();
                both.writeBytes(bind);
                both.writeBytes(bytes("behind the request, "));
                data.send(both.toByteArray());
                assertEquals(id, Call.answer(data, TcpDesk.BIND));
                assertEquals("turntable-worker-" + (id >>> 24), call.desk.boundOn.getName());
                data.send(bytes("and after it"));
                assertEquals("behind the request, and after it", read(peer, 32));
                peer.getOutputStream().write(bytes("\0\1\0\0!\22\244B as it is"));
                assertEquals("\0\1\0\0!\22\244B as it is", read(data.socket, 17));
            }
            assertEquals(-1, peer.getInputStream().read(), "the client has gone");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    @Tag("RFC6062§5.4")
    void isBoundHoweverTheRequestIsCut(String io) throws Exception {
        try (Call call = new Call(io, 2);
                Socket peer = call.connect()) {
            int id = Call.answer(call.control, TcpDesk.CONNECT);
            try (StreamClient data = new StreamClient(SERVER)) {
                ByteArrayOutputStream both = new ByteArrayOutputStream();
                both.writeBytes(TcpDesk.message(TcpDesk.BIND, id));
                both.writeBytes(bytes("in order"));
                data.trickle(both.toByteArray());
                assertEquals(id, Call.answer(data, TcpDesk.BIND));
                assertEquals("in order", read(peer, 8));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"epoll,false", "epoll,true", "nio,false", "nio,true"})
    @Tag("RFC6062§5.3")
    void holdsWhatAPeerSaysUntilItIsBound(String io, boolean accepted) throws Exception {
        List<String> firsts =
                List.of("hello", "\26\3\1\2\0\1\0\1\374\3\3", "\0\1\0\0!\22\244Babcdefghijkl", "GET / HTTP/1.1\r\n");
        try (Call call = new Call(io, 2)) {
            for (String first : firsts) {
                for (boolean ends : new boolean[] {false, true}) {
                    try (Socket peer = accepted ? call.connectAsPeer() : call.connectToAnother()) {
                        peer.getOutputStream().write(bytes(first));
                        if (ends) {
                            peer.shutdownOutput();
                        }
                        int id = Call.answer(call.control, accepted ? TcpDesk.ATTEMPT : TcpDesk.CONNECT);
                        Thread.sleep(200);
                        try (StreamClient data = call.bind(id)) {
                            assertEquals(first, read(data.socket, first.length()));
                            if (ends) {
                                assertEquals(-1, data.socket.getInputStream().read(), "the peer's end");
                            }
                            data.send(bytes("and back"));
                            assertEquals("and back", read(peer, 8));
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    @Tag("RFC6062§5.4")
    void passesOnTheEndOfOneDirection(String io) throws Exception {
        try (Call call = new Call(io, 2);
                Socket peer = call.connect();
                StreamClient data = call.bind(Call.answer(call.control, TcpDesk.CONNECT))) {
            data.send(bytes("a question"));
            data.socket.shutdownOutput();
            assertEquals("a question", read(peer, 10));
            assertEquals(-1, peer.getInputStream().read());
            byte[] answer = new byte[1 << 20];
            new Random(1).nextBytes(answer);
            peer.getOutputStream().write(answer);
            peer.shutdownOutput();
            assertArrayEquals(answer, data.readToEnd(5_000));
            await("both are done", () -> call.rows() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void losesNothingInEitherDirection(String io) throws Exception {
        byte[] there = new byte[24 << 20];
        byte[] back = new byte[24 << 20];
        new Random(2).nextBytes(there);
        new Random(3).nextBytes(back);
        try (Call call = new Call(io, 2);
                Socket peer = call.connect();
                StreamClient data = call.bind(Call.answer(call.control, TcpDesk.CONNECT))) {
            List<CompletableFuture<?>> all = new ArrayList<>();
            all.add(CompletableFuture.runAsync(() -> write(data.socket, there)));
            all.add(CompletableFuture.runAsync(() -> write(peer, back)));
            CompletableFuture<byte[]> gotBack = CompletableFuture.supplyAsync(() -> readAll(data.socket, back.length));
            assertArrayEquals(there, readAll(peer, there.length));
            assertArrayEquals(back, gotBack.get(20, TimeUnit.SECONDS));
            for (CompletableFuture<?> one : all) {
                one.get(20, TimeUnit.SECONDS);
            }
        }
    }

    private static void write(Socket socket, byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] readAll(Socket socket, int length) {
        try {
            return socket.getInputStream().readNBytes(length);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void stopsReadingWhileTheOtherSideDoesNotTakeIt(String io) throws Exception {
        try (Call call = new Call(io, 1)) {
            call.peers.setReceiveBufferSize(16_384);
            try (Socket peer = call.connect();
                    StreamClient data = call.bind(Call.answer(call.control, TcpDesk.CONNECT))) {
                AtomicLong written = new AtomicLong();
                Thread writer = new Thread(() -> {
                    byte[] piece = new byte[16_384];
                    try {
                        while (written.get() < 1L << 30) {
                            data.socket.getOutputStream().write(piece);
                            written.addAndGet(piece.length);
                        }
                    } catch (IOException e) {
                        // It is closed in the end.
                    }
                });
                writer.start();
                long before = -1;
                for (int i = 0; i < 100 && before != written.get(); i++) {
                    before = written.get();
                    Thread.sleep(300);
                }
                // What the kernel holds on both sides, and little more.
                assertTrue(written.get() < 32 << 20, "unread: " + written.get());
                long stopped = written.get();
                readAll(peer, (int) stopped);
                await("goes on", () -> written.get() > stopped);
                data.close();
                writer.join(5_000);
            }
        }
    }

    /** How a relayed connection comes to its end. */
    enum Ending {
        CLIENT_CLOSES,
        CLIENT_RESETS,
        PEER_CLOSES,
        PEER_RESETS,
        ALLOCATION_DELETED,
        CONTROL_CLOSES,
        LISTENER_CLOSES,
        NEVER_BOUND
    }

    @ParameterizedTest
    @CsvSource({
        "epoll,CLIENT_CLOSES", "epoll,CLIENT_RESETS", "epoll,PEER_CLOSES", "epoll,PEER_RESETS",
        "epoll,ALLOCATION_DELETED", "epoll,CONTROL_CLOSES", "epoll,LISTENER_CLOSES", "epoll,NEVER_BOUND",
        "nio,CLIENT_CLOSES", "nio,CLIENT_RESETS", "nio,PEER_CLOSES", "nio,PEER_RESETS",
        "nio,ALLOCATION_DELETED", "nio,CONTROL_CLOSES", "nio,LISTENER_CLOSES", "nio,NEVER_BOUND"
    })
    void closesBothSidesOfTwentyConnectionsAndSendsWhatWaitsFirst(String io, Ending ending) throws Exception {
        try (Call call = new Call(io, 2)) {
            call.desk.limitMillis = ending == Ending.NEVER_BOUND ? 1_500 : 30_000;
            List<Socket> peers = new ArrayList<>();
            List<StreamClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                peers.add(i % 2 == 0 ? call.connectToAnother() : call.connectAsPeer());
                int id = Call.answer(call.control, i % 2 == 0 ? TcpDesk.CONNECT : TcpDesk.ATTEMPT);
                if (ending != Ending.NEVER_BOUND) {
                    clients.add(call.bind(id));
                    clients.get(i).send(bytes("last words"));
                    peers.get(i).getOutputStream().write(bytes("last words"));
                    assertEquals("last words", read(clients.get(i).socket, 10));
                }
            }
            for (int i = 0; i < 20; i++) {
                switch (ending) {
                    case CLIENT_CLOSES -> clients.get(i).close();
                    case CLIENT_RESETS -> {
                        assertEquals("last words", read(peers.get(i), 10));
                        clients.get(i).reset();
                    }
                    case PEER_CLOSES -> {
                        assertEquals("last words", read(peers.get(i), 10));
                        peers.get(i).close();
                    }
                    case PEER_RESETS -> {
                        assertEquals("last words", read(peers.get(i), 10));
                        peers.get(i).setSoLinger(true, 0);
                        peers.get(i).close();
                    }
                    default -> {}
                }
            }
            switch (ending) {
                case ALLOCATION_DELETED -> {
                    assertEquals("last words", read(peers.get(0), 10));
                    call.control.send(TcpDesk.message(TcpDesk.DELETE, 0));
                }
                case CONTROL_CLOSES -> call.control.close();
                case LISTENER_CLOSES -> call.listener.close();
                default -> {}
            }
            for (int i = 0; i < 20; i++) {
                if (!peers.get(i).isClosed()) {
                    String left = ending == Ending.NEVER_BOUND
                                    || ending == Ending.CLIENT_RESETS
                                    || (ending == Ending.ALLOCATION_DELETED && i == 0)
                            ? ""
                            : "last words";
                    assertEquals(left, readToEnd(peers.get(i)), "peer " + i);
                    peers.get(i).close();
                }
            }
            for (StreamClient client : clients) {
                if (!client.socket.isClosed()) {
                    assertEquals("", readToEnd(client.socket));
                    client.close();
                }
            }
            await("nothing is left", () -> call.rows() == 0);
        }
    }

    private static String readToEnd(Socket socket) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        try {
            for (int one = in.read(); one >= 0; one = in.read()) {
                all.write(one);
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("still open", e);
        } catch (IOException e) {
            // A reset is an end too.
        }
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    @Tag("RFC6062§5.2")
    void tellsOfAPeerThatRefuses(String io) throws Exception {
        try (Call call = new Call(io, 1)) {
            int port = call.peers.getLocalPort();
            call.peers.close();
            call.control.send(TcpDesk.message(TcpDesk.CONNECT, port));
            assertEquals(port, Call.answer(call.control, TcpDesk.FAILED));
        }
    }

    @Test
    @Tag("RFC6062§5.4")
    void movesAConnectionOnceAndAnswersOnItAfterwards() throws Exception {
        try (Call call = new Call("epoll", 2);
                StreamClient data = new StreamClient(SERVER)) {
            data.send(TcpDesk.message(TcpDesk.BIND, 1));
            assertEquals(1, Call.answer(data, TcpDesk.UNKNOWN));
            data.send(TcpDesk.message(TcpDesk.BIND, 1 << 24 | 1));
            assertEquals(1 << 24 | 1, Call.answer(data, TcpDesk.UNKNOWN));
            data.send(TcpDesk.message(TcpDesk.BIND, 2));
            assertEquals(2, Call.answer(data, TcpDesk.UNKNOWN));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void goesOnWithoutAnEngineAndJudgesTheRestAfterwards(String io) throws Exception {
        try (Call call = new Call(io, 1);
                Socket joined = call.connect();
                StreamClient data = call.bind(Call.answer(call.control, TcpDesk.CONNECT));
                ServerSocket late = new ServerSocket(0, 50, Rig.IPV4)) {
            NettyLoop loop = call.rig.loops.all().get(0);
            call.rig.server.engineSlot().unbind(call.desk);
            data.send(bytes("spliced"));
            assertEquals("spliced", read(joined, 7));
            call.control.send(TcpDesk.message(TcpDesk.CONNECT, late.getLocalPort()));
            try (Socket waiting = call.connectAsPeer()) {
                waiting.getOutputStream().write(bytes("patience"));
                Thread.sleep(300);
                assertEquals(
                        1, (int) loop.call(() -> loop.worker().peerConnections().size()), "not accepted yet");
                call.rig.server.engineSlot().bind(call.desk, -1);
                int id = Call.answer(call.control, TcpDesk.ATTEMPT);
                try (StreamClient second = call.bind(id)) {
                    assertEquals("patience", read(second.socket, 8));
                }
                assertNotEquals(0, Call.answer(call.control, TcpDesk.CONNECT));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void leavesAPortAloneThatAnotherProcessListensAt(String io) throws Exception {
        try (Call call = new Call(io, 1)) {
            PortPool ports = call.rig.server.ports();
            int port = ports.take(false);
            InetSocketAddress local = Rig.at(Rig.IPV4, port);
            NettyLoop loop = call.rig.loops.all().get(0);
            try (ServerSocket taken = new ServerSocket()) {
                taken.bind(local);
                SocketOpening opening = loop.call(() -> loop.openRelayedListener(local, null));
                assertInstanceOf(SocketOpening.PortInUse.class, opening);
            }
            ports.free(false, port);
            call.rig.assertNoDropsBut(Map.of());
            assertNull(call.control.readToEnd(100), "open");
        }
    }
}
