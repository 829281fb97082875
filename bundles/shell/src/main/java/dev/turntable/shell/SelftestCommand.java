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
        long failed = count(results, SelfTest.Outcome.FAILED);
        long tested = failed + count(results, SelfTest.Outcome.PASSED);
        if (failed > 0) {
            throw Turntable.refusal(failed + " of " + tested + " self-tests failed");
        }
        if (tested == 0) {
            throw Turntable.refusal("Nothing was tested: "
                    + (results.isEmpty()
                            ? "no listener is configured"
                            : results.get(0).problem()));
        }
    }

    private static long count(List<SelfTest.Result> results, SelfTest.Outcome outcome) {
        return results.stream().filter(result -> result.outcome() == outcome).count();
    }

    private static String said(SelfTest.Result result) {
        return switch (result.outcome()) {
            case PASSED -> "ok";
            case FAILED -> "FAILED: " + result.problem();
            case NOT_TESTED -> "not tested: " + result.problem();
        };
    }

    private static Listing table(List<SelfTest.Result> results) {
        Listing listing = new Listing()
                .text("Listener")
                .text("Protocol")
                .text("Server address")
                .text("Step")
                .number("Time [ms]")
                .text("Result");
        for (SelfTest.Result result : results) {
            List<SelfTest.Step> steps = result.steps();
            for (int i = 0; i < steps.size(); i++) {
                listing.row(
                        result.listener(),
                        result.protocol(),
                        result.serverAddress(),
                        steps.get(i).name(),
                        steps.get(i).millis(),
                        i == steps.size() - 1 ? said(result) : "ok");
            }
            if (steps.isEmpty()) {
                listing.row(result.listener(), result.protocol(), result.serverAddress(), "", "", said(result));
            }
        }
        return listing;
    }
}
