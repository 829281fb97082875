package dev.turntable.state;

import dev.turntable.api.AddressText;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/** What an operator should look at, each one sentence. Any thread. */
final class Warnings {
    private final ServerState server;
    /** Open files that the process may have; {@link Long#MAX_VALUE} where that cannot be told. */
    private final long descriptorLimit = descriptorLimit();

    /** By the part that has it. */
    private final Map<String, String> problems = new ConcurrentSkipListMap<>();

    Warnings(ServerState server) {
        this.server = server;
    }

    /** Empty where there is none. Returns whether it was another before. */
    boolean setProblem(String part, String problem) {
        String before = problem.isEmpty() ? problems.remove(part) : problems.put(part, problem);
        return !problem.equals(before == null ? "" : before);
    }

    List<String> now() {
        ServerConfiguration configuration = server.configuration();
        List<String> warnings = new ArrayList<>();
        addPrivate(warnings, "IPv4", configuration.relayedIPv4(), configuration.externalIPv4());
        addPrivate(warnings, "IPv6", configuration.relayedIPv6(), configuration.externalIPv6());
        int ports = server.ports().capacity(false) + server.ports().capacity(true);
        if (!configuration.sharedSockets() && descriptorLimit < ports) {
            warnings.add("the process may open " + descriptorLimit + " files, fewer than the " + ports
                    + " relayed ports: raise the limit (ulimit -n, LimitNOFILE)");
        }
        if (server.engineSlot().isAbsentTooLong(server.nanos())) {
            warnings.add(
                    "no relay engine: reading is paused; start the relay bundle, and see that dev.turntable.relay.cfg is there");
        }
        warnings.addAll(problems.values());
        warnings.addAll(server.credentialSources().problems());
        return warnings;
    }

    private static void addPrivate(List<String> warnings, String family, InetAddress local, InetAddress external) {
        if (local != null && external == null && LocalAddresses.isPrivate(local)) {
            warnings.add("the relayed address " + AddressText.of(local)
                    + " is private: peers elsewhere do not reach it; set externalAddress" + family
                    + " where there is a mapping");
        }
    }

    private static long descriptorLimit() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/limits"))) {
            return lines.filter(line -> line.startsWith("Max open files"))
                    .map(line -> new StringTokenizer(line.substring("Max open files".length())).nextToken())
                    .filter(soft -> !soft.equals("unlimited"))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
        } catch (IOException | RuntimeException e) {
            return Long.MAX_VALUE;
        }
    }
}
