package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RFC8656§5")
class NonceKeysTest {
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private final NonceKeys keys = new NonceKeys();

    @Test
    void aKeyMakesNoncesForAnHourAndVerifiesThemForAnHourMore() {
        int number = keys.currentNumber(0);
        byte[] key = keys.key(number, 0);
        assertEquals(32, key.length);
        assertEquals(number, keys.currentNumber(HOUR - 1));
        assertEquals(number + 1, keys.currentNumber(HOUR));
        assertSame(key, keys.key(number, 2 * HOUR - 1));
        assertNull(keys.key(number, 2 * HOUR));
        assertNull(keys.key(number + 5, 2 * HOUR));
        assertNull(keys.key(-1, 0));
    }

    @Test
    void afterAnHourInWhichNobodyAskedTheKeyBeforeIsTooOld() {
        int number = keys.currentNumber(0);
        assertEquals(number + 3, keys.currentNumber(3 * HOUR));
        assertNull(keys.key(number + 2, 3 * HOUR));
        assertNull(keys.key(number, 3 * HOUR));
    }

    @Test
    void aWorkerWhoseClockIsLateStillFindsItsKey() {
        int number = keys.currentNumber(HOUR - 1);
        keys.currentNumber(HOUR);
        assertNotNull(keys.key(number, HOUR - 1));
        assertNotNull(keys.key(keys.currentNumber(HOUR - 1), HOUR - 1));
    }

    @Test
    void noTwoKeysAreTheSame() {
        Set<String> seen = new HashSet<>();
        for (int hour = 0; hour < 100; hour++) {
            seen.add(Arrays.toString(keys.key(keys.currentNumber(hour * HOUR), hour * HOUR)));
        }
        assertEquals(100, seen.size());
    }
}
