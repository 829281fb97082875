package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import dev.turntable.state.Allocation;
import dev.turntable.state.Allocations;
import dev.turntable.state.ReapReason;
import dev.turntable.state.Worker;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** The server's ends of five-tuples on one worker. The worker's thread alone. */
final class ServerEnds {
    private final NettyLoop loop;
    private final Worker worker;
    private final Map<Integer, ServerEnd> ends = new HashMap<>();

    ServerEnds(NettyLoop loop, Worker worker) {
        this.loop = loop;
        this.worker = worker;
    }

    /** The end at that address; the same for ever. */
    ServerEnd at(InetSocketAddress local) {
        int number = worker.server().localEnd(ClientTransport.UDP, local);
        return ends.computeIfAbsent(
                number, key -> new ServerEnd(loop, key, worker.server().localEnd(ClientTransport.DTLS, local), local));
    }

    /** Ends the allocations over plain UDP whose client cannot be answered any more. */
    void endAllocationsOfClosed() {
        endAllocations(end -> !end.isOpen());
    }

    /** Ends the allocations over plain UDP there. */
    void endAllocationsAt(ServerEnd closed) {
        endAllocations(end -> end == closed);
    }

    private void endAllocations(Predicate<ServerEnd> ended) {
        Allocations allocations = worker.allocations();
        for (int row = allocations.rows() - 1; row >= 0; row--) {
            // A deletion moves the last row into its place, and an allocation may have two.
            if (row >= allocations.rows()) {
                continue;
            }
            Allocation allocation = allocations.allocationAt(row);
            ServerEnd end = ends.get(allocation.path().localEnd());
            if (end != null && ended.test(end)) {
                worker.delete(allocation, ReapReason.SHUTDOWN);
            }
        }
    }
}
