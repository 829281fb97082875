package dev.turntable.state;

import java.util.Arrays;
import java.util.SortedMap;

/** What a worker did since the server started. Written by the worker's thread, read by any. Called for each packet. */
final class WorkerTotals {
    private static final int ALLOCATIONS_MADE = 0;
    private static final int TO_PEER_PACKETS = 1;
    private static final int TO_PEER_BYTES = 2;
    private static final int TO_CLIENT_PACKETS = 3;
    private static final int TO_CLIENT_BYTES = 4;
    /** And one for each reason. */
    private static final int ENDED = 5;

    private static final ReapReason[] REASONS = ReapReason.values();
    private static final String[] NAMES = {
        "allocations.made",
        "relayed.to-peer.packets",
        "relayed.to-peer.bytes",
        "relayed.to-client.packets",
        "relayed.to-client.bytes"
    };

    private final OwnedCounters counters = new OwnedCounters(ENDED + REASONS.length);

    void countToPeer(int payloadBytes) {
        counters.add(TO_PEER_PACKETS, 1);
        counters.add(TO_PEER_BYTES, payloadBytes);
    }

    void countToClient(int payloadBytes) {
        counters.add(TO_CLIENT_PACKETS, 1);
        counters.add(TO_CLIENT_BYTES, payloadBytes);
    }

    void countMade() {
        counters.add(ALLOCATIONS_MADE, 1);
    }

    void countEnded(ReapReason reason) {
        counters.add(ENDED + Arrays.asList(REASONS).indexOf(reason), 1);
    }

    /** Adds its numbers to those of other workers. Any thread. */
    void addTo(SortedMap<String, Long> sums) {
        for (int i = 0; i < NAMES.length; i++) {
            sums.merge(NAMES[i], counters.get(i), Long::sum);
        }
        for (int i = 0; i < REASONS.length; i++) {
            sums.merge("allocations.ended." + REASONS[i].label(), counters.get(ENDED + i), Long::sum);
        }
    }
}
