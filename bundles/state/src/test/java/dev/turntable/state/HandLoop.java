package dev.turntable.state;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;

/** A loop whose tasks run when the test says so, on the test's thread. */
final class HandLoop implements WorkerLoop {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    boolean reading = true;

    @Override
    public synchronized void execute(Runnable task) {
        tasks.add(task);
    }

    void runAll() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    private synchronized Runnable next() {
        return tasks.poll();
    }

    @Override
    public boolean inLoop() {
        return false;
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
}
