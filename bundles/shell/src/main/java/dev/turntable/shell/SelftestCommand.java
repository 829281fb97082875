package dev.turntable.shell;

import dev.turntable.api.SelfTest;
import java.io.PrintStream;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** A real call through each listener. Fails when one failed, so that a script notices. */
@Service
@Command(
        scope = "turn",
        name = "selftest",
        description = "Makes a real call through each listener, between two allocations of this server")
public final class SelftestCommand extends Output {
    @Argument(name = "listener", description = "Name of one listener; all without")
    @Completion(ListenerNames.class)
    String listener;

    @Override
    void show(PrintStream out) throws Exception {
        List<SelfTest.Result> results = turntable.selfTest().run(listener);
        if (json) {
            out.println(Json.of(results));
        } else {
            table(results).print(out, noFormat, "No listener is configured");
        }
        long failed = results.stream().filter(result -> !result.passed()).count();
        if (failed > 0) {
            throw Turntable.refusal(failed + " of " + results.size() + " self-tests failed");
        }
        if (results.isEmpty()) {
            throw Turntable.refusal("Nothing was tested: no listener is configured");
        }
    }

    private static Listing table(List<SelfTest.Result> results) {
        Listing listing = new Listing()
                .text("Listener")
                .text("Server address")
                .text("Step")
                .number("Time [ms]")
                .text("Result");
        for (SelfTest.Result result : results) {
            List<SelfTest.Step> steps = result.steps();
            for (int i = 0; i < steps.size(); i++) {
                boolean failed = !result.passed() && i == steps.size() - 1;
                listing.row(
                        result.listener(),
                        result.serverAddress(),
                        steps.get(i).name(),
                        steps.get(i).millis(),
                        failed ? "FAILED: " + result.problem() : "ok");
            }
            if (steps.isEmpty()) {
                listing.row(
                        result.listener(),
                        result.serverAddress(),
                        "",
                        "",
                        result.passed() ? "ok" : "FAILED: " + result.problem());
            }
        }
        return listing;
    }
}
