package dev.turntable.transport;

import dev.turntable.state.ServerState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The event loops, one for each worker. */
final class EventLoops {
    private final IoTransport io;
    private final List<NettyLoop> loops;
    private final Door door;

    /** Starts them. */
    EventLoops(ServerState server) throws IOException {
        io = IoTransport.choose(server.configuration().ioTransport());
        TransportDrops reasons = TransportDrops.registeredWith(server.dropReasons());
        List<NettyLoop> started = new ArrayList<>();
        loops = started;
        door = new Door(io);
        try {
            for (int i = 0; i < server.workerCount(); i++) {
                NettyLoop loop = new NettyLoop(server, i, io, reasons);
                started.add(loop);
                loop.start();
            }
        } catch (IOException | RuntimeException | Error e) {
            stop();
            throw e;
        }
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
        return door;
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
        door.stop();
        for (NettyLoop loop : loops) {
            loop.stop();
        }
    }
}
