package dev.turntable.state;

/** How many allocations each user has, server-wide, for the engine's limits (486). Any thread. */
public final class UserCounts {
    public int of(String username) {
        throw new UnsupportedOperationException();
    }

    /**
     * Counts one more unless there are {@code most} already. The teardown of the allocation gives it back.
     *
     * @param most 0 for no limit
     */
    public boolean take(String username, int most) {
        throw new UnsupportedOperationException();
    }

    /** Gives one back. */
    public void free(String username) {
        throw new UnsupportedOperationException();
    }
}
