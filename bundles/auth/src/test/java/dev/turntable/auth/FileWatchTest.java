package dev.turntable.auth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FileWatchTest {
    @Test
    void goesOnAfterACheckThatFailed() throws InterruptedException {
        FileWatch watch = new FileWatch();
        CountDownLatch twice = new CountDownLatch(2);
        try (LogLines log = new LogLines()) {
            watch.everySecond(() -> {
                twice.countDown();
                throw new IllegalStateException("first");
            });
            assertTrue(twice.await(5, TimeUnit.SECONDS));
            assertTrue(log.of("ERROR").size() >= 1);
        } finally {
            watch.stop();
        }
    }

    @Test
    void leavesNoThreadBehind() throws InterruptedException {
        FileWatch watch = new FileWatch();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch ran = new CountDownLatch(1);
        watch.execute(() -> {
            runs.incrementAndGet();
            ran.countDown();
        });
        assertTrue(ran.await(5, TimeUnit.SECONDS));
        watch.stop();
        assertEquals(1, runs.get());
        assertEquals(
                0,
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals("turntable-auth-files"))
                        .count());
    }
}
