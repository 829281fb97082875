package dev.turntable.api;

import java.time.Instant;

/**
 * A relay engine that is or was in the slot.
 *
 * @param version of its bundle
 * @param bundleId of its bundle; -1 outside a framework
 * @param since when it took the slot
 * @param current whether it is the one that judges packets now
 * @param swaps engines that were in the slot before it since the server started
 * @param gapMillis time without an engine before it took the slot; 0 where it took over side by side
 */
public record EngineInfo(String version, long bundleId, Instant since, boolean current, int swaps, double gapMillis) {}
