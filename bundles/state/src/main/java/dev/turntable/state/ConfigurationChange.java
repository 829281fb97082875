package dev.turntable.state;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** What of a changed configuration applies while calls go on, and what would end them and waits. */
final class ConfigurationChange {
    private ConfigurationChange() {}

    /** The new values where they apply at once, the old ones elsewhere. */
    static ServerConfiguration applied(ServerConfiguration now, ServerConfiguration wanted) {
        return new ServerConfiguration(
                now.workers(),
                now.relayedIPv4(),
                now.relayedIPv6(),
                wanted.externalIPv4(),
                wanted.externalIPv6(),
                now.relayedPortMin(),
                now.relayedPortMax(),
                now.sharedSockets(),
                now.sharedSocketsPerWorker(),
                now.sharedPortBase(),
                wanted.maxAllocationsPerWorker(),
                now.receiveBufferBytes(),
                now.relayedReceiveBufferBytes(),
                now.ioTransport(),
                now.udpSegmentation(),
                wanted.swapWaitMillis(),
                wanted.engineAbsentWarnSeconds(),
                wanted.credentialWaitMillis(),
                wanted.maxWaitingRequests(),
                wanted.peerQueueBytes());
    }

    /** One sentence that names the keys that wait for a restart; empty where none does. */
    static String waitingForRestart(ServerConfiguration now, ServerConfiguration wanted) {
        Map<String, Object> before = atRestart(now);
        String keys = atRestart(wanted).entrySet().stream()
                .filter(value -> !Objects.equals(value.getValue(), before.get(value.getKey())))
                .map(Map.Entry::getKey)
                .collect(Collectors.joining(", "));
        return keys.isEmpty() ? "" : "changed configuration takes effect at restart: " + keys;
    }

    private static Map<String, Object> atRestart(ServerConfiguration configuration) {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("workers", configuration.workers());
        values.put("relayedAddressIPv4", configuration.relayedIPv4());
        values.put("relayedAddressIPv6", configuration.relayedIPv6());
        values.put("relayedPortMin", configuration.relayedPortMin());
        values.put("relayedPortMax", configuration.relayedPortMax());
        values.put("relayedSockets", configuration.sharedSockets());
        values.put("sharedSocketsPerWorker", configuration.sharedSocketsPerWorker());
        values.put("sharedPortBase", configuration.sharedPortBase());
        values.put("receiveBufferBytes", configuration.receiveBufferBytes());
        values.put("relayedReceiveBufferBytes", configuration.relayedReceiveBufferBytes());
        values.put("ioTransport", configuration.ioTransport());
        values.put("udpSegmentation", configuration.udpSegmentation());
        return values;
    }
}
