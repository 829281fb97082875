package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Allocations, their peers on shared sockets, and reservations as maps with real deadlines, done twice: here and in the tables. {@link
 * #check} finds where the two differ. The first half of the clients have sockets of their own, the others share two for each family.
 */
final class TablesModel {
    static final int CLIENTS = 6;
    static final int PEERS = 24;
    static final int PORTS = 3;
    static final int NUMBERS = 40;
    static final int TOKENS = 8;

    private static final int FIRST_PORT = 50_000;
    private static final int LAST_PORT = 50_009;
    private static final int FIRST_SHARED_PORT = 40_000;
    private static final int SHARED_SOCKETS = 2;
    private static final int MOST_SHARED_PEERS = 2;

    private record Binding(int peer, int port, long deadline) {}

    private record Endpoint(RelayedSocket socket, int peer, int port) {}

    private record Reserved(long token, boolean ipv6, int port, long deadline) {}

    /** What one client has, in maps. */
    private static final class Owner {
        private final FakePath path;
        private final Allocation allocation;
        private final Map<Boolean, Long> relayed = new HashMap<>();
        private final Map<Boolean, FakeSocket> sockets = new HashMap<>();
        private final Map<Integer, Long> permissions = new HashMap<>();
        private final Map<Integer, Binding> bindings = new HashMap<>();

        Owner(FakePath path, Allocation allocation) {
            this.path = path;
            this.allocation = allocation;
        }

        boolean isBound(int peer) {
            return bindings.values().stream().anyMatch(binding -> binding.peer == peer);
        }

        void removeFamily(boolean ipv6) {
            relayed.remove(ipv6);
            sockets.remove(ipv6);
            permissions.keySet().removeIf(peer -> isIPv6(peer) == ipv6);
            bindings.values().removeIf(binding -> isIPv6(binding.peer) == ipv6);
        }
    }

    private final Platter platter = new Platter(Platter.configuration(FIRST_PORT, LAST_PORT, false));
    private final Worker worker = platter.worker;
    private final Map<Integer, Owner> owners = new HashMap<>();
    private final List<Allocation> ended = new ArrayList<>();
    private final List<FakeSocket> sharedSockets = new ArrayList<>();
    private final Map<Endpoint, Owner> sharedPeers = new HashMap<>();
    /** The last ones that were made, there or not. */
    private final List<Long> tokens = new ArrayList<>();

    private final Map<Long, Reserved> reservations = new HashMap<>();

    TablesModel() {
        for (int i = 0; i < SHARED_SOCKETS; i++) {
            sharedSockets.add(platter.newSharedSocket(false, FIRST_SHARED_PORT + 2 * i));
            sharedSockets.add(platter.newSharedSocket(true, FIRST_SHARED_PORT + 2 * i + 1));
        }
    }

    private static boolean isOnSharedSockets(int client) {
        return client >= CLIENTS / 2;
    }

    private static boolean isIPv6(int peer) {
        return peer % 3 == 0;
    }

    private static long hi(int peer) {
        return isIPv6(peer) ? Platter.IPV6 : 0;
    }

    private static long lo(int peer) {
        return isIPv6(peer) ? peer : Platter.IPV4 | peer;
    }

    void advance(int seconds) {
        platter.advanceSeconds(seconds);
    }

    /** Makes an allocation with one or both families, where the client has none and there are ports. */
    void allocate(int client, boolean ipv4, boolean ipv6, long seconds) {
        if (owners.containsKey(client)) {
            return;
        }
        Map<Boolean, Integer> ports = new HashMap<>();
        for (boolean family : new boolean[] {false, true}) {
            if (family ? ipv6 : ipv4) {
                int port = isOnSharedSockets(client) ? 0 : takePort(family);
                if (port != PortPool.NONE) {
                    ports.put(family, port);
                }
            }
        }
        if (!ports.isEmpty()) {
            allocate(client, ports, seconds);
        }
    }

    private int takePort(boolean ipv6) {
        int port = platter.server.ports().take(ipv6);
        Set<Integer> taken = takenPorts(ipv6);
        assertEquals(taken.size() == LAST_PORT - FIRST_PORT + 1, port == PortPool.NONE);
        assertFalse(taken.contains(port), "a port that another has");
        return port;
    }

    /** By sockets and reservations. */
    private Set<Integer> takenPorts(boolean ipv6) {
        Set<Integer> taken = new TreeSet<>();
        for (Owner owner : owners.values()) {
            FakeSocket socket = owner.sockets.get(ipv6);
            if (socket != null && !sharedSockets.contains(socket)) {
                taken.add(socket.localAddress().getPort());
            }
        }
        for (Reserved reserved : reservations.values()) {
            if (reserved.ipv6 == ipv6) {
                taken.add(reserved.port);
            }
        }
        return taken;
    }

    /** @param ports by family; of no matter where sockets are shared */
    private void allocate(int client, Map<Boolean, Integer> ports, long seconds) {
        FakePath path = new FakePath(client % 2, Platter.IPV4 | client / 2, 3000);
        Owner owner = new Owner(path, platter.newAllocation(path));
        ports.forEach((family, port) -> {
            owner.relayed.put(family, deadline(seconds));
            if (isOnSharedSockets(client)) {
                FakeSocket socket = (FakeSocket) worker.sharedPeers().leastLoaded(family);
                long least = sharedSockets.stream()
                        .filter(one -> isIPv6(one) == family)
                        .mapToLong(this::load)
                        .min()
                        .orElseThrow();
                assertEquals(least, load(socket));
                assertEquals(family, isIPv6(socket));
                owner.sockets.put(family, socket);
                worker.allocations().addRelayed(owner.allocation, socket, family, deadline(seconds));
            } else {
                owner.sockets.put(family, platter.relay(owner.allocation, family, port, deadline(seconds)));
            }
        });
        owners.put(client, owner);
    }

    private static boolean isIPv6(FakeSocket socket) {
        return AddressBits.isIPv6(socket.localAddress().getAddress());
    }

    private long load(FakeSocket socket) {
        return owners.values().stream()
                .filter(owner -> owner.sockets.containsValue(socket))
                .count();
    }

    /** As CreatePermission, ChannelBind and Send do it: for a peer that has a permission. */
    void claim(int client, int peer, int port) {
        Owner owner = owners.get(client);
        if (owner == null || !owner.permissions.containsKey(peer)) {
            return;
        }
        SharedPeers.Claim claimed =
                worker.sharedPeers().claim(owner.allocation, hi(peer), lo(peer), port, MOST_SHARED_PEERS);
        if (!isOnSharedSockets(client)) {
            assertEquals(SharedPeers.Claim.OWN, claimed);
            return;
        }
        Endpoint endpoint = new Endpoint(owner.sockets.get(isIPv6(peer)), peer, port);
        Owner holder = sharedPeers.get(endpoint);
        if (holder != null) {
            assertEquals(holder == owner ? SharedPeers.Claim.OWN : SharedPeers.Claim.TAKEN, claimed);
        } else if (sharedPeersOf(owner) == MOST_SHARED_PEERS) {
            assertEquals(SharedPeers.Claim.FULL, claimed);
        } else {
            assertEquals(SharedPeers.Claim.OWN, claimed);
            sharedPeers.put(endpoint, owner);
        }
    }

    private long sharedPeersOf(Owner owner) {
        return sharedPeers.values().stream().filter(holder -> holder == owner).count();
    }

    /** Those of peers without a permission are forgotten with it. */
    private void forgetSharedPeers() {
        sharedPeers
                .entrySet()
                .removeIf(one -> !owners.containsValue(one.getValue())
                        || !one.getValue().permissions.containsKey(one.getKey().peer));
    }

    /** Reserves a port, where there is one. */
    void reserve(boolean ipv6, long seconds) {
        int port = takePort(ipv6);
        if (port == PortPool.NONE) {
            return;
        }
        long token = platter.server.reservations().add(ipv6, port, deadline(seconds));
        assertNull(reservations.put(token, new Reserved(token, ipv6, port, deadline(seconds))), "a token twice");
        if (tokens.size() == TOKENS) {
            tokens.remove(0);
        }
        tokens.add(token);
    }

    /** Takes a reserved port for a client, or gives it back where the client has an allocation already. */
    void redeem(int client, int which, long seconds) {
        long token = which < tokens.size() ? tokens.get(which) : which;
        Reserved known = reservations.get(token);
        boolean good = known != null && known.deadline > worker.now();
        Reservations.Reservation taken = platter.server.reservations().take(token, worker.now());
        assertEquals(good ? new Reservations.Reservation(known.ipv6, known.port) : null, taken);
        if (!good) {
            return;
        }
        reservations.remove(token);
        if (owners.containsKey(client) || isOnSharedSockets(client)) {
            platter.server.ports().free(known.ipv6, known.port);
        } else {
            allocate(client, Map.of(known.ipv6, known.port), seconds);
        }
    }

    void refresh(int client, boolean ipv6, long seconds) {
        Owner owner = owners.get(client);
        if (owner != null && owner.relayed.computeIfPresent(ipv6, (family, before) -> deadline(seconds)) != null) {
            owner.allocation.setDeadlineNanos(ipv6, deadline(seconds));
        }
    }

    void delete(int client) {
        Owner owner = owners.remove(client);
        if (owner != null) {
            worker.delete(owner.allocation, ReapReason.REFRESH_ZERO);
            ended.add(owner.allocation);
            forgetSharedPeers();
        }
    }

    void deleteRelayed(int client, boolean ipv6) {
        Owner owner = owners.get(client);
        if (owner == null || !owner.relayed.containsKey(ipv6)) {
            return;
        }
        worker.deleteRelayed(owner.allocation, ipv6, ReapReason.REFRESH_ZERO);
        owner.removeFamily(ipv6);
        if (owner.relayed.isEmpty()) {
            owners.remove(client);
            ended.add(owner.allocation);
        }
        forgetSharedPeers();
    }

    void permit(int client, int peer, long seconds) {
        Owner owner = owners.get(client);
        if (owner == null || !owner.relayed.containsKey(isIPv6(peer))) {
            return;
        }
        int handle = worker.permissions().find(owner.allocation, hi(peer), lo(peer));
        if (handle == Permissions.NONE) {
            worker.permissions().add(owner.allocation, hi(peer), lo(peer), peer % 2, deadline(seconds));
        } else {
            worker.permissions().setDeadlineNanos(handle, deadline(seconds));
        }
        owner.permissions.put(peer, deadline(seconds));
    }

    /** As RFC 8656 §12.2 has it: a number is of one peer, and a peer of one number. */
    void bind(int client, int peer, int port, int number, long seconds) {
        Owner owner = owners.get(client);
        if (owner == null || !owner.permissions.containsKey(peer)) {
            return;
        }
        ChannelBindings table = worker.channelBindings();
        Binding known = owner.bindings.get(number);
        if (known == null) {
            if (owner.bindings.values().stream().anyMatch(other -> other.peer == peer && other.port == port)) {
                return;
            }
            int permission = worker.permissions().find(owner.allocation, hi(peer), lo(peer));
            table.add(owner.allocation, permission, port, 0x4000 + number, deadline(seconds));
        } else if (known.peer == peer && known.port == port) {
            table.setDeadlineNanos(table.byNumber(owner.allocation, 0x4000 + number), deadline(seconds));
        } else {
            return;
        }
        owner.bindings.put(number, new Binding(peer, port, deadline(seconds)));
    }

    private long deadline(long seconds) {
        return worker.now() + seconds * 1_000_000_000L;
    }

    /** Reaps what has expired, by walking the rows as a sweep does, and in the model. */
    void sweep() {
        long now = worker.now();
        ChannelBindings bindings = worker.channelBindings();
        for (int row = bindings.size() - 1; row >= 0; row--) {
            if (bindings.deadlines()[row] <= now) {
                bindings.remove(bindings.handleAt(row));
            }
        }
        Permissions permissions = worker.permissions();
        for (int row = permissions.size() - 1; row >= 0; row--) {
            if (permissions.deadlines()[row] <= now && permissions.bindingCount(permissions.handleAt(row)) == 0) {
                permissions.remove(permissions.handleAt(row));
            }
        }
        Allocations allocations = worker.allocations();
        for (int row = allocations.rows() - 1; row >= 0; row--) {
            if (row < allocations.rows() && allocations.deadlines()[row] <= now) {
                worker.deleteRelayed(allocations.allocationAt(row), allocations.isIPv6At(row), ReapReason.EXPIRED);
            }
        }
        for (Owner owner : owners.values()) {
            owner.bindings.values().removeIf(binding -> binding.deadline <= now);
            owner.permissions.entrySet().removeIf(one -> one.getValue() <= now && !owner.isBound(one.getKey()));
            for (boolean family : new boolean[] {false, true}) {
                if (owner.relayed.getOrDefault(family, Long.MAX_VALUE) <= now) {
                    owner.removeFamily(family);
                    if (owner.relayed.isEmpty()) {
                        ended.add(owner.allocation);
                    }
                }
            }
        }
        owners.values().removeIf(owner -> ended.contains(owner.allocation));
        forgetSharedPeers();
        int before = reservations.size();
        reservations.values().removeIf(reserved -> reserved.deadline <= now);
        assertEquals(before - reservations.size(), platter.server.reservations().sweep(now));
    }

    /** Every question that can be asked of the tables, of what is there and of what is not. */
    void check() {
        List<Long> relayedDeadlines = new ArrayList<>();
        List<Long> permissionDeadlines = new ArrayList<>();
        List<Long> bindingDeadlines = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            Owner owner = owners.get(client);
            Allocation found = worker.allocations().byFiveTuple(client % 2, 0, Platter.IPV4 | client / 2, 3000);
            if (owner == null) {
                assertNull(found, "an allocation that should not be");
                continue;
            }
            assertSame(owner.allocation, found);
            assertEquals(0, owner.path.timesEnded);
            relayedDeadlines.addAll(owner.relayed.values());
            for (boolean family : new boolean[] {false, true}) {
                assertEquals(owner.relayed.getOrDefault(family, 0L), found.deadlineNanos(family));
            }
            checkPermissions(owner, permissionDeadlines);
            checkBindings(owner, bindingDeadlines);
        }
        assertEquals(owners.size(), worker.allocations().size());
        assertRows(
                relayedDeadlines,
                worker.allocations().deadlines(),
                worker.allocations().rows());
        assertRows(
                permissionDeadlines,
                worker.permissions().deadlines(),
                worker.permissions().size());
        assertRows(
                bindingDeadlines,
                worker.channelBindings().deadlines(),
                worker.channelBindings().size());
        checkPorts();
        checkSharedPeers();
        assertEquals(owners.size(), platter.server.userCounts().of("alice"));
        for (Allocation gone : ended) {
            assertEquals(1, ((FakePath) gone.path()).timesEnded);
        }
    }

    private void checkPorts() {
        PortPool pool = platter.server.ports();
        assertEquals(takenPorts(false).size() + takenPorts(true).size(), pool.inUse());
        assertEquals(reservations.size(), platter.server.reservations().size());
        for (boolean family : new boolean[] {false, true}) {
            Set<Integer> live = new HashSet<>();
            for (Owner owner : owners.values()) {
                if (owner.sockets.containsKey(family)) {
                    live.add(owner.sockets.get(family).localAddress().getPort());
                }
            }
            for (int first : new int[] {FIRST_PORT, FIRST_SHARED_PORT}) {
                for (int port = first; port < first + 10; port++) {
                    assertEquals(live.contains(port), pool.isLive(family, port));
                }
            }
        }
    }

    private void checkSharedPeers() {
        SharedPeers table = worker.sharedPeers();
        assertEquals(sharedPeers.size(), table.size());
        for (FakeSocket socket : sharedSockets) {
            assertEquals(0, socket.timesClosed);
            for (int peer = 0; peer < PEERS; peer++) {
                for (int port = 0; port < PORTS; port++) {
                    Owner holder = sharedPeers.get(new Endpoint(socket, peer, port));
                    assertSame(holder == null ? null : holder.allocation, table.find(socket, hi(peer), lo(peer), port));
                }
            }
        }
        for (Owner owner : owners.values()) {
            assertEquals(sharedPeersOf(owner), owner.allocation.sharedPeerCount());
        }
    }

    private void checkPermissions(Owner owner, List<Long> deadlines) {
        Permissions table = worker.permissions();
        deadlines.addAll(owner.permissions.values());
        assertEquals(owner.permissions.size(), owner.allocation.permissionCount());
        Set<Integer> handles = new HashSet<>();
        for (int peer = 0; peer < PEERS; peer++) {
            int handle = table.find(owner.allocation, hi(peer), lo(peer));
            assertEquals(owner.permissions.containsKey(peer), handle != Permissions.NONE);
            if (handle != Permissions.NONE) {
                int ofPeer = peer;
                handles.add(handle);
                assertEquals(owner.permissions.get(peer), table.deadlineNanos(handle));
                assertEquals(hi(peer), table.peerHi(handle));
                assertEquals(lo(peer), table.peerLo(handle));
                assertEquals(peer % 2, table.flags(handle));
                assertSame(owner.allocation, table.allocation(handle));
                assertEquals(
                        owner.bindings.values().stream()
                                .filter(one -> one.peer == ofPeer)
                                .count(),
                        table.bindingCount(handle));
            }
        }
        Set<Integer> listed = new HashSet<>();
        for (int handle = table.first(owner.allocation); handle != Permissions.NONE; handle = table.next(handle)) {
            listed.add(handle);
        }
        assertEquals(handles, listed);
    }

    private void checkBindings(Owner owner, List<Long> deadlines) {
        ChannelBindings table = worker.channelBindings();
        owner.bindings.values().forEach(binding -> deadlines.add(binding.deadline));
        assertEquals(owner.bindings.size(), owner.allocation.channelBindingCount());
        Set<Integer> handles = new HashSet<>();
        Set<Integer> byPeer = new HashSet<>();
        for (int number = 0; number < NUMBERS; number++) {
            Binding binding = owner.bindings.get(number);
            int handle = table.byNumber(owner.allocation, 0x4000 + number);
            assertEquals(binding != null, handle != ChannelBindings.NONE);
            if (binding != null) {
                handles.add(handle);
                assertEquals(binding.deadline, table.deadlineNanos(handle));
                assertEquals(binding.port, table.peerPort(handle));
                assertEquals(0x4000 + number, table.channelNumber(handle));
                assertSame(owner.allocation, table.allocation(handle));
                assertEquals(
                        worker.permissions().find(owner.allocation, hi(binding.peer), lo(binding.peer)),
                        table.permission(handle));
            }
        }
        for (int peer = 0; peer < PEERS; peer++) {
            for (int port = 0; port < PORTS; port++) {
                int handle = table.byPeer(owner.allocation, hi(peer), lo(peer), port);
                if (handle != ChannelBindings.NONE) {
                    byPeer.add(handle);
                }
            }
        }
        Set<Integer> listed = new HashSet<>();
        for (int handle = table.first(owner.allocation); handle != ChannelBindings.NONE; handle = table.next(handle)) {
            listed.add(handle);
        }
        assertEquals(handles, listed);
        assertEquals(handles, byPeer);
    }

    private static void assertRows(List<Long> expected, long[] deadlines, int rows) {
        List<Long> dense = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            dense.add(deadlines[row]);
        }
        assertEquals(expected.size(), rows);
        assertEquals(sorted(expected), sorted(dense));
    }

    private static List<Long> sorted(List<Long> values) {
        return values.stream().sorted().toList();
    }

    /** For a failed try: what there was. */
    @Override
    public String toString() {
        return "clients " + new TreeSet<>(owners.keySet()) + ", permissions "
                + worker.permissions().size() + ", bindings "
                + worker.channelBindings().size() + ", shared peers "
                + sharedPeers.size() + ", reservations " + reservations.size();
    }
}
