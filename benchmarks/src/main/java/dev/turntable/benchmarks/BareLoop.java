package dev.turntable.benchmarks;

import dev.turntable.state.Allocation;
import dev.turntable.state.SocketOpening;
import dev.turntable.state.WorkerLoop;
import java.net.InetSocketAddress;

/** The loop of a worker whose thread is the caller's. */
final class BareLoop implements WorkerLoop {
    @Override
    public void execute(Runnable task) {
        task.run();
    }

    @Override
    public boolean inLoop() {
        return true;
    }

    @Override
    public SocketOpening openRelayedSocket(InetSocketAddress local, Allocation allocation) {
        return new SocketOpening.Opened(new BareSocket(local, allocation));
    }

    @Override
    public void pauseReading() {}

    @Override
    public void resumeReading() {}
}
