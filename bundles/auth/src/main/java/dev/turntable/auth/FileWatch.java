package dev.turntable.auth;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that looks after all credential files of this bundle once a second, so that no worker ever waits for a disk and a
 * revoked user is gone although nobody asks for him.
 */
@Component(service = FileWatch.class)
public final class FileWatch implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

    private final ScheduledThreadPoolExecutor thread;
    private volatile Thread last;

    @Activate
    public FileWatch() {
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread made = new Thread(task, "turntable-auth-files");
            made.setDaemon(true);
            last = made;
            return made;
        });
        thread.setRemoveOnCancelPolicy(true);
    }

    /** Calls {@code check} once a second, on the watching thread, until the returned future is cancelled. */
    ScheduledFuture<?> everySecond(Runnable check) {
        return thread.scheduleWithFixedDelay(
                () -> {
                    try {
                        check.run();
                    } catch (RuntimeException e) {
                        // An exception that got out would end the schedule for good.
                        LOG.error("Checking a credential file failed", e);
                    }
                },
                1,
                1,
                TimeUnit.SECONDS);
    }

    /** Runs {@code task} once, on the watching thread. */
    @Override
    public void execute(Runnable task) {
        thread.execute(task);
    }

    @Deactivate
    void stop() throws InterruptedException {
        thread.shutdownNow();
        Thread watching = last;
        if (watching == null) {
            return;
        }
        // The executor calls itself ended a moment before its thread is.
        watching.join(TimeUnit.SECONDS.toMillis(2));
        if (watching.isAlive()) {
            LOG.warn("The thread that watches credential files is still busy with one");
        }
    }
}
