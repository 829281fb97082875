package dev.turntable.shell;

import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import dev.turntable.api.auth.TurnCredentials;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** A user and a password that end by themselves, and what a browser wants of them. */
@Service
@Command(
        scope = "turn",
        name = "credentials-create",
        description =
                "Makes a user and a password that expire, and the iceServers to paste into a browser's configuration")
public final class CredentialsCreateCommand extends Output {
    @Argument(name = "name", description = "Name of the user, without a colon; may be left out")
    String name = "";

    @Option(name = "-l", aliases = "--lifetime", description = "Seconds until they expire, 1 to 2592000 (30 days)")
    long lifetimeSeconds = 86400;

    @Option(
            name = "-u",
            aliases = "--url",
            description =
                    "URL for iceServers, such as turn:turn.example.org:3478?transport=udp; may be repeated. Without:"
                            + " the addresses at which the listeners are reached from this host",
            multiValued = true)
    List<String> urls;

    @Override
    void show(PrintStream out) throws Exception {
        TurnCredentials.Minted minted;
        try {
            minted = turntable.credentials().create(name, Duration.ofSeconds(lifetimeSeconds));
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw Turntable.refusal("No credentials were made: " + e.getMessage());
        }
        List<String> said = urls == null || urls.isEmpty() ? reachable() : urls;
        if (json) {
            Map<String, Object> ice = new LinkedHashMap<>();
            ice.put("urls", said);
            ice.put("username", minted.username());
            ice.put("credential", minted.password());
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("username", minted.username());
            all.put("password", minted.password());
            all.put("expiresAt", minted.expiresAt());
            all.put("iceServers", List.of(ice));
            out.println(Json.of(all));
            return;
        }
        new Fields()
                .add("Username", minted.username())
                .add("Password", minted.password())
                .add("Expires", minted.expiresAt())
                .print(out, noFormat);
        if (!noFormat) {
            out.println();
        }
        // On a line of its own, to be pasted.
        out.println(Text.of(minted.toIceServersJson(said)));
        if (said.isEmpty() && !noFormat) {
            out.println("No address is known to be reached by clients: name it with --url");
        }
    }

    /** RFC 7065 §3.1. What costs a client least stands first. */
    private List<String> reachable() {
        Listeners listeners = turntable.listeners;
        if (listeners == null) {
            return List.of();
        }
        Set<String> found = new LinkedHashSet<>();
        for (String protocol : List.of("udp", "tcp", "tls")) {
            for (ListenerInfo listener : listeners.list()) {
                if (serves(listener, protocol)) {
                    listeners.reachableAt(listener.name()).stream()
                            .filter(CredentialsCreateCommand::isForOthers)
                            .forEach(address -> found.add(url(protocol, address)));
                }
            }
        }
        return List.copyOf(found);
    }

    private static boolean serves(ListenerInfo listener, String protocol) {
        return listener.state() == ListenerInfo.State.LISTENING
                && List.of(listener.protocols().split(", ")).contains(protocol)
                && (!protocol.equals("tls") || listener.certificateDaysLeft() != ListenerInfo.NO_CERTIFICATE);
    }

    private static boolean isForOthers(InetSocketAddress address) {
        InetAddress ip = address.getAddress();
        return !ip.isLoopbackAddress() && !ip.isLinkLocalAddress();
    }

    private static String url(String protocol, InetSocketAddress address) {
        boolean secured = protocol.equals("tls");
        return (secured ? "turns:" : "turn:") + Text.address(address) + "?transport=" + (secured ? "tcp" : protocol);
    }
}
