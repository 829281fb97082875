package dev.turntable.state;

import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A loop with a thread of its own that always has a packet to read: it asks the slot for an engine and calls it, as transport does. A
 * packet that is read while there is no engine is lost.
 */
final class ThreadLoop implements WorkerLoop {
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Worker worker;
    private final Thread thread;
    private boolean reading = true;
    private volatile boolean open = true;
    final AtomicLong judged = new AtomicLong();
    final AtomicLong lost = new AtomicLong();
    volatile Throwable failure;

    ThreadLoop(Worker worker) {
        this.worker = worker;
        thread = new Thread(this::run, "loop-" + worker.index());
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            while (open) {
                Runnable task = reading ? tasks.poll() : tasks.poll(1, TimeUnit.MILLISECONDS);
                if (task != null) {
                    task.run();
                } else if (reading) {
                    readOne();
                }
            }
        } catch (Throwable e) {
            failure = e;
        }
    }

    private void readOne() {
        RelayEngine engine = worker.server().engineSlot().current();
        if (engine == null) {
            lost.incrementAndGet();
        } else {
            engine.fromClient(worker, null, null, null);
            judged.incrementAndGet();
        }
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public boolean inLoop() {
        return Thread.currentThread() == thread;
    }

    @Override
    public SocketOpening openRelayedSocket(InetSocketAddress local, Allocation allocation) {
        return new SocketOpening.Opened(new FakeSocket(local, allocation));
    }

    @Override
    public void pauseReading() {
        reading = false;
    }

    @Override
    public void resumeReading() {
        reading = true;
    }

    void close() throws InterruptedException {
        open = false;
        thread.join(10_000);
    }
}
