package dev.turntable.state;

import dev.turntable.api.SweepInfo;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** Durations since the server started, in nanoseconds, to two digits. One thread records, without waiting; any reads. */
final class SharedHistogram {
    /** Longer ones count as this long: about 18 minutes. */
    private static final long LONGEST_NANOS = 1L << 40;

    /** Shorter than a microsecond is not told apart. */
    private static final long SHORTEST_NANOS = 256;

    private final SingleWriterRecorder recorder = new SingleWriterRecorder(SHORTEST_NANOS, LONGEST_NANOS, 2);
    private final Histogram total = new Histogram(SHORTEST_NANOS, LONGEST_NANOS, 2);
    private Histogram interval;

    /** The owning thread. */
    void record(long nanos) {
        recorder.recordValue(Math.max(0, Math.min(nanos, LONGEST_NANOS)));
    }

    /** Any thread. */
    synchronized SweepInfo.Quantiles quantiles(double nanosPerUnit) {
        interval = recorder.getIntervalHistogram(interval);
        total.add(interval);
        return new SweepInfo.Quantiles(
                total.getValueAtPercentile(50) / nanosPerUnit,
                total.getValueAtPercentile(99) / nanosPerUnit,
                total.getMaxValue() / nanosPerUnit);
    }
}
