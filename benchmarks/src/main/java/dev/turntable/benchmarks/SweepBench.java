package dev.turntable.benchmarks;

import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.Worker;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One pass of the sweep, slice after slice, over the tables of one worker: a third of the entries are allocations, each with a
 * permission and a channel binding. Relayed sockets are shared and bare, so that nothing is closed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {"-Xms3g", "-Xmx3g"})
@Warmup(iterations = 20)
@Measurement(iterations = 20)
public class SweepBench {
    private static final long LIVE_NANOS = TimeUnit.HOURS.toNanos(1);
    private static final byte[] KEY = new byte[16];

    @Param({"10000", "300000", "3000000"})
    public int entries;

    @Param({"0", "1", "100"})
    public int percentExpired;

    private BareServer server;
    private BarePath[] paths;

    @Setup(Level.Trial)
    public void make() {
        server = new BareServer(true);
        paths = new BarePath[entries / 3];
        for (int i = 0; i < paths.length; i++) {
            paths[i] = new BarePath(BarePath.localEnd(server.state), i);
            add(paths[i], i);
        }
    }

    /** Makes anew what the pass before has reaped, and lets every hundredth expire, or all. */
    @Setup(Level.Invocation)
    public void expire() {
        Worker worker = server.worker;
        int every = percentExpired == 0 ? Integer.MAX_VALUE : 100 / percentExpired;
        for (int i = 0; percentExpired > 0 && i < paths.length; i += every) {
            Allocation allocation = server.allocation(paths[i]);
            if (allocation == null) {
                allocation = add(paths[i], i);
            }
            allocation.setDeadlineNanos(false, 0);
            worker.permissions().setDeadlineNanos(worker.permissions().first(allocation), 0);
            worker.channelBindings().setDeadlineNanos(worker.channelBindings().first(allocation), 0);
        }
    }

    private Allocation add(BarePath path, int number) {
        Worker worker = server.worker;
        worker.renewClock();
        long deadline = worker.now() + LIVE_NANOS;
        server.state.userCounts().take(OneUser.NAME, 0);
        Allocation allocation =
                worker.allocations().add(path, OneUser.NAME, BareServer.REALM, KEY, 1, 0, number, number);
        RelayedSocket socket = worker.sharedPeers().leastLoaded(false);
        worker.allocations().addRelayed(allocation, socket, false, deadline);
        long peer = TransportAddress.ipv4(0xCB00_7100 + number);
        int permission = worker.permissions().add(allocation, 0, peer, 0, deadline);
        worker.sharedPeers().claim(allocation, 0, peer, 5_000, 256);
        worker.channelBindings().add(allocation, permission, 5_000, BareClient.CHANNEL, deadline);
        return allocation;
    }

    @Benchmark
    public int pass() {
        int slices = 1;
        while (server.worker.sweep()) {
            slices++;
        }
        return slices;
    }
}
