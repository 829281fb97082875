package dev.turntable.relay;

import com.code_intelligence.jazzer.junit.FuzzTest;

/**
 * Coverage-guided fuzzing of the engine, before and after authentication: strangers, users whose damaged messages are signed all the
 * same, peers, time, retransmissions, slow sources and other engines, in any order. In an ordinary build it runs the seeds and what was
 * found before (EngineFuzzTestInputs). To search, from the root of the project, for as long as the annotation allows:
 *
 * <pre>JAZZER_FUZZ=1 mvn -pl bundles/relay -am test -Dtest=EngineFuzzTest -Djazzer.hooks=true -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
class EngineFuzzTest {
    @FuzzTest(maxDuration = "30m")
    void keepsOrderAndLeavesNothing(byte[] input) {
        FuzzedBytes fuzz = new FuzzedBytes(input);
        FuzzedCalls calls = new FuzzedCalls(fuzz);
        for (int steps = 0; steps < 200 && !fuzz.isEmpty(); steps++) {
            calls.step();
        }
        calls.end();
    }
}
