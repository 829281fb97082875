package dev.turntable.shell;

import dev.turntable.api.AllocationInfo;
import dev.turntable.api.Allocations;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes the ids of live allocations. */
@Service
public final class AllocationIds implements Completer {
    @Reference
    Turntable turntable;

    @Override
    public int complete(Session session, CommandLine commandLine, List<String> candidates) {
        StringsCompleter ids = new StringsCompleter();
        Allocations allocations = turntable.allocations;
        if (allocations != null) {
            for (AllocationInfo allocation : allocations.list()) {
                ids.getStrings().add(allocation.id().toString());
            }
        }
        return ids.complete(session, commandLine, candidates);
    }
}
