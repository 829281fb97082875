package dev.turntable.transport;

/** A task that was posted to a loop: it finds the clock renewed, and its failure costs the loop nothing. */
record GuardedTask(NettyLoop loop, Runnable task) implements Runnable {
    @Override
    public void run() {
        loop.worker().renewClock();
        try {
            task.run();
        } catch (Throwable failure) {
            loop.engineFailed(failure);
        }
    }
}
