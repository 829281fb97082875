package dev.turntable.relay;

import dev.turntable.api.ClientTransport;
import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.codec.AttributeType;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.MessageType;
import dev.turntable.codec.Method;
import dev.turntable.codec.PasswordAlgorithms;
import dev.turntable.state.Allocation;
import dev.turntable.state.ReapReason;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A small server with a stranger, two users and some peers, all of whom do what a fuzzer says; and what has to hold all the while. */
final class FuzzedCalls {
    private static final int PERMISSIONS = 3;
    private static final int CHANNELS = 2;
    private static final int PORTS = 8;
    private static final int ALLOCATIONS = 6;
    private static final int SHARED_PEERS = 3;
    private static final List<Integer> ERRORS =
            List.of(400, 401, 403, 420, 437, 438, 440, 441, 442, 443, 486, 500, 508);

    private final FuzzedBytes fuzz;
    private final boolean shared;
    private final TestServer server;
    private final List<TestClient> clients = new ArrayList<>();
    private final TestClient stranger;
    private final List<InetSocketAddress> peers = new ArrayList<>();
    private final Map<Long, List<byte[]>> sent = new HashMap<>();
    private byte[] token;
    private byte[] lastSent = new byte[0];
    private long id;

    FuzzedCalls(FuzzedBytes fuzz) {
        this.fuzz = fuzz;
        int kind = fuzz.uint8();
        shared = (kind & 1) != 0;
        TestServer.Builder builder = TestServer.with()
                .ports(50_000, 50_000 + PORTS - 1)
                .maxAllocations(ALLOCATIONS)
                .relay("permissionsPerAllocation", PERMISSIONS)
                .relay("channelsPerAllocation", CHANNELS)
                .relay("sharedPeersPerAllocation", SHARED_PEERS)
                .relay("allocationsPerUser", 2)
                .relay("channelHoldsPermission", (kind & 2) == 0)
                .relay("peersAllow", (kind & 4) == 0 ? "" : "0.0.0.0/0, ::/0")
                .relay("software", (kind & 8) == 0 ? "" : "Turntable");
        if ((kind & 16) != 0) {
            builder.external("203.0.113.99", "2001:db8::99");
        }
        server = (shared ? builder.sharedSockets() : builder).start();
        server.users.sha256 = (kind & 32) != 0;
        server.users.userhash = (kind & 32) != 0;
        if ((kind & 64) != 0) {
            server.network.portsInUseElsewhere.addAll(List.of(50_000, 50_003, 50_004));
        }
        ClientTransport transport = (kind & 128) == 0 ? ClientTransport.UDP : ClientTransport.TCP;
        clients.add(server.client(transport, "192.0.2.10", 50_000, "alice", "alice-secret"));
        clients.add(server.client("2001:db8:a::20", 50_000, "bob", "bob-secret"));
        clients.add(server.client("192.0.2.10", 50_001, "alice", "alice-secret"));
        stranger = server.client("192.0.2.66", 6_666, "mallory", "guess");
        for (String ip : List.of("203.0.113.5", "203.0.113.6", "203.0.113.7", "203.0.113.8", "2001:db8:b::5")) {
            peers.add(TestServer.address(ip, 9));
            peers.add(TestServer.address(ip, 10));
        }
        peers.add(TestServer.address("127.0.0.1", 9));
        peers.add(TestServer.address("203.0.113.5", 0));
        for (int port = 50_000; port < 50_000 + PORTS; port++) {
            peers.add(TestServer.address((kind & 16) != 0 ? "203.0.113.99" : "198.51.100.1", port));
            peers.add(TestServer.address((kind & 16) != 0 ? "2001:db8::99" : "2001:db8::1", port));
        }
        clients.forEach(TestClient::challenge);
    }

    /** Something happens; then everything has to be in order. */
    void step() {
        switch (fuzz.uint8() % 16) {
            case 0 -> raw(stranger);
            case 1 -> message(stranger);
            case 2, 3, 4, 5 -> message(clients.get(0));
            case 6 -> message(clients.get(1));
            case 7 -> message(clients.get(2));
            case 8 -> channelData();
            case 9 -> raw(clients.get(fuzz.uint8() % clients.size()));
            case 10, 11 -> fromPeer();
            case 12 -> icmp();
            case 13 -> pass();
            case 14 -> again();
            default -> rarely();
        }
        check();
    }

