package dev.turntable.state;

import dev.turntable.api.EngineInfo;
import dev.turntable.api.Server;
import dev.turntable.api.ServerInfo;
import dev.turntable.api.SweepInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The server as a whole, for management. Counts of live entries are read without asking the workers, and may lag. */
public final class ManagedServer implements Server {
    private final ServerState server;

    public ManagedServer(ServerState server) {
        this.server = server;
    }

    @Override
    public ServerInfo info() {
        ServerConfiguration configuration = server.configuration();
        List<String> relayedAddresses = new ArrayList<>();
        relayedAddresses.addAll(LocalAddresses.described(configuration.relayedIPv4(), configuration.externalIPv4()));
        relayedAddresses.addAll(LocalAddresses.described(configuration.relayedIPv6(), configuration.externalIPv6()));
        int allocations = 0;
        int permissions = 0;
        int channelBindings = 0;
        for (int i = 0; i < server.workerCount(); i++) {
            Worker worker = server.worker(i);
            allocations += worker.allocations().size();
            permissions += worker.permissions().size();
            channelBindings += worker.channelBindings().size();
        }
        return new ServerInfo(
                version(),
                TimeUnit.NANOSECONDS.toSeconds(server.nanos()),
                server.workerCount(),
                ioTransport(configuration),
                configuration.sharedSockets() ? "shared" : "dedicated",
                List.copyOf(relayedAddresses),
                configuration.relayedPortMin(),
                configuration.relayedPortMax(),
                server.ports().inUse(),
                allocations,
                permissions,
                channelBindings,
                server.engineSlot().history().current(),
                server.credentialSources().names(),
                List.copyOf(server.warnings().now()));
    }

    /** Of this bundle. */
    static String version() {
        String version = ServerState.class.getPackage().getImplementationVersion();
        return version == null ? "unknown" : version;
    }

    /** What the loops use, or what is configured while there are none. */
    private String ioTransport(ServerConfiguration configuration) {
        WorkerLoop loop = server.worker(0).loop();
        return loop == null || loop.ioTransport().isEmpty() ? configuration.ioTransport() : loop.ioTransport();
    }

    @Override
    public List<EngineInfo> engines() {
        return server.engineSlot().history().newestFirst();
    }

    @Override
    public List<SweepInfo> sweeps() {
        List<SweepInfo> sweeps = new ArrayList<>();
        for (int i = 0; i < server.workerCount(); i++) {
            sweeps.add(server.worker(i).sweepStatistics().toInfo(server.worker(i)));
        }
        return List.copyOf(sweeps);
    }

    @Override
    public SortedMap<String, Long> counters() {
        SortedMap<String, Long> counters = new TreeMap<>();
        DropReasons reasons = server.dropReasons();
        int reasonCount = reasons.size();
        for (int i = 0; i < server.workerCount(); i++) {
            Worker worker = server.worker(i);
            worker.totals().addTo(counters);
            worker.datagramBatches().addTo(counters);
            for (int reason = 0; reason < reasonCount; reason++) {
                counters.merge("drop." + reasons.name(reason), worker.drops().of(reason), Long::sum);
            }
        }
        return counters;
    }
}
