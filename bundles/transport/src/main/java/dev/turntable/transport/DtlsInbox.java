package dev.turntable.transport;

import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Arrays;

/** Datagrams of a client on their way from the worker to the thread that goes through its handshake. Bounded. Any thread. */
final class DtlsInbox {
    private static final int MOST = 16;
    private static final int MOST_BYTES = 65_536;

    private final ArrayDeque<byte[]> datagrams = new ArrayDeque<>();
    private int bytes;
    private boolean closed;

    /** Copies a datagram in; false where there is no room. */
    synchronized boolean offer(byte[] datagram, int length) {
        if (closed || datagrams.size() == MOST || bytes + length > MOST_BYTES) {
            return false;
        }
        datagrams.add(Arrays.copyOf(datagram, length));
        bytes += length;
        notifyAll();
        return true;
    }

    /** The next one; null where there is none. */
    synchronized byte[] poll() {
        byte[] first = datagrams.poll();
        if (first != null) {
            bytes -= first.length;
        }
        return first;
    }

    /**
     * The next one; null where none came in time.
     *
     * @throws InterruptedIOException where it is closed
     */
    synchronized byte[] take(int millis) throws InterruptedIOException {
        long until = System.nanoTime() + millis * 1_000_000L;
        while (!closed && datagrams.isEmpty()) {
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return null;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }
        if (closed) {
            throw new InterruptedIOException("given up");
        }
        return poll();
    }

    synchronized void close() {
        closed = true;
        datagrams.clear();
        notifyAll();
    }
}
