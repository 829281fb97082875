package dev.turntable.state;

import dev.turntable.api.auth.CredentialAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** An engine that takes note of what it is asked. */
final class FakeEngine implements RelayEngine {
    /** An answer that came for a request that waited. */
    record Answered(ClientPath path, Allocation allocation, int firstWord, CredentialAnswer answer) {}

    private final String version;
    final List<Answered> answered = new ArrayList<>();
    final AtomicInteger sweeps = new AtomicInteger();
    /** Set once it was unbound: a call after that is an error. */
    volatile boolean gone;

    volatile boolean calledWhenGone;
    volatile RuntimeException failure;

    FakeEngine(String version) {
        this.version = version;
    }

    @Override
    public String version() {
        return version;
    }

    /** Stays a while, so that whoever lets it go too soon is found out. */
    @Override
    public void fromClient(Worker worker, ClientPath path, Allocation allocation, Packet packet) {
        for (int i = 0; i < 20; i++) {
            calledWhenGone |= gone;
            Thread.yield();
        }
    }

    @Override
    public void fromPeer(Worker worker, RelayedSocket socket, long hi, long lo, int port, Packet packet) {}

    @Override
    public void fromIcmp(
            Worker worker, RelayedSocket socket, long hi, long lo, int port, int type, int code, int data) {}

    @Override
    public void answered(
            Worker worker, ClientPath path, Allocation allocation, Packet request, CredentialAnswer answer) {
        answered.add(new Answered(path, allocation, request.getInt(0), answer));
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public boolean sweep(Worker worker) {
        sweeps.incrementAndGet();
        if (failure != null) {
            throw failure;
        }
        return false;
    }
}
