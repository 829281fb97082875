package dev.turntable.transport;

import java.net.InetAddress;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that go through DTLS handshakes, which block. There are many, as most of the time they wait for their client; as few of them
 * compute at one time as there are doors, so that the workers go on. Any thread.
 */
final class DtlsHandshakes {
    /** At one time. */
    static final int MOST = 256;

    /** From one source. */
    static final int MOST_OF_SOURCE = 64;

    private static final long THREAD_IDLE_SECONDS = 10;
    private static final long STACK_BYTES = 512 << 10;

    private final ConnectionCounts running = new ConnectionCounts();
    private final Semaphore computing;
    private final FailureLog failures = new FailureLog();
    private final ThreadPoolExecutor threads;
    private int nextThread;

    /** @param compute how many compute at one time */
    DtlsHandshakes(int compute) {
        computing = new Semaphore(compute, true);
        threads = new ThreadPoolExecutor(
                0, MOST, THREAD_IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), this::newThread);
    }

    private synchronized Thread newThread(Runnable run) {
        Thread made = new Thread(null, run, "turntable-dtls-" + nextThread++, STACK_BYTES);
        made.setContextClassLoader(DtlsHandshakes.class.getClassLoader());
        made.setDaemon(true);
        return made;
    }

    /** Begins one; false where there are too many. */
    boolean start(InetAddress source, Runnable handshake) {
        if (!running.take(source, MOST, MOST_OF_SOURCE)) {
            return false;
        }
        try {
            threads.execute(() -> run(source, handshake));
            return true;
        } catch (RejectedExecutionException e) {
            running.free(source);
            return false;
        }
    }

    private void run(InetAddress source, Runnable handshake) {
        beginComputing();
        try {
            handshake.run();
        } catch (Throwable failure) {
            failed("A DTLS handshake failed", failure);
        } finally {
            endComputing();
            running.free(source);
        }
    }

    /** Not what a client can bring about. */
    synchronized void failed(String what, Throwable failure) {
        failures.failed(what, failure);
    }

    /** Around what is not waiting, on a thread of these; a handshake begins so. */
    void beginComputing() {
        computing.acquireUninterruptibly();
    }

    void endComputing() {
        computing.release();
    }

    int running() {
        return running.all();
    }

    /** At the return its threads are gone. */
    void stop() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
