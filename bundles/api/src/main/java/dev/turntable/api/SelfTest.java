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

    /** What came of a call. */
    enum Outcome {
        PASSED,
        FAILED,
        /** The client of the self-test does not speak that protocol, or the listener is {@code WAITING}. */
        NOT_TESTED
    }

    /**
     * What came of it over one protocol at one address.
     *
     * @param protocol such as {@code udp}; all of the listener's where the listener itself is the problem
     * @param serverAddress empty where no call was made
     * @param steps what was done, in order, with the time each took; the last is the one that failed where it {@code FAILED}
     * @param problem what failed or why it was not tested, in words; empty where it passed
     */
    record Result(
            String listener,
            String protocol,
            String serverAddress,
            Outcome outcome,
            List<Step> steps,
            String problem) {}

    /** One exchange. */
    record Step(String name, double millis) {}
}
