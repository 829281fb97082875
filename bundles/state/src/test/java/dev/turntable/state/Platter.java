package dev.turntable.state;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A server state with a clock that tests turn by hand, and what they put into it. */
final class Platter {
    static final long IPV4 = 0xFFFFL << 32;
    static final long IPV6 = 0x2001_0DB8_0000_0000L;

    final AtomicLong clock = new AtomicLong(-5);
    final ServerState server;
    final Worker worker;
    private int nextClientPort = 1024;

    Platter() {
        this(configuration(50000, 50099, false));
    }

    Platter(ServerConfiguration configuration) {
        server = new ServerState(configuration, clock::get);
        worker = server.worker(0);
    }

    static ServerConfiguration configuration(int portMin, int portMax, boolean shared) {
        return configuration(1, portMin, portMax, shared, 2_000);
    }

    static ServerConfiguration configuration(
            int workers, int portMin, int portMax, boolean shared, int swapWaitMillis) {
        return new ServerConfiguration(
                workers,
                address("192.0.2.1"),
                address("2001:db8::1"),
                null,
                null,
                portMin,
                portMax,
                shared,
                1,
                40000,
                1000,
                0,
                0,
                "auto",
                true,
                swapWaitMillis,
                10,
                5_000,
                4,
                65_536);
    }

    static InetAddress address(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    void advanceSeconds(long seconds) {
        clock.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        worker.renewClock();
    }

    FakePath newPath() {
        return new FakePath(1, IPV4 | 0xC000_0264L, nextClientPort++);
    }

    /** One without a relayed address. */
    Allocation newAllocation() {
        return newAllocation(newPath());
    }

    Allocation newAllocation(FakePath path) {
        server.userCounts().take("alice", 0);
        return worker.allocations().add(path, "alice", "example.org", new byte[16], 1, 0, 7, 9);
    }

    /** Gives it a socket of its own on a port of the pool. */
    FakeSocket relay(Allocation allocation, boolean ipv6, long deadlineNanos) {
        int port = server.ports().take(ipv6);
        if (port == PortPool.NONE) {
            throw new IllegalStateException("no port is free");
        }
        return relay(allocation, ipv6, port, deadlineNanos);
    }

    /** Gives it a socket of its own on a port that was taken from the pool. */
    FakeSocket relay(Allocation allocation, boolean ipv6, int port, long deadlineNanos) {
        FakeSocket socket =
                new FakeSocket(new InetSocketAddress(address(ipv6 ? "2001:db8::1" : "192.0.2.1"), port), allocation);
        worker.allocations().addRelayed(allocation, socket, ipv6, deadlineNanos);
        return socket;
    }

    FakeSocket newSharedSocket(boolean ipv6, int port) {
        FakeSocket socket =
                new FakeSocket(new InetSocketAddress(address(ipv6 ? "2001:db8::1" : "192.0.2.1"), port), null);
        worker.sharedPeers().addSocket(socket);
        return socket;
    }

    /** An allocation on the shared IPv4 socket. */
    Allocation newSharedAllocation(FakeSocket socket) {
        Allocation allocation = newAllocation();
        worker.allocations().addRelayed(allocation, socket, false, Long.MAX_VALUE);
        return allocation;
    }
}
