package dev.turntable.shell;

import dev.turntable.api.EngineInfo;
import java.io.PrintStream;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** The swaps there were. */
@Service
@Command(
        scope = "turn",
        name = "engine-list",
        description = "Lists the relay engines since the start, the newest first")
public final class EngineListCommand extends Output {
    @Override
    void show(PrintStream out) throws Exception {
        List<EngineInfo> engines = turntable.server().engines();
        if (json) {
            out.println(Json.of(engines));
            return;
        }
        Listing listing = new Listing()
                .text("Version")
                .number("Bundle")
                .text("Since")
                .text("Current")
                .number("Swaps")
                .number("Gap [ms]");
        for (EngineInfo engine : engines) {
            listing.row(
                    engine.version(),
                    engine.bundleId(),
                    engine.since(),
                    engine.current() ? "yes" : "no",
                    engine.swaps(),
                    engine.gapMillis());
        }
        listing.print(out, noFormat, "There was no engine yet: reading is paused");
    }
}
