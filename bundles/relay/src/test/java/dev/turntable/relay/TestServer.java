package dev.turntable.relay;

import dev.turntable.api.ClientTransport;
import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import dev.turntable.api.auth.CredentialSource;
import dev.turntable.codec.TransportAddress;
import dev.turntable.codec.Userhash;
import dev.turntable.state.ServerConfiguration;
import dev.turntable.state.ServerState;
import dev.turntable.state.Worker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A server without sockets, threads and sleep: the engine on a real state, packets in, packets out, and time that goes when the test
 * says so. Users of the default source are alice, bob and carol; the password is the name with {@code -secret}.
 */
final class TestServer {
    static final InetSocketAddress LISTENER = address("198.51.100.1", 3478);
    static final String REALM = "example.org";

    final TestNetwork network = new TestNetwork();
    final TestNetwork.Loop loop = network.new Loop();
    final Users users = new Users();
    final WallClock wallClock = new WallClock();
    final ServerState state;
    TurnEngine engine;
    private final boolean sweeps;

    /** How much time each look at the monotonic clock takes; for tests of budgets. */
    long nanosPerLook;

    private long nanos = 1_000_000_000L;

    /** The memory that all packets arrive in, one after the other. */
    private final TestPacket arriving = new TestPacket();

    /** What is to be different from the ordinary. */
    static final class Builder {
        private final Map<String, Object> relay = new HashMap<>(Map.of("realm", REALM));
        private String relayedIPv4 = "198.51.100.1";
        private String relayedIPv6 = "2001:db8::1";
        private String externalIPv4;
        private String externalIPv6;
        private int portMin = 49_152;
        private int portMax = 65_535;
        private boolean shared;
        private int maxAllocations = 100_000;
        private boolean sweeps = true;
        private boolean withUsers = true;
        private int workers = 1;

        /** A key of PID {@code dev.turntable.relay}. */
        Builder relay(String key, Object value) {
            relay.put(key, value);
            return this;
        }

        /** Local addresses of relayed sockets; null where a family is not served. */
        Builder relayed(String ipv4, String ipv6) {
            relayedIPv4 = ipv4;
            relayedIPv6 = ipv6;
            return this;
        }

        Builder external(String ipv4, String ipv6) {
            externalIPv4 = ipv4;
            externalIPv6 = ipv6;
            return this;
        }

        Builder ports(int first, int last) {
            portMin = first;
            portMax = last;
            return this;
        }

        /** Multiplex-peer mode, with one socket for each family. */
        Builder sharedSockets() {
            shared = true;
            return this;
        }

        Builder maxAllocations(int most) {
            maxAllocations = most;
            return this;
        }

        /** The control: a test of expiry that passes with this does not test expiry. */
        Builder sweepOff() {
            sweeps = false;
            return this;
        }

        Builder withoutSources() {
            withUsers = false;
            return this;
        }

        /** The first of them has the clients; the others have nothing. */
        Builder workers(int count) {
            workers = count;
            return this;
        }

        TestServer start() {
            return new TestServer(this);
        }
    }

    /** A wall clock that is put where a test wants it. */
    static final class WallClock extends Clock {
        Instant now = Instant.parse("2025-01-01T00:00:00Z");

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public long millis() {
            return now.toEpochMilli();
        }
    }

    /** The source of credentials. */
    static final class Users implements CredentialSource {
        private final Map<String, CredentialAnswer> answers = new HashMap<>();

        /** The queries that were asked, as they came. */
        final List<CredentialQuery> asked = new java.util.ArrayList<>();

        boolean sha256;
        boolean userhash;

        /** Not null: answers come when this is completed. */
        CompletableFuture<CredentialAnswer> later;

        Users() {
            for (String name : List.of("alice", "bob", "carol")) {
                put(name, new CredentialAnswer.Password(name, name + "-secret", 0));
            }
        }

        void put(String name, CredentialAnswer answer) {
            answers.put(name, answer);
        }

        @Override
        public CompletionStage<CredentialAnswer> find(CredentialQuery query) {
            asked.add(query);
            return later != null ? later : CompletableFuture.completedFuture(answer(query));
        }

        CredentialAnswer answer(CredentialQuery query) {
            if (query instanceof CredentialQuery.ByName byName) {
                return answers.getOrDefault(byName.username(), CredentialAnswer.UNKNOWN);
            }
            byte[] hash = ((CredentialQuery.ByUserhash) query).userhash();
            return answers.entrySet().stream()
                    .filter(user -> Arrays.equals(Userhash.of(user.getKey(), query.realm()), hash))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElse(CredentialAnswer.UNKNOWN);
        }

        @Override
        public String name() {
            return "test";
        }

        @Override
        public boolean supportsSha256() {
            return sha256;
        }

        @Override
        public boolean supportsUserhash() {
            return userhash;
        }
    }

    static TestServer start() {
        return new Builder().start();
    }

    static Builder with() {
        return new Builder();
    }

    private TestServer(Builder wanted) {
        ServerConfiguration configuration = new ServerConfiguration(
                wanted.workers,
                ip(wanted.relayedIPv4),
                ip(wanted.relayedIPv6),
                ip(wanted.externalIPv4),
                ip(wanted.externalIPv6),
                wanted.portMin,
                wanted.portMax,
                wanted.shared,
                1,
                40_000,
                wanted.maxAllocations,
                1 << 20,
                0,
                "auto",
                true,
                1_000,
                10,
                2_000,
                16,
                65_536);
        state = new ServerState(configuration, () -> nanos += nanosPerLook);
        if (wanted.withUsers) {
            state.credentialSources().add(users, 0);
        }
        sweeps = wanted.sweeps;
        engine = new TurnEngine(state, ConfigurationKeys.read(wanted.relay), wallClock, "test", sweeps);
        worker().attach(loop);
        if (wanted.shared) {
            for (InetAddress local : new InetAddress[] {configuration.relayedIPv4(), configuration.relayedIPv6()}) {
                int port = local.getAddress().length == 4 ? 40_000 : 40_001;
                worker().sharedPeers().addSocket(network.open(new InetSocketAddress(local, port), null));
            }
        }
        state.engineSlot().bind(engine, -1);
        loop.runTasks();
        worker().renewClock();
    }

