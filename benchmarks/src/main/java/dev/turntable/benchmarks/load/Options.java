package dev.turntable.benchmarks.load;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Options of a command: {@code --name value}, or {@code --name} alone for a flag. What is wrong is an exception that says so. */
public final class Options {
    private final Map<String, String> values = new HashMap<>();

    /**
     * @param named names with a value
     * @param flags names without one
     */
    public Options(String[] arguments, Set<String> named, Set<String> flags) {
        for (int i = 0; i < arguments.length; i++) {
            String name = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
            if (flags.contains(name)) {
                values.put(name, "");
            } else if (named.contains(name) && i + 1 < arguments.length) {
                values.put(name, arguments[++i]);
            } else {
                throw new IllegalArgumentException("not understood: " + arguments[i]);
            }
        }
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("--" + name + " is missing");
        }
        return value;
    }

    public String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }

    public int number(String name, int otherwise) {
        String value = values.get(name);
        try {
            return value == null ? otherwise : Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("--" + name + ": a whole number, not " + value, e);
        }
    }

    /** {@code host:port}. */
    public InetSocketAddress address(String name) {
        String value = text(name);
        int colon = value.lastIndexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("--" + name + ": host:port, not " + value);
        }
        return new InetSocketAddress(
                value.substring(0, colon).replaceAll("[\\[\\]]", ""), Integer.parseInt(value.substring(colon + 1)));
    }
}