    private void raw(TestClient client) {
        send(client, fuzz.takeSome());
    }

    private void message(TestClient client) {
        id++;
        byte[] bytes = new FuzzedMessage(fuzz, client, peers, token).bytes((int) id, id);
        send(client, bytes);
    }

    private void channelData() {
        TestClient client = clients.get(fuzz.uint8() % clients.size());
        int number = 0x3FFF + fuzz.uint8() % 8;
        byte[] payload = fuzz.takeSome();
        int length = fuzz.flag() ? payload.length : fuzz.uint16();
        send(
                client,
                ByteBuffer.allocate(4 + payload.length)
                        .putShort((short) number)
                        .putShort((short) length)
                        .put(payload)
                        .array());
    }

    private void fromPeer() {
        InetSocketAddress peer = peers.get(fuzz.uint8() % peers.size());
        server.worker().renewClock();
        server.network.send(peer, relayed(), fuzz.takeSome());
        server.runTasks();
    }

    private void icmp() {
        InetSocketAddress relayed = relayed();
        InetSocketAddress peer = peers.get(fuzz.uint8() % peers.size());
        if (server.network.socketAt(relayed) != null) {
            server.icmp(relayed, peer, fuzz.uint8(), fuzz.uint8(), (int) fuzz.uint32());
        }
    }

    /** The address of a relayed socket, or of none where there is none. */
    private InetSocketAddress relayed() {
        List<InetSocketAddress> open = server.network.openAddresses();
        int chosen = fuzz.uint8();
        return open.isEmpty() ? TestServer.LISTENER : open.get(chosen % open.size());
    }

    private void pass() {
        Duration time = Duration.ofSeconds(fuzz.pick(1, 29, 299, 300, 599, 601, 3_600));
        if (fuzz.flag()) {
            server.pass(time);
        } else {
            server.passUnswept(time);
        }
    }

    /** A datagram comes again, from whom it came or from another. */
    private void again() {
        send(clients.get(fuzz.uint8() % clients.size()), lastSent);
    }

    private void rarely() {
        switch (fuzz.uint8() % 6) {
            case 0 -> server.swapEngine();
            case 1 -> server.users.later = new CompletableFuture<>();
            case 2 -> answerOfTheSource();
            case 3 -> server.network.openingFails = server.network.openingFails == null ? "no descriptors" : null;
            case 4 -> clients.forEach(client -> send(client, allocate(client)));
            default -> server.sweep();
        }
    }

    private byte[] allocate(TestClient client) {
        id++;
        return client.allocateRequest()
                .additionalFamily(2)
                .transaction((int) id, id)
                .bytes();
    }

    private void answerOfTheSource() {
        if (server.users.later != null) {
            server.users.later.complete(
                    fuzz.flag()
                            ? new CredentialAnswer.Password("alice", "alice-secret", 0)
                            : new CredentialAnswer.Unavailable("down"));
            server.users.later = null;
            server.runTasks();
        }
    }

    private void send(TestClient client, byte[] bytes) {
        lastSent = bytes;
        if (bytes.length >= 20) {
            sent.computeIfAbsent(ByteBuffer.wrap(bytes).getLong(12), last -> new ArrayList<>())
                    .add(bytes);
        }
        server.fromClient(client, bytes);
        long responses =
                client.received().stream().filter(FuzzedCalls::isResponse).count();
        check(responses <= 1, "one answer at most");
    }

    private static boolean isResponse(Answer answer) {
        return !answer.isChannelData() && answer.message().messageClass() != MessageClass.INDICATION;
    }

    /** What has to hold after every step. */
    private void check() {
        check(server.drops("engine-fault") == 0, "no fault");
        stranger.take().forEach(answer -> checkAnswer(stranger, answer));
        for (TestClient client : clients) {
            client.take().forEach(answer -> checkAnswer(client, answer));
        }
        check(stranger.allocation() == null, "a stranger has no allocation");
        checkTables();
    }

