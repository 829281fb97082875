package dev.turntable.state;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Keys of a configuration that nobody reads: most likely misspelt. */
public final class UnknownKeys {
    private UnknownKeys() {}

    /**
     * @param keys the annotation that declares those that are read
     * @param properties of a configuration; those of the container have a dot
     * @return what to tell the operator; empty where there is nothing
     */
    public static String problem(Class<?> keys, Map<String, ?> properties) {
        Set<String> known =
                Arrays.stream(keys.getDeclaredMethods()).map(Method::getName).collect(Collectors.toSet());
        Set<String> unknown = new TreeSet<>(properties.keySet());
        unknown.removeIf(key -> key.indexOf('.') >= 0 || known.contains(key));
        return unknown.isEmpty() ? "" : "configuration key that means nothing: " + String.join(", ", unknown);
    }
}
