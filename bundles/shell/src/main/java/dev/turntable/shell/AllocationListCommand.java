package dev.turntable.shell;

import dev.turntable.api.AllocationInfo;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** The live allocations. */
@Service
@Command(scope = "turn", name = "allocation-list", description = "Lists the live allocations")
public final class AllocationListCommand extends Output {
    @Override
    void show(PrintStream out) throws Exception {
        List<AllocationInfo> allocations = turntable.allocations().list();
        if (json) {
            out.println(Json.of(allocations));
            return;
        }
        Listing listing = new Listing()
                .text("ID")
                .text("User")
                .text("Transport")
                .text("Client address")
                .text("Relayed addresses")
                .number("Lifetime [s]")
                .number("Age [s]")
                .number("Permissions")
                .number("Channel bindings")
                .number("From client [packets]")
                .number("From client [bytes]")
                .number("From peers [packets]")
                .number("From peers [bytes]");
        for (AllocationInfo allocation : allocations) {
            List<AllocationInfo.Relayed> relayed = allocation.relayedAddresses();
            listing.row(
                    allocation.id(),
                    allocation.username(),
                    allocation.transport(),
                    allocation.clientAddress(),
                    relayed.stream()
                            .map(one -> Text.address(one.relayedAddress()))
                            .collect(Collectors.joining(", ")),
                    relayed.stream()
                            .mapToLong(AllocationInfo.Relayed::lifetimeSeconds)
                            .max()
                            .orElse(0),
                    allocation.ageSeconds(),
                    allocation.permissionCount(),
                    allocation.channelBindingCount(),
                    allocation.fromClient().packets(),
                    allocation.fromClient().bytes(),
                    allocation.fromPeers().packets(),
                    allocation.fromPeers().bytes());
        }
        listing.print(out, noFormat, "There is no allocation");
    }
}
