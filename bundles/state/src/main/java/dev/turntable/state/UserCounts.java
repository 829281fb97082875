package dev.turntable.state;

import java.util.concurrent.ConcurrentHashMap;

/** How many allocations each user has, server-wide, for the engine's limits (486). Any thread. */
public final class UserCounts {
    private final ConcurrentHashMap<String, Integer> counts = new ConcurrentHashMap<>();

    UserCounts() {}

    public int of(String username) {
        return counts.getOrDefault(username, 0);
    }

    /**
     * Counts one more unless there are {@code most} already. The teardown of the allocation gives it back.
     *
     * @param most 0 for no limit
     */
    public boolean take(String username, int most) {
        while (true) {
            Integer count = counts.get(username);
            if (count == null) {
                if (counts.putIfAbsent(username, 1) == null) {
                    return true;
                }
            } else if (most > 0 && count >= most) {
                return false;
            } else if (counts.replace(username, count, count + 1)) {
                return true;
            }
        }
    }

    /** Gives one back. Where an allocation was made of it {@link Worker#delete} does. */
    public void free(String username) {
        counts.computeIfPresent(username, (name, count) -> count > 1 ? count - 1 : null);
    }
}
