package dev.turntable.relay;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Reads a {@link RelayConfiguration} from the properties of a configuration, in which every value may be text. */
final class ConfigurationKeys {
    private final Map<String, ?> properties;

    private ConfigurationKeys(Map<String, ?> properties) {
        this.properties = properties;
    }

    /** The configuration with the default for each key that is absent; as {@link RelayConfiguration}'s for a bad value. */
    static RelayConfiguration read(Map<String, ?> properties) {
        ConfigurationKeys keys = new ConfigurationKeys(properties);
        return new RelayConfiguration(
                keys.text("realm", "turntable"),
                keys.number("allocationLifetimeSeconds", 600),
                keys.number("maxAllocationLifetimeSeconds", 3_600),
                keys.number("permissionLifetimeSeconds", 300),
                keys.number("channelLifetimeSeconds", 600),
                keys.flag("channelHoldsPermission", true),
                keys.flag("legacyChannelNumbers", false),
                keys.number("permissionsPerAllocation", 1_024),
                keys.number("channelsPerAllocation", 1_024),
                keys.number("connectionsPerAllocation", 64),
                keys.number("allocationsPerUser", 0),
                keys.number("sharedPeersPerAllocation", 256),
                keys.ranges("peersAllow"),
                keys.number("nonceLifetimeSeconds", 3_600),
                keys.flag("strictCredentialExpiry", false),
                keys.number("sweepBudgetMicros", 250),
                keys.text("software", ""));
    }

    private String text(String key, String otherwise) {
        Object value = properties.get(key);
        return value == null ? otherwise : value.toString().trim();
    }

    private int number(String key, int otherwise) {
        String text = text(key, Integer.toString(otherwise));
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(key + ": a whole number, not \"" + text + "\"", e);
        }
    }

    private boolean flag(String key, boolean otherwise) {
        String text = text(key, Boolean.toString(otherwise));
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(key + ": true or false, not \"" + text + "\"");
        };
    }

    private List<AddressRange> ranges(String key) {
        List<AddressRange> ranges = new ArrayList<>();
        for (String item : items(properties.get(key))) {
            if (!item.isBlank()) {
                try {
                    ranges.add(AddressRange.parse(item.trim()));
                } catch (IllegalArgumentException e) {
                    throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
                }
            }
        }
        return ranges;
    }

    private static List<String> items(Object value) {
        if (value == null) {
            return List.of();
        }
        if (value instanceof Collection<?> many) {
            return many.stream().map(String::valueOf).toList();
        }
        if (value instanceof Object[] many) {
            return items(List.of(many));
        }
        return List.of(value.toString().split("[,\\s]+"));
    }
}
