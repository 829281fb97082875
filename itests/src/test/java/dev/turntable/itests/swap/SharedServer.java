package dev.turntable.itests.swap;

import java.io.IOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * One server for the test classes that leave it as they found it; it starts with the first of them. A test that failed
 * may have left it otherwise: the next one gets a new one.
 */
final class SharedServer implements ParameterResolver, TestWatcher {
    private static final ExtensionContext.Namespace PLACE = ExtensionContext.Namespace.create(SharedServer.class);

    private record Running(LiveServer server) implements ExtensionContext.Store.CloseableResource {
        @Override
        public void close() {
            server.close();
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == LiveServer.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return store(context)
                .getOrComputeIfAbsent(Running.class, type -> new Running(start()), Running.class)
                .server();
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        Running running = store(context).remove(Running.class, Running.class);
        if (running != null) {
            running.close();
        }
    }

    private static ExtensionContext.Store store(ExtensionContext context) {
        return context.getRoot().getStore(PLACE);
    }

    private static LiveServer start() {
        try {
            return LiveServer.shared();
        } catch (IOException e) {
            throw new IllegalStateException("the server did not start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
