package dev.turntable.api;

import java.util.List;
import java.util.SortedMap;

/** The server as a whole, for management. Any thread. */
public interface Server {
    /** The server in a few lines. */
    ServerInfo info();

    /** Engines since the server started, the newest first; at most 32. */
    List<EngineInfo> engines();

    /** What the sweep did, one record for each worker. */
    List<SweepInfo> sweeps();

    /** Counters of the whole server by name; names of drops begin with {@code drop.}. They only grow. */
    SortedMap<String, Long> counters();
}
