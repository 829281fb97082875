package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import dev.turntable.state.ReapReason;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The stream connections of a loop, with the deadlines of those that have no allocation side by side in rows. Removing fills the hole with
 * the last row. The loop's thread alone, unless a method says otherwise.
 */
final class Streams {
    /** Connections that are ended before packets come to their turn again. */
    private static final int ENDED_AT_ONCE = 64;

    private final List<StreamQueue> touched = new ArrayList<>();
    private final AtomicInteger assigned = new AtomicInteger();
    private long[] deadlines = new long[16];
    private StreamConnection[] connections = new StreamConnection[16];
    private int size;
    private final Set<Splice> splices = new HashSet<>();

    /** Connections that have been given to this loop and have not ended. Any thread. */
    AtomicInteger assigned() {
        return assigned;
    }

    void add(StreamConnection connection, long deadlineNanos) {
        if (size == connections.length) {
            deadlines = Arrays.copyOf(deadlines, size + (size >> 1));
            connections = Arrays.copyOf(connections, size + (size >> 1));
        }
        deadlines[size] = deadlineNanos;
        connections[size] = connection;
        connection.setRow(size++);
    }

    void remove(StreamConnection connection) {
        int row = connection.row();
        int last = --size;
        deadlines[row] = deadlines[last];
        connections[row] = connections[last];
        connections[row].setRow(row);
        connections[last] = null;
    }

    /** One of the connections is joined with a peer's, and is no more in the rows. */
    void add(Splice splice) {
        splices.add(splice);
    }

    void remove(Splice splice) {
        splices.remove(splice);
    }

    int splices() {
        return splices.size();
    }

    void setDeadlineNanos(int row, long deadlineNanos) {
        deadlines[row] = deadlineNanos;
    }

    int size() {
        return size;
    }

    /** Ends those whose deadline has passed; returns whether there may be more. */
    boolean sweep(long nowNanos) {
        int ended = 0;
        for (int row = size - 1; row >= 0 && ended < ENDED_AT_ONCE; row--) {
            if (deadlines[row] <= nowNanos) {
                connections[row].expire();
                ended++;
            }
        }
        return ended == ENDED_AT_ONCE;
    }

    /** After a pause or at its beginning. */
    void updateReading() {
        // One may end, and the last takes its row.
        for (int row = size - 1; row >= 0; row--) {
            if (row < size) {
                connections[row].updateReading();
            }
        }
    }

    /** Something waits in a queue for the end of the batch. */
    void touch(StreamQueue queue) {
        touched.add(queue);
    }

    void flush() {
        if (touched.isEmpty()) {
            return;
        }
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).flush();
        }
        touched.clear();
    }

    /** Ends those of a listener that has closed there. */
    void closeAt(ClientTransport transport, InetSocketAddress server) {
        for (Splice splice : List.copyOf(splices)) {
            if (isAt(splice.client(), transport, server)) {
                splice.end();
            }
        }
        for (int row = size - 1; row >= 0; row--) {
            if (row < size && isAt(connections[row], transport, server)) {
                connections[row].close(ReapReason.SHUTDOWN);
            }
        }
    }

    private static boolean isAt(StreamConnection connection, ClientTransport transport, InetSocketAddress server) {
        return connection.transport() == transport && connection.server().equals(server);
    }

    void closeAll() {
        List.copyOf(splices).forEach(Splice::end);
        while (size > 0) {
            connections[size - 1].close(ReapReason.SHUTDOWN);
        }
    }
}
