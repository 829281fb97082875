package dev.turntable.state;

/**
 * The free ports of one address family. Each of those that would do is equally likely; whatever is taken or given back costs the same,
 * however full the range is. Any thread.
 */
final class FreePorts {
    private final int capacity;
    private final PortSet even;
    private final PortSet odd;
    /** Even ports that are free together with the port above. */
    private final PortSet pairs;

    private final SecureNumbers random = new SecureNumbers();

    FreePorts(int first, int capacity) {
        this.capacity = capacity;
        even = new PortSet(first, capacity);
        odd = new PortSet(first, capacity);
        pairs = new PortSet(first, capacity);
        for (int port = first; port < first + capacity; port++) {
            free(port);
        }
    }

    synchronized int take() {
        int free = even.size() + odd.size();
        if (free == 0) {
            return PortPool.NONE;
        }
        int chosen = random.below(free);
        return taken(chosen < even.size() ? even.at(chosen) : odd.at(chosen - even.size()));
    }

    synchronized int takeEven() {
        return even.size() == 0 ? PortPool.NONE : taken(even.at(random.below(even.size())));
    }

    synchronized int takePair() {
        if (pairs.size() == 0) {
            return PortPool.NONE;
        }
        int port = pairs.at(random.below(pairs.size()));
        taken(port);
        taken(port + 1);
        return port;
    }

    private int taken(int port) {
        (isEven(port) ? even : odd).remove(port);
        pairs.remove(port & ~1);
        return port;
    }

    synchronized void free(int port) {
        (isEven(port) ? even : odd).add(port);
        int lower = port & ~1;
        if (even.contains(lower) && odd.contains(lower + 1)) {
            pairs.add(lower);
        }
    }

    synchronized int inUse() {
        return capacity - even.size() - odd.size();
    }

    int capacity() {
        return capacity;
    }

    private static boolean isEven(int port) {
        return (port & 1) == 0;
    }

    /** A set of ports of a range, of which the n-th can be asked for. */
    private static final class PortSet {
        private final int first;
        private final char[] ports;
        /** By port: its place plus one; zero where it is not in the set. */
        private final int[] places;

        private int size;

        PortSet(int first, int capacity) {
            this.first = first;
            ports = new char[capacity];
            places = new int[capacity];
        }

        int size() {
            return size;
        }

        int at(int place) {
            return ports[place];
        }

        boolean contains(int port) {
            int offset = port - first;
            return offset >= 0 && offset < places.length && places[offset] != 0;
        }

        void add(int port) {
            int offset = port - first;
            if (offset >= 0 && offset < places.length && places[offset] == 0) {
                ports[size++] = (char) port;
                places[offset] = size;
            }
        }

        void remove(int port) {
            if (contains(port)) {
                int place = places[port - first] - 1;
                char last = ports[--size];
                ports[place] = last;
                places[last - first] = place + 1;
                places[port - first] = 0;
            }
        }
    }
}
