package dev.turntable.api;

import java.util.List;

/**
 * The server in a few lines.
 *
 * <p>While the configuration of the server is refused there are no workers, and a warning says why; the rest is empty.
 *
 * @param version of the {@code state} bundle
 * @param warnings what an operator should look at, each one sentence
 * @param relayedAddresses local address and, behind {@code →}, the external one where they differ
 * @param engine the engine that judges packets now; null while there is none and reading is paused
 */
public record ServerInfo(
        String version,
        long uptimeSeconds,
        int workers,
        String ioTransport,
        String relayedSockets,
        List<String> relayedAddresses,
        int relayedPortMin,
        int relayedPortMax,
        int relayedPortsInUse,
        int allocations,
        int permissions,
        int channelBindings,
        EngineInfo engine,
        List<String> credentialSources,
        List<String> warnings) {}
