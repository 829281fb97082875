package dev.turntable.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Requests that one thread answers in a second, each authenticated (nonce, MESSAGE-INTEGRITY both ways), without sockets: what the engine
 * and the tables cost.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class ControlBench {
    private static final int CLIENTS = 10_000;

    /** Clients without an allocation. */
    @State(Scope.Thread)
    public static class NewClients {
        @Param({"shared", "dedicated"})
        public String relayedSockets;

        private BareServer server;
        private BareClient[] clients;

        @Setup(Level.Trial)
        public void make() {
            server = new BareServer(relayedSockets.equals("shared"));
            clients = BareClient.clients(server, CLIENTS);
        }

        @Setup(Level.Invocation)
        public void end() {
            for (BareClient client : clients) {
                if (server.allocation(client.path) != null) {
                    client.end();
                }
            }
        }
    }

    /** Clients with an allocation, a permission and a channel. */
    @State(Scope.Thread)
    public static class LiveClients {
        private BareServer server;
        private BareClient[] clients;

        @Setup(Level.Trial)
        public void make() {
            server = new BareServer(true);
            clients = BareClient.clients(server, CLIENTS);
            for (BareClient client : clients) {
                client.call();
            }
        }

        @Setup(Level.Invocation)
        public void renewClock() {
            server.worker.renewClock();
        }
    }

    @Benchmark
    @OperationsPerInvocation(CLIENTS)
    public void allocate(NewClients all) {
        for (BareClient client : all.clients) {
            client.send(client.allocate);
        }
    }

    /** Challenge, Allocate, CreatePermission, ChannelBind: one operation. */
    @Benchmark
    @OperationsPerInvocation(CLIENTS)
    public void fourRequests(NewClients all) {
        for (BareClient client : all.clients) {
            client.send(client.challenge);
            client.send(client.allocate);
            client.send(client.createPermission);
            client.send(client.channelBind);
        }
    }

    @Benchmark
    @OperationsPerInvocation(CLIENTS)
    public void refresh(LiveClients all) {
        for (BareClient client : all.clients) {
            client.send(client.refresh);
        }
    }

    @Benchmark
    @OperationsPerInvocation(CLIENTS)
    public void createPermission(LiveClients all) {
        for (BareClient client : all.clients) {
            client.send(client.createPermission);
        }
    }

    @Benchmark
    @OperationsPerInvocation(CLIENTS)
    public void channelBind(LiveClients all) {
        for (BareClient client : all.clients) {
            client.send(client.channelBind);
        }
    }
}
