package dev.turntable.benchmarks;

import dev.turntable.relay.RelayEngineComponent;
import dev.turntable.state.Allocation;
import dev.turntable.state.Packet;
import dev.turntable.state.RelayEngine;
import dev.turntable.state.ServerState;
import dev.turntable.state.Worker;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;

/** The real state and the real engine with one worker and no sockets. The caller's thread is the worker's. */
final class BareServer {
    static final String REALM = "bench.local";

    final ServerState state;
    final RelayEngine engine;
    final Worker worker;

    /** @param sharedSockets one socket for all allocations, or one for each */
    BareServer(boolean sharedSockets) {
        Map<String, Object> keys = new HashMap<>();
        keys.put("workers", 1);
        keys.put("relayedAddressIPv4", "127.0.0.1");
        keys.put("relayedAddressIPv6", "none");
        keys.put("relayedPortMin", 1_024);
        keys.put("relayedSockets", sharedSockets ? "shared" : "dedicated");
        keys.put("maxAllocationsPerWorker", 10_000_000);
        state = new ServerState(ServerSettings.with(keys));
        engine = new RelayEngineComponent(state, Map.of("realm", REALM)).engine();
        state.credentialSources().add(new OneUser(), 0);
        worker = state.worker(0);
        worker.attach(new BareLoop());
        if (sharedSockets) {
            worker.sharedPeers().addSocket(new BareSocket(new InetSocketAddress("127.0.0.1", 49_152), null));
        }
        state.engineSlot().bind(engine, -1);
        worker.renewClock();
    }

    /** A packet from a client arrives: the lookup that transport does, then the engine. */
    void fromClient(BarePath path, Packet packet) {
        Allocation allocation =
                worker.allocations().byFiveTuple(path.localEnd(), path.clientHi(), path.clientLo(), path.clientPort());
        engine.fromClient(worker, path, allocation, packet);
    }

    Allocation allocation(BarePath path) {
        return worker.allocations().byFiveTuple(path.localEnd(), path.clientHi(), path.clientLo(), path.clientPort());
    }
}
