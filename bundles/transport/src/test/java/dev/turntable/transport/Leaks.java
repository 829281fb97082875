package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Buffers that were lost, as Netty's detector at its paranoid level sees them. Must be installed before a buffer is made. */
final class Leaks {
    private static final List<String> REPORTS = new CopyOnWriteArrayList<>();

    static {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new ResourceLeakDetectorFactory() {
            @Override
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource, int sampling, long active) {
                return new Detector<>(resource, 1);
            }

            @Override
            public <T> ResourceLeakDetector<T> newResourceLeakDetector(Class<T> resource, int sampling) {
                return new Detector<>(resource, 1);
            }
        });
    }

    private Leaks() {}

    static void detect() {
        REPORTS.clear();
    }

    static void assertNone() {
        System.gc();
        // Reports come with the next buffers.
        for (int i = 0; i < 10; i++) {
            io.netty.buffer.ByteBufAllocator.DEFAULT.directBuffer(1).release();
        }
        assertEquals(List.of(), REPORTS);
    }

    private static final class Detector<T> extends ResourceLeakDetector<T> {
        @SuppressWarnings("deprecation")
        Detector(Class<T> resource, int sampling) {
            super(resource, sampling);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String type, String records) {
            REPORTS.add(type + records);
        }

        @Override
        protected void reportUntracedLeak(String type) {
            REPORTS.add(type);
        }
    }
}
