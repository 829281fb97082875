package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PortPoolTest {
    private static PortPool pool(int first, int last) {
        return new PortPool(Platter.configuration(first, last, false));
    }

    @Tag("RFC8656§7.2")
    @ParameterizedTest
    @CsvSource({"50000, 50099", "50001, 50100", "50000, 50000", "65500, 65535"})
    void givesEachPortOfTheRangeOnceAndAgainWhenAllAreFree(int first, int last) {
        PortPool pool = pool(first, last);
        for (int round = 0; round < 3; round++) {
            Set<Integer> taken = new TreeSet<>();
            for (int i = 0; i < last - first + 1; i++) {
                assertTrue(taken.add(pool.take(false)), "a port came twice");
            }
            assertEquals(PortPool.NONE, pool.take(false));
            assertEquals(PortPool.NONE, pool.takeEven(false));
            assertEquals(first, Collections.min(taken));
            assertEquals(last, Collections.max(taken));
            assertEquals(taken.size(), pool.inUse());
            taken.forEach(port -> pool.free(false, port));
            assertEquals(0, pool.inUse());
        }
    }

    @Test
    void theFamiliesDoNotShareTheirPorts() {
        PortPool pool = pool(50000, 50000);
        assertEquals(50000, pool.take(false));
        assertEquals(50000, pool.take(true));
        assertEquals(PortPool.NONE, pool.take(true));
        assertEquals(2, pool.inUse());
        pool.free(true, 50000);
        assertEquals(PortPool.NONE, pool.take(false));
    }

    @Tag("RFC8656§18.7")
    @Test
    void aPairIsAnEvenPortAndTheOneAbove() {
        PortPool pool = pool(50001, 50006);
        Set<Integer> lower = new HashSet<>();
        lower.add(pool.takePair(false));
        lower.add(pool.takePair(false));
        assertEquals(Set.of(50002, 50004), lower);
        assertEquals(PortPool.NONE, pool.takePair(false));
        assertEquals(50006, pool.takeEven(false));
        assertEquals(PortPool.NONE, pool.takeEven(false));
        assertEquals(50001, pool.take(false));
        assertEquals(PortPool.NONE, pool.take(false));
    }

    @Tag("RFC8656§18.7")
    @Test
    void aPairIsWholeAgainWhenBothOfItsPortsCameBack() {
        PortPool pool = pool(50000, 50001);
        assertEquals(50000, pool.takePair(false));
        pool.free(false, 50001);
        assertEquals(PortPool.NONE, pool.takePair(false));
        pool.free(false, 50000);
        assertEquals(50000, pool.takePair(false));
    }

    @Test
    void aPortThatIsFreeOrOfNoRangeIsNotGivenBackTwice() {
        PortPool pool = pool(50000, 50001);
        pool.free(false, 50000);
        pool.free(false, 49999);
        pool.free(false, 50002);
        assertEquals(0, pool.inUse());
        assertNotEquals(PortPool.NONE, pool.take(false));
        assertNotEquals(PortPool.NONE, pool.take(false));
        assertEquals(PortPool.NONE, pool.take(false));
    }

    @Test
    void aPortIsLiveWhileASocketOfAnAllocationIsBoundToIt() {
        Platter platter = new Platter();
        Allocation allocation = platter.newAllocation();
        int reserved = platter.server.ports().take(false);
        int port =
                platter.relay(allocation, false, Long.MAX_VALUE).localAddress().getPort();
        assertTrue(platter.server.ports().isLive(false, port));
        assertFalse(platter.server.ports().isLive(true, port));
        assertFalse(platter.server.ports().isLive(false, reserved));
        platter.worker.delete(allocation, ReapReason.REFRESH_ZERO);
        assertFalse(platter.server.ports().isLive(false, port));
    }

    /** RFC 6056 §3: a fixed or counting order would show as equal rounds, or as equal steps. */
    @Tag("RFC6056")
    @Test
    void theOrderCannotBeForetold() {
        PortPool pool = pool(49152, 65535);
        List<Integer> rounds = new ArrayList<>();
        Set<Integer> steps = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            rounds.add(pool.take(false));
            if (i > 0) {
                steps.add(rounds.get(i) - rounds.get(i - 1));
            }
        }
        assertTrue(steps.size() > 5_000, "steps between ports: " + steps.size());
        long lowerHalf =
                rounds.subList(0, 1_000).stream().filter(port -> port < 57344).count();
        assertTrue(lowerHalf > 350 && lowerHalf < 650, "of 1000 in the lower half: " + lowerHalf);
    }

    @Test
    void aFamilyThatIsNotServedHasNoPorts() {
        ServerConfiguration both = Platter.configuration(50000, 50099, false);
        PortPool pool = new PortPool(new ServerConfiguration(
                1,
                both.relayedIPv4(),
                null,
                null,
                null,
                50000,
                50099,
                false,
                1,
                40000,
                10,
                0,
                0,
                "auto",
                true,
                1,
                1,
                1,
                1,
                1));
        assertEquals(100, pool.capacity(false));
        assertEquals(0, pool.capacity(true));
        assertEquals(PortPool.NONE, pool.take(true));
        assertEquals(PortPool.NONE, pool.takePair(true));
    }
}
