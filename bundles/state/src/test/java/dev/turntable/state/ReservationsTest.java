package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.state.Reservations.Reservation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ReservationsTest {
    private final PortPool ports = new PortPool(Platter.configuration(50000, 50999, false));
    private final Reservations reservations = new Reservations(ports);

    @Tag("RFC8656§7.2")
    @Test
    void aTokenIsGoodOnceAndBeforeItsDeadline() {
        int lower = ports.takePair(false);
        long token = reservations.add(false, lower + 1, 30);
        long other = reservations.add(true, ports.take(true), 30);
        assertNull(reservations.take(token + 1, 0));
        assertEquals(new Reservation(false, lower + 1), reservations.take(token, 29));
        assertNull(reservations.take(token, 29));
        assertNull(reservations.take(other, 30));
        assertEquals(1, reservations.size());
    }

    @Test
    void theSweepGivesPortsOfExpiredOnesBackAndKeepsTheOthers() {
        List<Long> kept = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            long token = reservations.add(false, ports.take(false), i % 2 == 0 ? 10 : 20);
            if (i % 2 == 1) {
                kept.add(token);
            }
        }
        assertEquals(1000, ports.inUse());
        assertEquals(0, reservations.sweep(9));
        assertEquals(500, reservations.sweep(10));
        assertEquals(500, ports.inUse());
        for (long token : kept) {
            Reservation reservation = reservations.take(token, 19);
            ports.free(reservation.ipv6(), reservation.port());
        }
        assertEquals(0, ports.inUse());
        assertEquals(0, reservations.size());
    }

    @Tag("RFC8656§5")
    @Test
    void tokensCannotBeForetold() {
        Set<Long> tokens = new HashSet<>();
        Set<Long> steps = new HashSet<>();
        long before = 0;
        for (int i = 0; i < 10_000; i++) {
            long token = reservations.add(false, 50000, 1);
            assertTrue(tokens.add(token));
            assertTrue(steps.add(token - before));
            before = token;
        }
        long ones = tokens.stream().mapToInt(Long::bitCount).sum();
        assertEquals(0.5, ones / 640_000.0, 0.01);
    }
}
