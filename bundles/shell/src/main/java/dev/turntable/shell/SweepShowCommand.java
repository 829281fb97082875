package dev.turntable.shell;

import dev.turntable.api.SweepInfo;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** What the expiry sweep of each worker did and how late it was. */
@Service
@Command(
        scope = "turn",
        name = "sweep-show",
        description =
                "Shows what the expiry sweep of each worker did since the start, how long it took and how late it was")
public final class SweepShowCommand extends Output {
    @Override
    void show(PrintStream out) throws Exception {
        List<SweepInfo> sweeps = turntable.server().sweeps().stream()
                .sorted(Comparator.comparingInt(SweepInfo::worker))
                .toList();
        if (json) {
            out.println(Json.of(sweeps));
            return;
        }
        Listing listing = new Listing()
                .number("Worker")
                .number("Allocations")
                .number("Permissions")
                .number("Channel bindings")
                .number("Passes")
                .number("Slices")
                .number("Examined")
                .number("Reaped allocations")
                .number("permissions")
                .number("channel bindings")
                .number("reservations")
                .number("Pass p99 [µs]")
                .number("max [µs]")
                .number("Slice p99 [µs]")
                .number("max [µs]")
                .number("Late p99 [ms]")
                .number("max [ms]");
        for (SweepInfo sweep : sweeps) {
            listing.row(
                    sweep.worker(),
                    sweep.liveAllocations(),
                    sweep.livePermissions(),
                    sweep.liveChannelBindings(),
                    sweep.passes(),
                    sweep.slices(),
                    sweep.examined(),
                    sweep.reapedAllocations(),
                    sweep.reapedPermissions(),
                    sweep.reapedChannelBindings(),
                    sweep.reapedReservations(),
                    sweep.passMicros().p99(),
                    sweep.passMicros().max(),
                    sweep.sliceMicros().p99(),
                    sweep.sliceMicros().max(),
                    sweep.latenessMillis().p99(),
                    sweep.latenessMillis().max());
        }
        listing.print(out, noFormat, "There is no worker");
    }
}
