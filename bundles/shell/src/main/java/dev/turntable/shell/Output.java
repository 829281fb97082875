package dev.turntable.shell;

import java.io.PrintStream;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.support.CommandException;

/** A command that shows something, in the three forms that all of them have. */
abstract class Output implements Action {
    @Reference
    Turntable turntable;

    @Option(name = "--no-format", description = "Values between tabs, without headers; nothing is cut")
    boolean noFormat;

    @Option(name = "--json", description = "JSON, with the names and units of the management services")
    boolean json;

    @Override
    public final Object execute() throws Exception {
        show(System.out);
        return null;
    }

    /**
     * Prints to {@code out}, which the shell may have piped on.
     *
     * @throws CommandException with what the operator has to know
     */
    abstract void show(PrintStream out) throws Exception;
}
