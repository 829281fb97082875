package dev.turntable.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * CPU time of the process for each operation ({@code -prof dev.turntable.benchmarks.CpuTime}): a figure for machines that do other
 * work meanwhile. Collection and compilation are in it, and what a benchmark sets up for each invocation.
 */
public final class CpuTime implements InternalProfiler {
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long before;

    @Override
    public String getDescription() {
        return "CPU time of the process for each operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = process.getProcessCpuTime();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double nanos = process.getProcessCpuTime() - before;
        double each = nanos / Math.max(1, result.getMetadata().getAllOps());
        return List.of(new ScalarResult("cpu.norm", each, "ns/op", AggregationPolicy.AVG));
    }
}