    private void checkAnswer(TestClient client, Answer answer) {
        if (answer.isChannelData()) {
            int length = answer.data().length;
            int padded = client.path.transport().isStream() ? length + 3 & ~3 : length;
            check(answer.bytes().length == 4 + padded, "ChannelData is as long as it says");
        } else if (isResponse(answer)) {
            checkResponse(client, answer);
        } else {
            check(answer.isDataIndication(), "a server indicates data alone");
            check(answer.has(AttributeType.DATA) != answer.has(AttributeType.ICMP), "data, or an ICMP error");
        }
    }

    private void checkResponse(TestClient client, Answer answer) {
        List<byte[]> candidates = sent.getOrDefault(answer.message().transactionIdLow(), List.of());
        check(candidates.stream().anyMatch(request -> isFor(request, answer)), "an answer is to a request");
        if (answer.isSuccess()) {
            boolean open = answer.message().method() == Method.BINDING;
            check(open || (client != stranger && isSigned(answer, client)), "success is for who has signed");
        } else {
            check(ERRORS.contains(answer.error()), "an error that a server may answer: " + answer.error());
        }
        if (answer.error() == 401 || answer.error() == 438) {
            client.learn(answer);
        }
        byte[] given = answer.value(AttributeType.RESERVATION_TOKEN);
        token = given == null ? token : given;
    }

    /** Whether that was a request with the answer's method, cookie and transaction. */
    private static boolean isFor(byte[] request, Answer answer) {
        int type = ByteBuffer.wrap(request).getShort();
        return MessageType.messageClass(type) == MessageClass.REQUEST
                && MessageType.method(type) == answer.message().method()
                && Arrays.equals(request, 4, 20, answer.bytes(), 4, 20);
    }

    private static boolean isSigned(Answer answer, TestClient client) {
        byte[] sha256 = LongTermKey.of(PasswordAlgorithms.SHA256, client.username, client.realm, client.password);
        return answer.isSigned(AttributeType.MESSAGE_INTEGRITY, client.key())
                || answer.isSigned(AttributeType.MESSAGE_INTEGRITY_SHA256, client.key())
                || answer.isSigned(AttributeType.MESSAGE_INTEGRITY_SHA256, sha256);
    }

    private void checkTables() {
        int rows = server.worker().allocations().rows();
        int permissions = 0;
        int bindings = 0;
        Allocation before = null;
        for (TestClient client : clients) {
            Allocation allocation = client.allocation();
            if (allocation != null) {
                check(allocation != before, "one allocation for each five-tuple");
                check(allocation.permissionCount() <= PERMISSIONS, "permissions within their limit");
                check(allocation.channelBindingCount() <= CHANNELS, "channels within their limit");
                check(allocation.sharedPeerCount() <= SHARED_PEERS, "shared peers within their limit");
                permissions += allocation.permissionCount();
                bindings += allocation.channelBindingCount();
                rows -= allocation.relayed(false) == null ? 0 : 1;
                rows -= allocation.relayed(true) == null ? 0 : 1;
            }
            before = allocation;
        }
        check(rows == 0, "each row is of a client's allocation");
        check(server.worker().permissions().size() == permissions, "permissions are counted");
        check(server.worker().channelBindings().size() == bindings, "channel bindings are counted");
        int sockets = server.network.openSockets();
        check(sockets == (shared ? 2 : server.worker().allocations().rows()), "a socket for each relayed address");
    }

    /** Everybody goes; nothing may be left of them. */
    void end() {
        server.users.later = null;
        server.pass(Duration.ofSeconds(31));
        check();
        while (server.worker().allocations().rows() > 0) {
            server.worker().delete(server.worker().allocations().allocationAt(0), ReapReason.SHUTDOWN);
        }
        check();
        check(server.worker().allocations().size() == 0, "no allocation is left");
        check(server.state.ports().inUse() == 0, "all ports are free");
        check(server.state.reservations().size() == 0, "nothing is reserved");
        check(server.worker().sharedPeers().size() == 0, "no shared peer is left");
        check(server.worker().waitingRequests().size() == 0, "nobody waits");
        check(server.state.userCounts().of("alice") + server.state.userCounts().of("bob") == 0, "no user is counted");
        for (InetSocketAddress peer : peers) {
            check(
                    !server.state.ports().isLive(peer.getAddress().getAddress().length == 16, peer.getPort()),
                    "no port is live");
        }
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
