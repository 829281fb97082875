package dev.turntable.shell;

import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;

/** Completes the names of configured listeners. */
@Service
public final class ListenerNames implements Completer {
    @Reference
    Turntable turntable;

    @Override
    public int complete(Session session, CommandLine commandLine, List<String> candidates) {
        StringsCompleter names = new StringsCompleter();
        Listeners listeners = turntable.listeners;
        if (listeners != null) {
            for (ListenerInfo listener : listeners.list()) {
                names.getStrings().add(listener.name());
            }
        }
        return names.complete(session, commandLine, candidates);
    }
}
