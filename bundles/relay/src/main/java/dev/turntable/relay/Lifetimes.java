package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.StunMessage;
import java.util.concurrent.TimeUnit;

/** Lifetimes on the wire and deadlines in memory. */
final class Lifetimes {
    /** The LIFETIME of a request is not four bytes. */
    static final long MALFORMED = -1;

    private Lifetimes() {}

    /** What the client asks for, 0 to 2^32-1; the default where it says nothing; {@link #MALFORMED}. */
    static long requestedSeconds(StunMessage message, RelayConfiguration configuration) {
        int index = message.indexOf(AttributeType.LIFETIME);
        return index < 0 ? configuration.allocationLifetimeSeconds() : message.uint32(index);
    }

    /** RFC 8656 §7.2: the lesser of the requested and the maximum, but not less than the default. */
    static long grantedSeconds(long requestedSeconds, RelayConfiguration configuration) {
        long least = Math.min(requestedSeconds, configuration.maxAllocationLifetimeSeconds());
        return Math.max(least, configuration.allocationLifetimeSeconds());
    }

    static long deadlineNanos(long nowNanos, long lifetimeSeconds) {
        return nowNanos + TimeUnit.SECONDS.toNanos(lifetimeSeconds);
    }
}
