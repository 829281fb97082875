package dev.turntable.benchmarks.load;

import dev.turntable.api.ClientTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** New TLS connections at a fixed rate, each closed when its handshake is over: what they cost those that relay. */
final class Handshakes implements AutoCloseable {
    private static final int THREADS = 4;

    private final InetSocketAddress server;
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "handshakes");
        thread.setDaemon(true);
        return thread;
    });
    private final LongAdder done = new LongAdder();
    private final LongAdder failed = new LongAdder();

    /** @param perSecond 0 for none */
    Handshakes(InetSocketAddress server, int perSecond) {
        this.server = server;
        for (int i = 0; i < THREADS && perSecond > 0; i++) {
            long periodNanos = TimeUnit.SECONDS.toNanos(THREADS) / perSecond;
            threads.scheduleAtFixedRate(this::shakeHands, i * periodNanos / THREADS, periodNanos, TimeUnit.NANOSECONDS);
        }
    }

    private void shakeHands() {
        try {
            Wire.open(ClientTransport.TLS, server).close();
            done.increment();
        } catch (IOException e) {
            failed.increment();
        }
    }

    long done() {
        return done.sum();
    }

    long failed() {
        return failed.sum();
    }

    /** Those that are on their way come to their end. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
