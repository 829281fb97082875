package dev.turntable.benchmarks;

import dev.turntable.state.ServerKeys;
import java.lang.reflect.Proxy;
import java.util.Map;

/** The keys of PID {@code dev.turntable.server} as the container gives them: defaults, and what is to be different. */
final class ServerSettings {
    private ServerSettings() {}

    static ServerKeys with(Map<String, Object> different) {
        return (ServerKeys) Proxy.newProxyInstance(
                ServerKeys.class.getClassLoader(),
                new Class<?>[] {ServerKeys.class},
                (proxy, key, arguments) -> different.getOrDefault(key.getName(), key.getDefaultValue()));
    }
}
