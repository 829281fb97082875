package dev.turntable.relay;

import dev.turntable.codec.ChannelData;
import java.lang.reflect.RecordComponent;
import java.util.List;

/**
 * Immutable values of PID {@code dev.turntable.relay}. Checked once, when made; a value out of range is an {@link
 * IllegalArgumentException} whose message begins with the key.
 *
 * @param realm of credentials (RFC 8489 §14.9), 1 to 127 characters
 * @param allocationLifetimeSeconds default lifetime, and the least that is given (RFC 8656 §7.2)
 * @param maxAllocationLifetimeSeconds most that is given
 * @param permissionLifetimeSeconds 300 by RFC 8656 §9
 * @param channelLifetimeSeconds 600 by RFC 8656 §12
 * @param channelHoldsPermission whether a ChannelBind holds the permission of its peer as long as the binding
 * @param legacyChannelNumbers whether the numbers of RFC 5766 §11 can be bound too
 * @param permissionsPerAllocation more are answered 508
 * @param channelsPerAllocation more are answered 508
 * @param connectionsPerAllocation TCP connections to peers; more are answered 508, and not accepted
 * @param allocationsPerUser more are answered 486; 0 for no limit
 * @param sharedPeersPerAllocation peer endpoints on a shared socket; more are answered 508
 * @param peersAllow opened although they are refused by default
 * @param nonceLifetimeSeconds at most an hour (RFC 8656 §5)
 * @param strictCredentialExpiry whether a live allocation ends being served when its credential expires
 * @param sweepBudgetMicros the longest that a slice of the sweep holds a worker
 * @param software told in SOFTWARE; empty for none
 */
record RelayConfiguration(
        String realm,
        int allocationLifetimeSeconds,
        int maxAllocationLifetimeSeconds,
        int permissionLifetimeSeconds,
        int channelLifetimeSeconds,
        boolean channelHoldsPermission,
        boolean legacyChannelNumbers,
        int permissionsPerAllocation,
        int channelsPerAllocation,
        int connectionsPerAllocation,
        int allocationsPerUser,
        int sharedPeersPerAllocation,
        List<AddressRange> peersAllow,
        int nonceLifetimeSeconds,
        boolean strictCredentialExpiry,
        int sweepBudgetMicros,
        String software) {

    private static final int MAX_TEXT = 127;
    private static final int MAX_LIFETIME_SECONDS = 86_400;

    RelayConfiguration {
        peersAllow = List.copyOf(peersAllow);
        check(!realm.isBlank() && realm.length() <= MAX_TEXT, "realm", "1 to 127 characters", realm);
        check(software.length() <= MAX_TEXT, "software", "at most 127 characters", software);
        range("allocationLifetimeSeconds", allocationLifetimeSeconds, 1, MAX_LIFETIME_SECONDS);
        range(
                "maxAllocationLifetimeSeconds",
                maxAllocationLifetimeSeconds,
                allocationLifetimeSeconds,
                MAX_LIFETIME_SECONDS);
        range("permissionLifetimeSeconds", permissionLifetimeSeconds, 1, MAX_LIFETIME_SECONDS);
        range("channelLifetimeSeconds", channelLifetimeSeconds, 1, MAX_LIFETIME_SECONDS);
        range("permissionsPerAllocation", permissionsPerAllocation, 1, 1_000_000);
        range("channelsPerAllocation", channelsPerAllocation, 1, 0x1000);
        range("connectionsPerAllocation", connectionsPerAllocation, 1, 65_536);
        range("allocationsPerUser", allocationsPerUser, 0, Integer.MAX_VALUE);
        range("sharedPeersPerAllocation", sharedPeersPerAllocation, 1, 65_536);
        range("nonceLifetimeSeconds", nonceLifetimeSeconds, 1, 3_600);
        range("sweepBudgetMicros", sweepBudgetMicros, 10, 100_000);
    }

    /** The highest channel number that can be bound. */
    int maxChannelNumber() {
        return legacyChannelNumbers ? ChannelData.MAX_CHANNEL_RFC5766 : ChannelData.MAX_CHANNEL;
    }

    /** Keys and values that are not as they were, for a log line: all of them would be cut there. */
    String changesSince(RelayConfiguration before) {
        StringBuilder changes = new StringBuilder();
        try {
            for (RecordComponent key : RelayConfiguration.class.getRecordComponents()) {
                Object now = key.getAccessor().invoke(this);
                if (!now.equals(key.getAccessor().invoke(before))) {
                    changes.append(changes.isEmpty() ? "" : ", ")
                            .append(key.getName())
                            .append(" = ")
                            .append(now);
                }
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
        return changes.toString();
    }

    private static void range(String key, int value, int least, int most) {
        check(value >= least && value <= most, key, least + " to " + most, value);
    }

    private static void check(boolean good, String key, String wanted, Object value) {
        if (!good) {
            throw new IllegalArgumentException(key + ": " + wanted + ", not \"" + value + "\"");
        }
    }
}
