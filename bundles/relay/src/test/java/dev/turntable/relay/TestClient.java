package dev.turntable.relay;

import dev.turntable.api.ClientTransport;
import dev.turntable.codec.AttributeType;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.Method;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.Worker;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A client of a {@link TestServer}, on one five-tuple. Its requests read like the RFC's figures. */
final class TestClient {
    private static final int UDP = 17;

    final TestServer server;
    final Path path;
    String username;
    String password;
    String realm = "example.org";
    byte[] nonce;
    byte[] passwordAlgorithms;
    private final List<Answer> received = new ArrayList<>();

    /** The server's way to this client. */
    final class Path implements ClientPath {
        private final ClientTransport transport;
        private final InetSocketAddress client;
        private final int localEnd;
        private final long hi;
        private final long lo;
        int ended;
        long messages;
        Worker movedTo;

        Path(ClientTransport transport, InetSocketAddress client) {
            this.transport = transport;
            this.client = client;
            localEnd = server.state.localEnd(transport, TestServer.LISTENER);
            hi = TransportAddress.hi(client.getAddress());
            lo = TransportAddress.lo(client.getAddress());
        }

        @Override
        public ClientTransport transport() {
            return transport;
        }

        @Override
        public int localEnd() {
            return localEnd;
        }

        @Override
        public long clientHi() {
            return hi;
        }

        @Override
        public long clientLo() {
            return lo;
        }

        @Override
        public int clientPort() {
            return client.getPort();
        }

        @Override
        public InetSocketAddress clientAddress() {
            return client;
        }

        @Override
        public InetSocketAddress serverAddress() {
            return TestServer.LISTENER;
        }

        @Override
        public ClientPath lasting() {
            return this;
        }

        @Override
        public boolean send(ByteBuffer message) {
            messages++;
            if (server.network.records) {
                byte[] bytes = new byte[message.remaining()];
                message.get(message.position(), bytes);
                received.add(new Answer(bytes));
            }
            return true;
        }

        @Override
        public boolean send(ByteBuffer header, Packet packet, int offset, int length, int padding) {
            messages++;
            if (server.network.records) {
                byte[] bytes = new byte[header.remaining() + length + padding];
                header.get(header.position(), bytes, 0, header.remaining());
                packet.memory().get(packet.start() + offset, bytes, header.remaining(), length);
                received.add(new Answer(bytes));
            }
            return true;
        }

        @Override
        public boolean moveTo(Worker worker) {
            movedTo = worker;
            return transport.isStream();
        }

        @Override
        public void allocationEnded() {
            ended++;
        }
    }

    TestClient(
            TestServer server, ClientTransport transport, InetSocketAddress address, String username, String password) {
        this.server = server;
        this.username = username;
        this.password = password;
        path = new Path(transport, address);
    }

    /** Another client of the same user, at another address. */
    TestClient sameUserAt(String ip, int port) {
        return server.client(ip, port, username, password);
    }

    Request request(int method) {
        return new Request(this, method, MessageClass.REQUEST);
    }

    Request indication(int method) {
        return new Request(this, method, MessageClass.INDICATION);
    }

    /** An Allocate for UDP; more may be added. */
    Request allocateRequest() {
        return request(Method.ALLOCATE).transport(UDP);
    }

    /** Gets realm and nonce by an Allocate without credentials, as every client does first. */
    Answer challenge() {
        Answer challenge = allocateRequest().unsigned().send();
        learn(challenge);
        return challenge;
    }

    /** Takes realm, nonce and offered algorithms from a 401 or 438. */
    void learn(Answer challenge) {
        realm = challenge.text(AttributeType.REALM);
        nonce = challenge.value(AttributeType.NONCE);
        passwordAlgorithms = challenge.value(AttributeType.PASSWORD_ALGORITHMS);
    }

    /** Challenge and Allocate; the success response. */
    Answer allocate() {
        challenge();
        return succeeded(allocateRequest().send());
    }

    Answer refresh(long lifetimeSeconds) {
        return request(Method.REFRESH).lifetime(lifetimeSeconds).send();
    }

    Answer createPermission(InetSocketAddress... peers) {
        Request request = request(Method.CREATE_PERMISSION);
        for (InetSocketAddress peer : peers) {
            request.peer(peer);
        }
        return request.send();
    }

    Answer channelBind(int number, InetSocketAddress peer) {
        return request(Method.CHANNEL_BIND).channel(number).peer(peer).send();
    }

    /** A Send indication; what it has led to has arrived when this returns. */
    void sendIndication(InetSocketAddress peer, byte[] payload) {
        silent(indication(Method.SEND).peer(peer).data(payload).send());
    }

    void channelData(int number, byte[] payload) {
        ByteBuffer bytes = ByteBuffer.allocate(4 + payload.length);
        bytes.putShort((short) number).putShort((short) payload.length).put(payload);
        silent(send(bytes.array()));
    }

    /** Sends bytes and lets everything arrive. The only answer, or null. */
    Answer send(byte[] bytes) {
        int before = received.size();
        server.fromClient(this, bytes);
        if (received.size() - before > 1) {
            throw new AssertionError("more than one answer: " + received.subList(before, received.size()));
        }
        return received.size() == before ? null : received.remove(before);
    }

    /** What has come and was not taken yet. */
    List<Answer> received() {
        return List.copyOf(received);
    }

    /** Takes what has come without being asked for: Data indications and ChannelData. */
    List<Answer> take() {
        List<Answer> taken = List.copyOf(received);
        received.clear();
        return taken;
    }

    /** Takes the only message that has come. */
    Answer takeOne() {
        List<Answer> taken = take();
        if (taken.size() != 1) {
            throw new AssertionError("not one message but " + taken);
        }
        return taken.get(0);
    }

    /** Key of MD5, or of the algorithm that is named. */
    byte[] key() {
        return LongTermKey.md5(username, realm, password);
    }

    /** Its live allocation in the server's tables, or null. */
    Allocation allocation() {
        return server.worker()
                .allocations()
                .byFiveTuple(path.localEnd(), path.clientHi(), path.clientLo(), path.clientPort());
    }

    static Answer succeeded(Answer answer) {
        if (answer == null || !answer.isSuccess()) {
            throw new AssertionError("no success but " + answer);
        }
        return answer;
    }

    private static void silent(Answer answer) {
        if (answer != null && !answer.isDataIndication() && !answer.isChannelData()) {
            throw new AssertionError("an answer to what has none: " + answer);
        }
    }
}
