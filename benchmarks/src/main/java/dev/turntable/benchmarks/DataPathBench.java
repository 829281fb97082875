package dev.turntable.benchmarks;

import dev.turntable.codec.TransportAddress;
import dev.turntable.state.RelayedSocket;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the engine and its lookups cost for one packet of 160 bytes, without sockets; the allocations take turns. Run it with {@code -prof
 * gc}: there is nothing to collect.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class DataPathBench {
    private static final int PAYLOAD_BYTES = 160;

    @Param({"1", "1000"})
    public int allocations;

    @Param({"dedicated", "shared"})
    public String relayedSockets;

    private BareServer server;
    private BareClient[] clients;
    private RelayedSocket[] sockets;
    private BarePacket[] channelData;
    private BarePacket[] sendIndication;
    private BarePacket datagram;
    private long peerWithoutChannel;
    private int turn;

    @Setup(Level.Trial)
    public void make() {
        server = new BareServer(relayedSockets.equals("shared"));
        clients = BareClient.clients(server, allocations);
        sockets = new RelayedSocket[allocations];
        channelData = new BarePacket[allocations];
        sendIndication = new BarePacket[allocations];
        datagram = new BarePacket(new byte[PAYLOAD_BYTES]);
        for (int i = 0; i < allocations; i++) {
            clients[i].call();
            sockets[i] = server.allocation(clients[i].path).relayed(false);
            channelData[i] = clients[i].channelData(PAYLOAD_BYTES);
            sendIndication[i] = clients[i].sendIndication(PAYLOAD_BYTES);
            // A second permission, whose peer has no channel.
            peerWithoutChannel = TransportAddress.ipv4(0xC633_6401);
            int permission = server.worker
                    .permissions()
                    .add(server.allocation(clients[i].path), 0, peerWithoutChannel, 0, Long.MAX_VALUE);
            server.worker
                    .sharedPeers()
                    .claim(server.allocation(clients[i].path), 0, peerWithoutChannel, 1_024 + i, 256);
            if (permission < 0) {
                throw new IllegalStateException("no permission");
            }
        }
    }

    /** A packet that was dropped would be cheap. */
    @TearDown(Level.Trial)
    public void check() {
        long arrived = 0;
        for (int i = 0; i < allocations; i++) {
            arrived += clients[i].path.messages - 4;
            arrived += i == 0 || sockets[i] != sockets[0] ? ((BareSocket) sockets[i]).packets : 0;
        }
        if (arrived != sent) {
            throw new IllegalStateException("sent " + sent + ", arrived " + arrived);
        }
    }

    private long sent;

    private int next() {
        sent++;
        int now = turn;
        turn = now + 1 == allocations ? 0 : now + 1;
        return now;
    }

    @Benchmark
    public void channelDataToPeer() {
        int i = next();
        server.fromClient(clients[i].path, channelData[i]);
    }

    @Benchmark
    public void sendToPeer() {
        int i = next();
        server.fromClient(clients[i].path, sendIndication[i]);
    }

    @Benchmark
    public void channelDataToClient() {
        int i = next();
        server.engine.fromPeer(server.worker, sockets[i], 0, clients[i].peerLo, clients[i].peerPort, datagram);
    }

    @Benchmark
    public void dataToClient() {
        int i = next();
        server.engine.fromPeer(server.worker, sockets[i], 0, peerWithoutChannel, 1_024 + i, datagram);
    }
}
