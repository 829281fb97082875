package dev.turntable.api;

/**
 * The expiry sweep of one worker since the server started.
 *
 * @param passes whole walks over the deadlines
 * @param slices pieces in which they were done
 * @param examined deadlines looked at
 */
public record SweepInfo(
        int worker,
        int liveAllocations,
        int livePermissions,
        int liveChannelBindings,
        long passes,
        long slices,
        long examined,
        long reapedAllocations,
        long reapedPermissions,
        long reapedChannelBindings,
        long reapedReservations,
        Quantiles passMicros,
        Quantiles sliceMicros,
        Quantiles latenessMillis) {
    /** Of a histogram since start. */
    public record Quantiles(double p50, double p99, double max) {}
}
