package dev.turntable.shell;

import dev.turntable.api.AllocationId;
import dev.turntable.api.AllocationInfo;
import dev.turntable.api.Allocations;
import dev.turntable.api.ClientTransport;
import dev.turntable.api.EngineInfo;
import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import dev.turntable.api.Server;
import dev.turntable.api.ServerInfo;
import dev.turntable.api.SweepInfo;
import dev.turntable.api.auth.TurnCredentials;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A server as the management services tell of it. */
final class Fakes {
    static final EngineInfo ENGINE = new EngineInfo("1.2.0", 77, Instant.parse("2025-03-01T10:00:00Z"), true, 1, 0);
    static final String HOSTILE = "eve\u001b[2J\t\"\\\n\u202eadmin";

    private Fakes() {}

    /** With two allocations, one of them hostile, and two listeners, one of which listens; no self-test. */
    static Turntable turntable() {
        Turntable turntable = new Turntable();
        turntable.server = server(ENGINE);
        turntable.allocations =
                allocations(List.of(allocation("0-1f", "1700000600:alice"), allocation("1-2", HOSTILE)));
        turntable.listeners = listeners(
                new InetSocketAddress("127.0.0.1", 3478),
                new InetSocketAddress("192.0.2.1", 3478),
                new InetSocketAddress("fe80::1", 3478),
                new InetSocketAddress("2001:db8::2", 3478));
        turntable.credentials = (name, lifetime) -> {
            if (name.contains(":")) {
                throw new IllegalArgumentException("name: no colon may be in it");
            }
            return new TurnCredentials.Minted(
                    "1700000600:" + name,
                    "cGFzc3dvcmQ=",
                    Instant.ofEpochSecond(1_700_000_000).plus(lifetime));
        };
        return turntable;
    }

    static AllocationInfo allocation(String id, String username) {
        return new AllocationInfo(
                AllocationId.parse(id),
                username,
                "example.org",
                ClientTransport.UDP,
                new InetSocketAddress("198.51.100.7", 40000),
                new InetSocketAddress("192.0.2.1", 3478),
                List.of(
                        new AllocationInfo.Relayed(
                                new InetSocketAddress("203.0.113.1", 50000),
                                new InetSocketAddress("10.0.0.1", 50000),
                                600),
                        new AllocationInfo.Relayed(
                                new InetSocketAddress("2001:db8::1", 50001),
                                new InetSocketAddress("2001:db8::1", 50001),
                                600)),
                2,
                1,
                List.of(
                        new AllocationInfo.Permission("198.51.100.9", 280),
                        new AllocationInfo.Permission("198.51.100.8", 300)),
                List.of(new AllocationInfo.ChannelBinding(0x4001, new InetSocketAddress("198.51.100.8", 6000), 590)),
                12,
                new AllocationInfo.Traffic(10, 1000),
                new AllocationInfo.Traffic(20, 2000));
    }

    static Allocations allocations(List<AllocationInfo> live) {
        List<AllocationInfo> left = new ArrayList<>(live);
        return new Allocations() {
            @Override
            public List<AllocationInfo> list() {
                return List.copyOf(left);
            }

            @Override
            public Optional<AllocationInfo> find(AllocationId id) {
                return left.stream().filter(one -> one.id().equals(id)).findFirst();
            }

            @Override
            public boolean delete(AllocationId id) {
                return left.removeIf(one -> one.id().equals(id));
            }

            @Override
            public int count() {
                return left.size();
            }
        };
    }

    static Listeners listeners(InetSocketAddress... reachable) {
        return new Listeners() {
            @Override
            public List<ListenerInfo> list() {
                return List.of(
                        new ListenerInfo(
                                "tls",
                                "tls",
                                "0.0.0.0:5349",
                                ListenerInfo.State.FAILED,
                                "port 5349 is in use",
                                0,
                                "epoll",
                                0,
                                0,
                                0,
                                89),
                        new ListenerInfo(
                                "udp",
                                "udp",
                                "*:3478",
                                ListenerInfo.State.LISTENING,
                                "",
                                4,
                                "epoll",
                                4194304,
                                123456,
                                0,
                                ListenerInfo.NO_CERTIFICATE));
            }

            @Override
            public List<InetSocketAddress> reachableAt(String name) {
                return name.equals("udp") ? List.of(reachable) : List.of();
            }
        };
    }

    static Server server(EngineInfo engine, String... warnings) {
        return server(new ServerInfo(
                "1.0.0",
                3600,
                2,
                "epoll",
                "one per allocation",
                List.of("10.0.0.1 → 203.0.113.1"),
                49152,
                65535,
                4,
                2,
                3,
                1,
                engine,
                engine == null ? List.of() : List.of("shared-secrets", "users-file"),
                List.of(warnings)));
    }

    /** One whose first configuration was refused. */
    static Server refusedServer(String why) {
        return server(
                new ServerInfo("1.0.0", 0, 0, "", "", List.of(), 0, 0, 0, 0, 0, 0, null, List.of(), List.of(why)));
    }

    private static Server server(ServerInfo info) {
        return new Server() {
            @Override
            public ServerInfo info() {
                return info;
            }

            @Override
            public List<EngineInfo> engines() {
                return List.of(
                        ENGINE, new EngineInfo("1.1.0", 70, Instant.parse("2025-02-01T10:00:00Z"), false, 0, 12.5));
            }

            @Override
            public List<SweepInfo> sweeps() {
                return List.of(sweep(1), sweep(0));
            }

            @Override
            public SortedMap<String, Long> counters() {
                return new TreeMap<>(Map.of("drop.bad-cookie", 3L, "binding.requests", 1000L));
            }
        };
    }

    private static SweepInfo sweep(int worker) {
        SweepInfo.Quantiles micros = new SweepInfo.Quantiles(1, 20.5, 31);
        return new SweepInfo(
                worker, 2, 3, 1, 60, 61, 360, 5, 6, 7, 8, micros, micros, new SweepInfo.Quantiles(1, 990, 1010.25));
    }
}
