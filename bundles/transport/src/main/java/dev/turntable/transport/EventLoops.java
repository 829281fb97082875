package dev.turntable.transport;

import dev.turntable.state.ServerState;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The event loops, one for each worker. */
final class EventLoops {
    /** Workers for each door. */
    private static final int DOOR_WORKERS = 4;

    private final ServerState server;
    private final IoTransport io;
    private final List<NettyLoop> loops;
    private final List<Door> doors = new ArrayList<>();
    private final DtlsHandshakes handshakes;
    private final AtomicInteger nextDoor = new AtomicInteger();

    /** Starts them. */
    EventLoops(ServerState server) throws IOException {
        this.server = server;
        io = IoTransport.choose(server.configuration().ioTransport());
        TransportDrops reasons = TransportDrops.registeredWith(server.dropReasons());
        List<NettyLoop> started = new ArrayList<>();
        loops = started;
        int doorCount = Math.max(1, server.workerCount() / DOOR_WORKERS);
        for (int i = 0; i < doorCount; i++) {
            doors.add(new Door(io, i));
        }
        handshakes = new DtlsHandshakes(doorCount);
        DtlsShared dtls = new DtlsShared(server, handshakes);
        try {
            for (int i = 0; i < server.workerCount(); i++) {
                NettyLoop loop = new NettyLoop(server, i, io, reasons, dtls);
                started.add(loop);
                loop.start();
            }
        } catch (IOException | RuntimeException | Error e) {
            stop();
            throw e;
        }
    }

    ServerState server() {
        return server;
    }

    IoTransport io() {
        return io;
    }

    /** Those that a listener binds sockets on: all where the kernel balances, else one. */
    List<NettyLoop> forListener(int port) {
        return io.balances() ? loops : List.of(loops.get(port % loops.size()));
    }

    List<NettyLoop> all() {
        return loops;
    }

    /** Where connections come in. */
    Door door() {
        return doors.get(0);
    }

    /** Where the next connection is admitted; one after the other. Any thread. */
    Door nextDoor() {
        return doors.get(Math.floorMod(nextDoor.getAndIncrement(), doors.size()));
    }

    DtlsHandshakes handshakes() {
        return handshakes;
    }

    /** The one with the fewest connections. Any thread. */
    NettyLoop leastConnected() {
        NettyLoop least = loops.get(0);
        for (NettyLoop loop : loops) {
            if (loop.streams().assigned().get() < least.streams().assigned().get()) {
                least = loop;
            }
        }
        return least;
    }

    /** At the return their allocations, sockets and threads are gone. */
    void stop() {
        doors.forEach(Door::stop);
        for (NettyLoop loop : loops) {
            loop.stop();
        }
        handshakes.stop();
    }

    /**
     * Takes away what Netty left on a thread of the container that came through here. It would keep the class loader of this bundle for
     * as long as that thread lives.
     */
    static void leaveThread() {
        FastThreadLocal.removeAll();
    }
}
