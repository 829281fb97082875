package dev.turntable.state;

import dev.turntable.api.EngineInfo;
import java.util.ArrayList;
import java.util.List;

/** Engines that were in the slot: versions and numbers, never an engine itself. Written under the slot's lock, read by any thread. */
final class EngineHistory {
    private static final int MOST = 32;

    private volatile List<EngineInfo> newestFirst = List.of();

    List<EngineInfo> newestFirst() {
        return newestFirst;
    }

    /** The engine in the slot, or null. */
    EngineInfo current() {
        EngineInfo newest = newest();
        return newest != null && newest.current() ? newest : null;
    }

    /** The last one that was in the slot, or null. */
    EngineInfo newest() {
        List<EngineInfo> all = newestFirst;
        return all.isEmpty() ? null : all.get(0);
    }

    void add(EngineInfo engine) {
        List<EngineInfo> all = new ArrayList<>();
        all.add(engine);
        for (EngineInfo before : newestFirst) {
            if (all.size() < MOST) {
                all.add(ended(before));
            }
        }
        newestFirst = List.copyOf(all);
    }

    void endCurrent() {
        newestFirst = newestFirst.stream().map(EngineHistory::ended).toList();
    }

    private static EngineInfo ended(EngineInfo engine) {
        return engine.current()
                ? new EngineInfo(
                        engine.version(), engine.bundleId(), engine.since(), false, engine.swaps(), engine.gapMillis())
                : engine;
    }
}
