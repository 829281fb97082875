package dev.turntable.shell;

import dev.turntable.api.AllocationId;
import dev.turntable.api.Allocations;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends allocations, and the calls over them. Asks first; where nobody can be asked it wants {@code -f}. */
@Service
@Command(scope = "turn", name = "allocation-delete", description = "Ends allocations at once, and the calls over them")
public final class AllocationDeleteCommand implements Action {
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");

    @Reference
    Turntable turntable;

    @Reference
    Session session;

    @Option(name = "-f", aliases = "--force", description = "Do not ask")
    boolean force;

    @Argument(name = "ids", description = "Ids of the allocations, such as 0-1f", required = true, multiValued = true)
    @Completion(AllocationIds.class)
    List<String> ids;

    @Override
    public Object execute() throws Exception {
        List<AllocationId> parsed = new ArrayList<>();
        for (String id : ids) {
            parsed.add(AllocationShowCommand.parse(id));
        }
        Allocations allocations = turntable.allocations();
        if (!force && !confirmed(parsed)) {
            throw Turntable.refusal("Nothing was deleted");
        }
        List<AllocationId> missing = new ArrayList<>();
        for (AllocationId id : parsed) {
            if (allocations.delete(id)) {
                AUDIT.info("allocation {} deleted by {}", id, Text.of(session.get("USER")));
                System.out.println("Deleted " + id);
            } else {
                missing.add(id);
            }
        }
        if (!missing.isEmpty()) {
            throw Turntable.refusal("There is no allocation "
                    + String.join(
                            ", ", missing.stream().map(AllocationId::toString).toList()));
        }
        return null;
    }

    private boolean confirmed(List<AllocationId> parsed) throws CommandException {
        String which = parsed.size() == 1 ? "allocation " + parsed.get(0) : parsed.size() + " allocations";
        String answer;
        try {
            answer = session.readLine("End " + which + " and the calls over it (yes/no)? ", null);
        } catch (IOException | UnsupportedOperationException e) {
            answer = null;
        }
        if (answer == null) {
            throw Turntable.refusal("Nobody is there to be asked: say -f to delete " + which);
        }
        String said = answer.strip().toLowerCase(Locale.ROOT);
        return said.equals("y") || said.equals("yes");
    }
}
