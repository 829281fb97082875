package dev.turntable.state;

import dev.turntable.api.AddressText;
import dev.turntable.api.AllocationInfo;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What can be told of an allocation. The worker's thread. */
final class AllocationDescription {
    private AllocationDescription() {}

    static AllocationInfo of(Allocation allocation, boolean whole) {
        long now = allocation.worker().server().nanos();
        return new AllocationInfo(
                allocation.id(),
                allocation.username(),
                allocation.realm(),
                allocation.path().transport(),
                allocation.path().clientAddress(),
                allocation.path().serverAddress(),
                relayedAddresses(allocation, now),
                allocation.permissionCount(),
                allocation.channelBindingCount(),
                whole ? permissions(allocation, now) : List.of(),
                whole ? channelBindings(allocation, now) : List.of(),
                TimeUnit.NANOSECONDS.toSeconds(now - allocation.madeAtNanos),
                new AllocationInfo.Traffic(allocation.toPeerPackets, allocation.toPeerBytes),
                new AllocationInfo.Traffic(allocation.toClientPackets, allocation.toClientBytes));
    }

    private static List<AllocationInfo.Relayed> relayedAddresses(Allocation allocation, long now) {
        ServerConfiguration configuration = allocation.worker().server().configuration();
        List<AllocationInfo.Relayed> relayed = new ArrayList<>(2);
        addRelayed(relayed, allocation, false, configuration.externalIPv4(), now);
        addRelayed(relayed, allocation, true, configuration.externalIPv6(), now);
        return List.copyOf(relayed);
    }

    private static void addRelayed(
            List<AllocationInfo.Relayed> relayed, Allocation allocation, boolean ipv6, InetAddress external, long now) {
        RelayedSocket socket = allocation.relayed(ipv6);
        if (socket != null) {
            InetSocketAddress local = socket.localAddress();
            InetSocketAddress told = external == null ? local : new InetSocketAddress(external, local.getPort());
            relayed.add(new AllocationInfo.Relayed(told, local, secondsLeft(allocation.deadlineNanos(ipv6), now)));
        }
    }

    private static List<AllocationInfo.Permission> permissions(Allocation allocation, long now) {
        Permissions table = allocation.worker().permissions();
        List<AllocationInfo.Permission> permissions = new ArrayList<>();
        for (int p = table.first(allocation); p != Permissions.NONE; p = table.next(p)) {
            permissions.add(new AllocationInfo.Permission(
                    AddressText.of(AddressBits.toAddress(table.peerHi(p), table.peerLo(p))),
                    secondsLeft(table.deadlineNanos(p), now)));
        }
        return List.copyOf(permissions);
    }

    private static List<AllocationInfo.ChannelBinding> channelBindings(Allocation allocation, long now) {
        ChannelBindings table = allocation.worker().channelBindings();
        Permissions peers = allocation.worker().permissions();
        List<AllocationInfo.ChannelBinding> bindings = new ArrayList<>();
        for (int b = table.first(allocation); b != ChannelBindings.NONE; b = table.next(b)) {
            int peer = table.permission(b);
            bindings.add(new AllocationInfo.ChannelBinding(
                    table.channelNumber(b),
                    AddressBits.toAddress(peers.peerHi(peer), peers.peerLo(peer), table.peerPort(b)),
                    secondsLeft(table.deadlineNanos(b), now)));
        }
        return List.copyOf(bindings);
    }

    /** Rounded up; 0 for what waits for the sweep. */
    private static long secondsLeft(long deadlineNanos, long now) {
        long second = TimeUnit.SECONDS.toNanos(1);
        return deadlineNanos <= now ? 0 : (deadlineNanos - now + second - 1) / second;
    }
}
