package dev.turntable.benchmarks;

import dev.turntable.codec.TransportAddress;
import dev.turntable.relay.RelayEngineComponent;
import dev.turntable.state.Allocation;
import dev.turntable.state.ChannelBindings;
import dev.turntable.state.Permissions;
import dev.turntable.state.ServerState;
import dev.turntable.state.SocketOpening;
import dev.turntable.state.Worker;
import dev.turntable.transport.TransportComponent;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.HashedWheelTimer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.openjdk.jol.info.GraphLayout;
import org.openjdk.jol.vm.VM;

/**
 * Heap for each entry: by how much the object graph of what holds them is larger with many of them, over their number. Tables are filled
 * to their capacity; one that has just grown has half as much again.
 */
final class HeapFigures {
    private static final int MANY = 100_000;
    private static final int SOCKETS = 2_000;

    private HeapFigures() {}

    @SuppressWarnings("SystemOut")
    static void main(String[] arguments) throws Exception {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "error");
        // Records hide their fields from older ways of asking.
        System.setProperty("jol.magicFieldOffset", "true");
        System.out.println(VM.current().details());
        print("timer: scheduled task of a Netty event loop", scheduledTask());
        print("timer: timeout of a Netty hashed wheel", wheelTimeout());
        print("permission: its deadline alone", Long.BYTES);
        print("permission, index included", permission());
        print("channel binding, both indexes included", channelBinding());
        print("peer endpoint on a shared socket, index included", sharedPeer());
        print("allocation on a shared socket, index and deadline included", allocation());
        print("... with 1 permission, 1 peer endpoint and 1 channel binding", call());
        print("relayed socket of its own, on the heap", relayedSocket());
    }

    @SuppressWarnings("SystemOut")
    private static void print(String what, double bytes) {
        System.out.printf("%-75s %8.1f B%n", what, bytes);
    }

    private static long sizeOf(Object root) {
        return GraphLayout.parseInstance(root).totalSize();
    }

    private static double scheduledTask() {
        ManualIoEventLoop loop = new ManualIoEventLoop(Thread.currentThread(), LocalIoHandler.newFactory());
        Runnable expire = () -> {};
        loop.schedule(expire, 1, TimeUnit.HOURS);
        long before = sizeOf(loop);
        for (int i = 0; i < MANY; i++) {
            loop.schedule(expire, 1, TimeUnit.HOURS);
        }
        return (double) (sizeOf(loop) - before) / MANY;
    }

    private static double wheelTimeout() throws InterruptedException {
        HashedWheelTimer wheel = new HashedWheelTimer(1, TimeUnit.MILLISECONDS);
        try {
            wheel.newTimeout(timeout -> {}, 1, TimeUnit.HOURS);
            long before = sizeOf(wheel);
            for (int i = 0; i < MANY; i++) {
                wheel.newTimeout(timeout -> {}, 1, TimeUnit.HOURS);
            }
            // From the queue of new ones into the wheel.
            TimeUnit.MILLISECONDS.sleep(500);
            return (double) (sizeOf(wheel) - before) / MANY;
        } finally {
            wheel.stop();
        }
    }

    private static double permission() {
        BareServer server = new BareServer(true);
        Allocation allocation = someAllocation(server);
        Permissions permissions = server.worker.permissions();
        long before = sizeOf(server.worker);
        int first = permissions.deadlines().length;
        int made = 0;
        while (made < MANY || permissions.size() < permissions.deadlines().length) {
            permissions.add(allocation, 0, TransportAddress.ipv4(made++), 0, 0);
        }
        return (double) (sizeOf(server.worker) - before) / (permissions.deadlines().length - first);
    }

    private static double channelBinding() {
        BareServer server = new BareServer(true);
        Allocation allocation = someAllocation(server);
        int permission = server.worker.permissions().add(allocation, 0, TransportAddress.ipv4(1), 0, 0);
        ChannelBindings bindings = server.worker.channelBindings();
        long before = sizeOf(server.worker);
        int first = bindings.deadlines().length;
        int made = 0;
        while (made < 40_000 || bindings.size() < bindings.deadlines().length) {
            bindings.add(allocation, permission, made, made++, 0);
        }
        return (double) (sizeOf(server.worker) - before) / (bindings.deadlines().length - first);
    }

    /** Capacities of this table are not told: they are those of the permissions, which begin and grow alike. */
    private static double sharedPeer() {
        BareServer server = new BareServer(true);
        Allocation allocation = someAllocation(server);
        long before = sizeOf(server.worker);
        int first = server.worker.permissions().deadlines().length;
        int capacity = first;
        while (capacity < MANY) {
            capacity += capacity >> 1;
        }
        for (int i = 0; i < capacity; i++) {
            server.worker.sharedPeers().claim(allocation, 0, TransportAddress.ipv4(i), 5_000, Integer.MAX_VALUE);
        }
        return (double) (sizeOf(server.worker) - before) / (capacity - first);
    }

    private static Allocation someAllocation(BareServer server) {
        BareClient client = new BareClient(server, 0);
        client.send(client.allocate);
        return server.allocation(client.path);
    }

    /** Made by the engine; the path of the client is a bare one, about as large as that of transport. */
    private static double allocation() {
        return perClient(false);
    }

    private static double call() {
        return perClient(true);
    }

    private static double perClient(boolean whole) {
        BareServer server = new BareServer(true);
        int first = server.worker.allocations().deadlines().length;
        int capacity = first;
        while (capacity < MANY) {
            capacity += capacity >> 1;
        }
        long before = sizeOf(server.worker);
        for (int i = 0; i < capacity; i++) {
            BareClient client = new BareClient(server, i);
            client.path.last = new byte[0];
            if (whole) {
                client.call();
            } else {
                client.send(client.allocate);
            }
        }
        return (double) (sizeOf(server.worker) - before) / capacity;
    }

    /** A real one of transport, on loopback. The kernel's part is not on the heap. */
    private static double relayedSocket() throws Exception {
        ServerState state = new ServerState(ServerSettings.with(
                Map.of("workers", 1, "relayedAddressIPv4", "127.0.0.1", "relayedAddressIPv6", "none")));
        new TransportComponent(state);
        state.engineSlot().bind(new RelayEngineComponent(state, Map.of("realm", BareServer.REALM)).engine(), -1);
        Worker worker = state.worker(0);
        // What is made once, by the first socket, is not counted.
        open(worker, 1);
        long before = sizeOf(worker);
        open(worker, SOCKETS);
        return (double) (sizeOf(worker) - before) / SOCKETS;
    }

    private static void open(Worker worker, int count) throws Exception {
        List<Object> opened = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        worker.loop().execute(() -> {
            try {
                for (int i = 0; i < count; i++) {
                    opened.add(worker.loop().openRelayedSocket(new InetSocketAddress("127.0.0.1", 0), null));
                }
            } finally {
                done.countDown();
            }
        });
        done.await();
        if (opened.size() != count || !opened.stream().allMatch(SocketOpening.Opened.class::isInstance)) {
            throw new IllegalStateException("not all sockets opened: " + opened.get(opened.size() - 1));
        }
    }
}
