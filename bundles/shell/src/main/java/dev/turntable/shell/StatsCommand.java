package dev.turntable.shell;

import java.io.PrintStream;
import java.util.SortedMap;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** The counters of the server. */
@Service
@Command(scope = "turn", name = "stats", description = "Shows the counters of the server since the start")
public final class StatsCommand extends Output {
    @Override
    void show(PrintStream out) throws Exception {
        SortedMap<String, Long> counters = turntable.server().counters();
        if (json) {
            out.println(Json.of(counters));
            return;
        }
        Listing listing = new Listing().text("Counter").number("Value");
        counters.forEach(listing::row);
        listing.print(out, noFormat, "Nothing was counted yet");
    }
}
