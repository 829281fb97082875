package dev.turntable.benchmarks.scale;

import dev.turntable.api.ClientTransport;
import dev.turntable.benchmarks.load.EchoLoad;
import dev.turntable.benchmarks.load.Options;
import dev.turntable.benchmarks.load.ServerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongToIntFunction;
import org.HdrHistogram.Histogram;

/** Many allocations, each with a permission and a channel: made, at rest, refreshed, and expiring in one second beside other traffic. */
public final class ScaleCommand {
    public static final String USAGE = """
            scale --assembly FILE.tar.gz
                  --allocations N   (100000)
                  --dedicated       a relayed socket for each allocation; mind the limit of descriptors (not: shared sockets)
                  --workers N       of the server (0: one for each processor)
                  --port N          of the listener, and three more after it (26000)
                  --rest N          seconds at rest (20)
                  --hold N          seconds in which each allocation is refreshed once (60)
                  --rate N          packets per second of other allocations during the end (5000)
                  --java OPTIONS    for the server's JVM
            """;

    private static final int WARM_UP = 10_000;
    private static final int WARM_UPS = 8;
    private static final int WINDOW = 64;
    private static final int LONG_LIFETIME_SECONDS = 3_600;
    private static final int TRAFFIC_ALLOCATIONS = 100;
    private static final int END_REFRESHES_PER_SECOND = 5_000;
    private static final int QUIET_SECONDS = 12;
    private static final int AFTERMATH_SECONDS = 5;
    private static final double KIB = 1024;

    private final Assembly assembly;
    private final ServerProcess server;
    private final int allocations;
    private final Crowd crowd;

    private ScaleCommand(Assembly assembly, int allocations, Crowd crowd) {
        this.assembly = assembly;
        this.server = new ServerProcess(assembly.pid());
        this.allocations = allocations;
        this.crowd = crowd;
    }

    /** Returns the exit status. */
    public static int run(String[] arguments) throws IOException, InterruptedException {
        Options options = new Options(
                arguments,
                Set.of("assembly", "allocations", "workers", "port", "rest", "hold", "rate", "java"),
                Set.of("dedicated"));
        int allocations = options.number("allocations", 100_000);
        Path archive = Path.of(options.text("assembly"));
        try (Assembly assembly = Assembly.start(
                        archive,
                        !options.has("dedicated"),
                        options.number("port", 26_000),
                        options.number("workers", 0),
                        options.text("java", ""));
                Crowd crowd = new Crowd(assembly.listeners(), allocations, Assembly.USER, Assembly.PASSWORD)) {
            ScaleCommand scale = new ScaleCommand(assembly, allocations, crowd);
            scale.warmUp();
            scale.make();
            scale.rest(options.number("rest", 20));
            scale.hold(options.number("hold", 60));
            int rate = options.number("rate", 5_000);
            boolean sound = scale.end(rate);
            say("once more, with code that has let calls expire before");
            scale.make();
            return scale.end(rate) && sound ? 0 : 1;
        }
    }

    @SuppressWarnings("SystemOut")
    private static void say(String format, Object... values) {
        System.out.printf(format + "%n", values);
    }

    private double idlePercent;
    private long residentBefore;

    /** So that what is measured is a server that has run for a while; then the base line. */
    private void warmUp() throws IOException, InterruptedException {
        say("process %d in %s", assembly.pid(), assembly.home());
        say("resident at the start      %8.1f MiB", server.residentBytes() / KIB / KIB);
        try (Crowd first =
                new Crowd(assembly.listeners(), Math.min(WARM_UP, allocations), Assembly.USER, Assembly.PASSWORD)) {
            for (int i = 0; i < WARM_UPS; i++) {
                report(
                        "warm-up",
                        first.run(
                                WINDOW,
                                0,
                                seconds(LONG_LIFETIME_SECONDS),
                                Crowd.Step.CHALLENGE,
                                Crowd.Step.ALLOCATE,
                                Crowd.Step.PERMISSION,
                                Crowd.Step.CHANNEL,
                                Crowd.Step.REFRESH,
                                Crowd.Step.END),
                        0);
            }
        }
        assembly.collect();
        TimeUnit.SECONDS.sleep(5);
        residentBefore = server.residentBytes();
        say("resident warm, no calls    %8.1f MiB", residentBefore / KIB / KIB);
        double before = server.cpuSeconds();
        TimeUnit.SECONDS.sleep(20);
        idlePercent = (server.cpuSeconds() - before) / 20 * 100;
        say("CPU at rest, no calls      %8.2f %% of a core", idlePercent);
    }

    private void make() throws IOException, InterruptedException {
        double before = server.cpuSeconds();
        Assembly.Pauses pausesBefore = assembly.pauses();
        Crowd.Outcome outcome = crowd.run(
                WINDOW,
                0,
                seconds(LONG_LIFETIME_SECONDS),
                Crowd.Step.CHALLENGE,
                Crowd.Step.ALLOCATE,
                Crowd.Step.PERMISSION,
                Crowd.Step.CHANNEL);
        report("allocations", outcome, server.cpuSeconds() - before);
        report("while they were made", pausesBefore);
        resident("resident, as it is");
        assembly.collect();
        resident("resident, after a full collection");
    }

    private void resident(String what) throws IOException {
        long resident = server.residentBytes();
        say(
                "%-26s %8.1f MiB, %.2f KiB for each allocation above the warm base line",
                what, resident / KIB / KIB, (resident - residentBefore) / KIB / allocations);
    }

