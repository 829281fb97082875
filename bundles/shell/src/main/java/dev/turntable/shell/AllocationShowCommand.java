package dev.turntable.shell;

import dev.turntable.api.AllocationId;
import dev.turntable.api.AllocationInfo;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.CommandException;

/** One allocation with its permissions and channel bindings. */
@Service
@Command(
        scope = "turn",
        name = "allocation-show",
        description = "Shows one allocation with its permissions and channel bindings")
public final class AllocationShowCommand extends Output {
    @Argument(name = "id", description = "Id of the allocation, such as 0-1f", required = true)
    @Completion(AllocationIds.class)
    String id;

    @Override
    void show(PrintStream out) throws Exception {
        AllocationInfo allocation = turntable.allocations().find(parse(id)).orElse(null);
        if (allocation == null) {
            throw Turntable.refusal("There is no allocation " + id);
        }
        if (json) {
            out.println(Json.of(allocation));
            return;
        }
        Fields fields = new Fields()
                .add("ID", allocation.id())
                .add("User", allocation.username())
                .add("Realm", allocation.realm())
                .add("Transport", allocation.transport())
                .add("Client address", allocation.clientAddress())
                .add("Server address", allocation.serverAddress());
        for (AllocationInfo.Relayed relayed : allocation.relayedAddresses()) {
            fields.add(
                    "Relayed address",
                    Text.address(relayed.relayedAddress()) + ", bound to " + Text.address(relayed.localAddress())
                            + ", lifetime " + relayed.lifetimeSeconds() + " s");
        }
        fields.add("Age [s]", allocation.ageSeconds())
                .add("From client", traffic(allocation.fromClient()))
                .add("From peers", traffic(allocation.fromPeers()))
                .print(out, noFormat);
        Listing permissions = new Listing().text("Permission for peer").number("Lifetime [s]");
        List<AllocationInfo.Permission> sortedPermissions = allocation.permissions().stream()
                .sorted(Comparator.comparing(AllocationInfo.Permission::peerAddress))
                .toList();
        sortedPermissions.forEach(one -> permissions.row(one.peerAddress(), one.lifetimeSeconds()));
        out.println();
        permissions.print(out, noFormat, "There is no permission");
        Listing channels =
                new Listing().text("Channel number").text("Peer address").number("Lifetime [s]");
        allocation.channelBindings().stream()
                .sorted(Comparator.comparingInt(AllocationInfo.ChannelBinding::channelNumber))
                .forEach(one -> channels.row(
                        String.format(Locale.ROOT, "0x%04x", one.channelNumber()),
                        one.peerAddress(),
                        one.lifetimeSeconds()));
        out.println();
        channels.print(out, noFormat, "There is no channel binding");
    }

    private static String traffic(AllocationInfo.Traffic traffic) {
        return traffic.packets() + " packets, " + traffic.bytes() + " bytes";
    }

    static AllocationId parse(String id) throws CommandException {
        try {
            return AllocationId.parse(id);
        } catch (IllegalArgumentException e) {
            throw Turntable.refusal(
                    "Not an allocation id: " + Text.escaped(id) + " (such as 0-1f, see turn:allocation-list)");
        }
    }
}
