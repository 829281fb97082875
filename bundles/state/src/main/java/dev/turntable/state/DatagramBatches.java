package dev.turntable.state;

import java.util.SortedMap;

/**
 * How many UDP datagrams a worker's calls into the kernel carried: what reading and sending them together is worth. Written by the worker's
 * thread, read by any. Called for each batch.
 */
public final class DatagramBatches {
    private static final int READS = 0;
    private static final int READ = 1;
    private static final int READ_AS_SEGMENTS = 2;
    private static final int WRITES = 3;
    private static final int WRITTEN = 4;
    private static final int WRITTEN_AS_SEGMENTS = 5;

    private static final String[] NAMES = {
        "udp.reads",
        "udp.reads.datagrams",
        "udp.reads.segments",
        "udp.writes",
        "udp.writes.datagrams",
        "udp.writes.segments"
    };

    private final OwnedCounters counters = new OwnedCounters(NAMES.length);

    DatagramBatches() {}

    /** One call into the kernel read so many datagrams. */
    public void countRead(int datagrams) {
        counters.add(READS, 1);
        counters.add(READ, datagrams);
    }

    /** So many of those that were read came as one message (UDP_GRO). */
    public void countReadAsSegments(int datagrams) {
        counters.add(READ_AS_SEGMENTS, datagrams);
    }

    /** A socket's queue was handed to the kernel. */
    public void countWrite() {
        counters.add(WRITES, 1);
    }

    /** So many datagrams are in a socket's queue; more than one of them as one message (UDP_SEGMENT). */
    public void countWritten(int datagrams) {
        counters.add(WRITTEN, datagrams);
        if (datagrams > 1) {
            counters.add(WRITTEN_AS_SEGMENTS, datagrams);
        }
    }

    /** Adds its numbers to those of other workers. Any thread. */
    void addTo(SortedMap<String, Long> sums) {
        for (int i = 0; i < NAMES.length; i++) {
            sums.merge(NAMES[i], counters.get(i), Long::sum);
        }
    }
}
