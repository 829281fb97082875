package dev.turntable.shell;

import dev.turntable.api.EngineInfo;
import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import dev.turntable.api.ServerInfo;
import java.io.PrintStream;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** The server in a few lines, and what somebody should look at. */
@Service
@Command(scope = "turn", name = "info", description = "Shows the server and what an operator should look at")
public final class InfoCommand extends Output {
    @Override
    void show(PrintStream out) throws Exception {
        ServerInfo info = turntable.server().info();
        if (json) {
            out.println(Json.of(info));
            return;
        }
        Fields fields = new Fields().add("Version", info.version());
        if (info.workers() > 0) {
            running(fields, info);
        } else {
            fields.add("Server", "not running");
        }
        info.warnings().forEach(warning -> fields.add("WARNING", warning));
        fields.print(out, noFormat);
    }

    private void running(Fields fields, ServerInfo info) {
        fields.add("Uptime [s]", info.uptimeSeconds())
                .add("Engine", engine(info.engine()))
                .add("Listeners", listeners())
                .add("Workers", info.workers())
                .add("I/O", info.ioTransport())
                .add("Relayed sockets", info.relayedSockets())
                .add("Relayed addresses", String.join(", ", info.relayedAddresses()))
                .add(
                        "Relayed ports",
                        info.relayedPortMin() + "-" + info.relayedPortMax() + ", " + info.relayedPortsInUse()
                                + " in use")
                .add("Allocations", info.allocations())
                .add("Permissions", info.permissions())
                .add("Channel bindings", info.channelBindings())
                .add(
                        "Credential sources",
                        info.credentialSources().isEmpty()
                                ? "none: TURN is refused, Binding is served"
                                : String.join(", ", info.credentialSources()));
    }

    private static String engine(EngineInfo engine) {
        return engine == null
                ? "none: reading is paused, clients wait"
                : engine.version() + " of bundle " + engine.bundleId() + " since " + engine.since();
    }

    private String listeners() {
        Listeners known = turntable.listeners;
        if (known == null) {
            return "none: the service of bundle dev.turntable.transport is away";
        }
        List<ListenerInfo> all = known.list();
        long listening = all.stream()
                .filter(listener -> listener.state() == ListenerInfo.State.LISTENING)
                .count();
        return all.size() + ", " + listening + " of them listening";
    }
}
