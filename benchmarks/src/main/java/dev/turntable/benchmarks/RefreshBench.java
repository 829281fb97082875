package dev.turntable.benchmarks;

import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.Permissions;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import io.netty.util.concurrent.Future;
import java.util.Random;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the refresh of a permission costs: with a timer of its own, cancelled and made again, on an event loop or on a hashed wheel, and
 * as a store of the new deadline. All on the loop's own thread; the wheel's thread does a part of its work elsewhere, uncounted.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 3, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RefreshBench {
    private static final int BATCH = 1_000;
    private static final long LIFETIME_NANOS = TimeUnit.SECONDS.toNanos(300);

    /** How many entries there are, and which one is refreshed next. */
    @State(Scope.Thread)
    public static class Entries {
        @Param({"1000", "100000", "1000000"})
        public int entries;

        /** {@code made}: in the order they were made, as a storm of refreshes comes. {@code random}: the worst for the caches. */
        @Param({"made", "random"})
        public String order;

        private int[] batch;
        private int begin;

        @Setup
        public void choose() {
            batch = new int[entries];
            for (int i = 0; i < entries; i++) {
                batch[i] = i;
            }
            if (order.equals("random")) {
                Random random = new Random(42);
                for (int i = entries - 1; i > 0; i--) {
                    int other = random.nextInt(i + 1);
                    int kept = batch[i];
                    batch[i] = batch[other];
                    batch[other] = kept;
                }
            }
        }

        /** Where the next batch begins. */
        int next() {
            int from = begin;
            begin = from + BATCH == entries ? 0 : from + BATCH;
            return from;
        }
    }

    /** Permissions with a deadline each. */
    @State(Scope.Thread)
    public static class Deadlines {
        private Permissions permissions;
        private long now;

        @Setup
        public void make(Entries entries) {
            BareServer server = new BareServer(true);
            BareClient client = new BareClient(server, 0);
            client.send(client.allocate);
            Allocation allocation = server.allocation(client.path);
            permissions = server.worker.permissions();
            for (int i = 0; i < entries.entries; i++) {
                int handle = permissions.add(allocation, 0, TransportAddress.ipv4(i), 0, LIFETIME_NANOS);
                if (handle != i) {
                    throw new IllegalStateException("handles of a new table are numbers in order");
                }
            }
        }
    }

    /** A scheduled task each, on an event loop that the benchmark's thread drives. */
    @State(Scope.Thread)
    public static class ScheduledTasks {
        private ManualIoEventLoop loop;
        private Future<?>[] futures;
        private final Runnable expire = () -> {};

        @Setup
        public void make(Entries entries) {
            loop = new ManualIoEventLoop(Thread.currentThread(), LocalIoHandler.newFactory());
            futures = new Future<?>[entries.entries];
            for (int i = 0; i < futures.length; i++) {
                futures[i] = loop.schedule(expire, LIFETIME_NANOS, TimeUnit.NANOSECONDS);
            }
        }
    }

    /** A timeout each, on a wheel whose ticks are short enough to keep up with what is cancelled. */
    @State(Scope.Thread)
    public static class WheelTimeouts {
        private HashedWheelTimer wheel;
        private Timeout[] timeouts;
        private final TimerTask expire = timeout -> {};

        @Setup
        public void make(Entries entries) {
            wheel = new HashedWheelTimer(10, TimeUnit.MILLISECONDS, 4_096);
            timeouts = new Timeout[entries.entries];
            for (int i = 0; i < timeouts.length; i++) {
                timeouts[i] = wheel.newTimeout(expire, LIFETIME_NANOS, TimeUnit.NANOSECONDS);
            }
        }

        @TearDown(Level.Trial)
        public void stop() {
            wheel.stop();
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void deadlineStore(Entries entries, Deadlines deadlines) {
        int from = entries.next();
        int[] batch = entries.batch;
        Permissions permissions = deadlines.permissions;
        long deadline = ++deadlines.now + LIFETIME_NANOS;
        for (int i = from; i < from + BATCH; i++) {
            permissions.setDeadlineNanos(batch[i], deadline);
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void scheduledTask(Entries entries, ScheduledTasks tasks) {
        int from = entries.next();
        int[] batch = entries.batch;
        Future<?>[] futures = tasks.futures;
        for (int i = from; i < from + BATCH; i++) {
            futures[batch[i]].cancel(false);
            futures[batch[i]] = tasks.loop.schedule(tasks.expire, LIFETIME_NANOS, TimeUnit.NANOSECONDS);
        }
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public void wheelTimeout(Entries entries, WheelTimeouts timeouts) {
        int from = entries.next();
        int[] batch = entries.batch;
        Timeout[] all = timeouts.timeouts;
        for (int i = from; i < from + BATCH; i++) {
            all[batch[i]].cancel();
            all[batch[i]] = timeouts.wheel.newTimeout(timeouts.expire, LIFETIME_NANOS, TimeUnit.NANOSECONDS);
        }
    }
}
