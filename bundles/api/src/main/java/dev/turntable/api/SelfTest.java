package dev.turntable.api;

import java.util.List;

/** A real call through every listener, between two allocations of this server. */
public interface SelfTest {
    /**
     * Runs it and waits for the end, at most 10 seconds for each listener. Any thread but a worker's.
     *
     * @param listener name of one listener, or null for all
     */
    List<Result> run(String listener);

    /**
     * What came of it.
     *
     * @param steps what was done, in order, with the time each took; the last is the one that failed where {@code passed} is
     *     false
     * @param problem what failed, in words; empty where nothing did
     */
    record Result(String listener, String serverAddress, boolean passed, List<Step> steps, String problem) {}

    /** One exchange. */
    record Step(String name, double millis) {}
}