    private void rest(int seconds) throws IOException, InterruptedException {
        if (seconds == 0) {
            return;
        }
        TimeUnit.SECONDS.sleep(3);
        double before = server.cpuSeconds();
        TimeUnit.SECONDS.sleep(seconds);
        double percent = (server.cpuSeconds() - before) / seconds * 100;
        say(
                "CPU at rest                %8.2f %% of a core, %.4f %% for each 10,000 above the idle server",
                percent, (percent - idlePercent) / allocations * 10_000);
    }

    private void hold(int seconds) throws IOException {
        if (seconds == 0) {
            return;
        }
        double before = server.cpuSeconds();
        Assembly.Pauses pausesBefore = assembly.pauses();
        Crowd.Outcome outcome = crowd.run(
                WINDOW,
                (double) allocations / seconds,
                seconds(LONG_LIFETIME_SECONDS),
                Crowd.Step.REFRESH,
                Crowd.Step.PERMISSION,
                Crowd.Step.CHANNEL);
        report("refreshed, 3 requests each", outcome, server.cpuSeconds() - before);
        report("while they were refreshed", pausesBefore);
        before = server.cpuSeconds();
        outcome = crowd.run(WINDOW, 0, seconds(LONG_LIFETIME_SECONDS), Crowd.Step.REFRESH);
        report("refresh flat out", outcome, server.cpuSeconds() - before);
        resident("resident after that");
    }

    /** Whether nothing was lost and all have expired. */
    private boolean end(int rate) throws IOException, InterruptedException {
        EchoLoad.Settings settings = new EchoLoad.Settings(
                ClientTransport.UDP,
                assembly.listeners()[0],
                Assembly.USER,
                Assembly.PASSWORD,
                TRAFFIC_ALLOCATIONS,
                rate,
                160,
                false,
                InetAddress.getByAddress(new byte[] {127, 0, 3, 1}),
                Duration.ofSeconds(30));
        try (EchoLoad load = EchoLoad.open(settings)) {
            load.start();
            double refreshSeconds = (double) allocations / END_REFRESHES_PER_SECOND;
            long end = System.nanoTime() + (long) ((refreshSeconds + QUIET_SECONDS) * 1e9);
            // Whole seconds, rounded down: each deadline lies in the second before the end.
            report(
                    "refreshed for the end",
                    crowd.run(
                            WINDOW,
                            END_REFRESHES_PER_SECOND,
                            now -> (int) TimeUnit.NANOSECONDS.toSeconds(end - now),
                            Crowd.Step.REFRESH),
                    0);
            Assembly.Pauses pausesBefore = assembly.pauses();
            until(end - TimeUnit.SECONDS.toNanos(6));
            load.takeLatencyMicros();
            until(end - TimeUnit.SECONDS.toNanos(1));
            // Said when all is over: the processors are the server's.
            Histogram[] seconds = new Histogram[1 + AFTERMATH_SECONDS];
            double[] cpu = new double[1 + AFTERMATH_SECONDS];
            for (int i = 0; i <= AFTERMATH_SECONDS; i++) {
                until(end + TimeUnit.SECONDS.toNanos(i - 1));
                seconds[i] = load.takeLatencyMicros();
                cpu[i] = server.cpuSeconds();
            }
            say("round trips of %,d packets/s, 5 s before the end: %s", rate, text(seconds[0]));
            for (int i = 1; i <= AFTERMATH_SECONDS; i++) {
                say("   second %+d from the end: %s; server %.2f CPU-s", i - 1, text(seconds[i]), cpu[i] - cpu[i - 1]);
            }
            report("while they expired", pausesBefore);
            EchoLoad.Report report = load.stop();
            say(
                    "packets sent %d, delivered %d, lost %d, doubled %d, spoilt %d",
                    report.sent(), report.received(), report.lost(), report.duplicated(), report.corrupted());
            Crowd.Outcome gone = crowd.run(WINDOW, 0, seconds(0), Crowd.Step.END);
            say("still there: %d, answers to a Refresh of the others: %s", gone.done(), gone.errors());
            return report.lost() == 0 && gone.done() == 0;
        }
    }

    private static LongToIntFunction seconds(int seconds) {
        return now -> seconds;
    }

    private static void until(long nanos) throws InterruptedException {
        long left = nanos - System.nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
    }

    private static String text(Histogram micros) {
        return String.format(
                "%6d packets, p50 %d µs, p99 %d µs, p99.9 %d µs, max %d µs",
                micros.getTotalCount(),
                micros.getValueAtPercentile(50),
                micros.getValueAtPercentile(99),
                micros.getValueAtPercentile(99.9),
                micros.getMaxValue());
    }

    private static void report(String what, Crowd.Outcome outcome, double cpuSeconds) {
        say(
                "%-26s %8d in %.1f s (%.0f/s)%s, sent again %d, errors %s",
                what,
                outcome.done(),
                outcome.seconds(),
                outcome.done() / outcome.seconds(),
                cpuSeconds == 0
                        ? ""
                        : String.format(", %.2f CPU-s, %.0f per CPU-second", cpuSeconds, outcome.done() / cpuSeconds),
                outcome.sentAgain(),
                outcome.errors());
    }

    private void report(String what, Assembly.Pauses before) throws IOException {
        Assembly.Pauses now = assembly.pauses();
        say(
                "%-26s %8d collection pauses, %.1f ms together; longest since the start %.1f ms",
                what, now.count() - before.count(), now.sumMillis() - before.sumMillis(), now.longestMillis());
    }
}
