package dev.turntable.shell;

import dev.turntable.api.ListenerInfo;
import java.io.PrintStream;
import java.util.List;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** The configured listeners, also those that cannot listen. */
@Service
@Command(scope = "turn", name = "listener-list", description = "Lists the configured listeners and how they fare")
public final class ListenerListCommand extends Output {
    @Override
    void show(PrintStream out) throws Exception {
        List<ListenerInfo> listeners = turntable.listeners().list();
        if (json) {
            out.println(Json.of(listeners));
            return;
        }
        Listing listing = new Listing()
                .text("Name")
                .text("Protocols")
                .text("Address")
                .text("State")
                .number("Sockets")
                .text("I/O")
                .number("Receive buffer [bytes]")
                .number("Client packets")
                .number("Connections")
                .number("Certificate [days left]")
                .text("Problem");
        for (ListenerInfo listener : listeners) {
            listing.row(
                    listener.name(),
                    listener.protocols(),
                    listener.address(),
                    listener.state(),
                    listener.sockets(),
                    listener.ioTransport(),
                    listener.receiveBufferBytes(),
                    listener.clientPackets(),
                    listener.connections(),
                    listener.certificateDaysLeft() == ListenerInfo.NO_CERTIFICATE ? "" : listener.certificateDaysLeft(),
                    listener.problem());
        }
        listing.print(out, noFormat, "No listener is configured");
    }
}