    Worker worker() {
        return state.worker(0);
    }

    TestClient client(String ip, int port, String username, String password) {
        return new TestClient(this, ClientTransport.UDP, address(ip, port), username, password);
    }

    TestClient client(ClientTransport transport, String ip, int port, String username, String password) {
        return new TestClient(this, transport, address(ip, port), username, password);
    }

    /** Alice at her usual place. */
    TestClient alice() {
        return client("192.0.2.10", 50_000, "alice", "alice-secret");
    }

    TestClient bob() {
        return client("192.0.2.20", 50_000, "bob", "bob-secret");
    }

    /** Changes keys of the relay's configuration as the container would. */
    void configure(Map<String, Object> properties) {
        Map<String, Object> all = new HashMap<>(Map.of("realm", REALM));
        all.putAll(properties);
        engine.configure(ConfigurationKeys.read(all));
    }

    /** The engine goes; nothing is read until another one comes. */
    void removeEngine() {
        state.engineSlot().unbind(engine);
        loop.runTasks();
    }

    /** Another engine takes over, with the same configuration. */
    void swapEngine() {
        TurnEngine next = new TurnEngine(state, engine.configuration(), wallClock, "next", sweeps);
        state.engineSlot().bind(next, -1);
        engine = next;
        loop.runTasks();
    }

    /** A packet of a client arrives, and all that follows from it. */
    void fromClient(TestClient client, byte[] bytes) {
        worker().renewClock();
        arriving.set(bytes);
        engine.fromClient(worker(), client.path, client.allocation(), arriving);
        deliver();
    }

    /** A peer sends to a relayed transport address, as it was told of it. */
    void peerSends(InetSocketAddress peer, InetSocketAddress relayed, byte[] payload) {
        network.send(peer, local(relayed), payload);
        deliver();
    }

    /** A peer connects to a relayed transport address, as it was told of it. */
    TestNetwork.Connection peerConnects(InetSocketAddress peer, InetSocketAddress relayed) {
        worker().renewClock();
        TestNetwork.Connection connection = new TestNetwork.Connection(null, peer, local(relayed));
        byte[] ip = peer.getAddress().getAddress();
        engine.peerConnected(
                worker(),
                network.socketAt(local(relayed)),
                TransportAddress.hi(ip),
                TransportAddress.lo(ip),
                peer.getPort(),
                connection);
        return connection;
    }

    /** What a peer makes of the latest connect. */
    TestNetwork.Connection peerAnswers(boolean takesIt) {
        worker().renewClock();
        TestNetwork.Connection latest = network.connects.get(network.connects.size() - 1);
        worker().peerConnections().connectEnded(latest.connecting, takesIt);
        return latest;
    }

    /** A router on the way of a datagram to a peer complains. */
    void icmp(InetSocketAddress relayed, InetSocketAddress peer, int type, int code, int data) {
        worker().renewClock();
        byte[] ip = peer.getAddress().getAddress();
        engine.fromIcmp(
                worker(),
                network.socketAt(local(relayed)),
                TransportAddress.hi(ip),
                TransportAddress.lo(ip),
                peer.getPort(),
                type,
                code,
                data);
    }

    private void deliver() {
        network.deliver((socket, datagram) -> {
            byte[] ip = datagram.from().getAddress().getAddress();
            arriving.set(datagram.payload());
            engine.fromPeer(
                    worker(),
                    socket,
                    TransportAddress.hi(ip),
                    TransportAddress.lo(ip),
                    datagram.from().getPort(),
                    arriving);
        });
    }

    /** Where the outside address of the server leads inside, as by the router in front of it. */
    private InetSocketAddress local(InetSocketAddress told) {
        ServerConfiguration configuration = state.configuration();
        InetAddress ip = told.getAddress();
        if (ip.equals(configuration.externalIPv4())) {
            return new InetSocketAddress(configuration.relayedIPv4(), told.getPort());
        }
        if (ip.equals(configuration.externalIPv6())) {
            return new InetSocketAddress(configuration.relayedIPv6(), told.getPort());
        }
        return told;
    }

    /** What a peer has received, as text. */
    List<String> receivedBy(InetSocketAddress peer) {
        return network.take(peer).stream()
                .map(datagram -> new String(datagram.payload(), StandardCharsets.UTF_8))
                .toList();
    }

    /** What waits on the worker's loop is done: answers of credential sources. */
    void runTasks() {
        worker().renewClock();
        loop.runTasks();
        deliver();
    }

    /** Time passes, and the sweep comes once a second. */
    void pass(Duration time) {
        long end = nanos + time.toNanos();
        while (nanos < end) {
            nanos = Math.min(end, nanos + 1_000_000_000L);
            sweep();
        }
    }

    /** Time passes between two sweeps. */
    void passUnswept(Duration time) {
        nanos += time.toNanos();
        worker().renewClock();
    }

    void sweep() {
        while (worker().sweep()) {
            // Further slices come between packets.
        }
    }

    /** Silent discards of a reason. */
    long drops(String reason) {
        return worker().drops().of(state.dropReasons().register(reason));
    }

    static InetSocketAddress address(String ip, int port) {
        return new InetSocketAddress(ip(ip), port);
    }

    private static InetAddress ip(String text) {
        try {
            return text == null ? null : InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
