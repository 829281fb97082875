package dev.turntable.auth;

import java.lang.reflect.Proxy;
import java.nio.file.Path;

/** Configurations of one key, as the container would hand them over. */
final class Configurations {
    private Configurations() {}

    static SecretsConfiguration secrets(Path path) {
        return secrets(path.toString());
    }

    static SecretsConfiguration secrets(String path) {
        return of(SecretsConfiguration.class, path);
    }

    static UsersConfiguration users(String path) {
        return of(UsersConfiguration.class, path);
    }

    private static <A> A of(Class<A> configuration, String value) {
        return configuration.cast(Proxy.newProxyInstance(
                configuration.getClassLoader(), new Class<?>[] {configuration}, (proxy, method, arguments) -> value));
    }
}
