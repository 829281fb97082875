package dev.turntable.state;

/** Holds the engine that judges packets now, and swaps it. */
public final class EngineSlot {
    /** The engine, or null while there is none and reading is paused. One volatile read. */
    public RelayEngine current() {
        throw new UnsupportedOperationException();
    }

    /**
     * A new engine takes over at the next packet; reading resumes where it was paused. Not on a worker.
     *
     * @param bundleId for listings; -1 outside a framework
     */
    public void bind(RelayEngine engine, long bundleId) {
        throw new UnsupportedOperationException();
    }

    /**
     * An engine goes. Where it is the current one reading is paused first. Returns when no worker is in a call of it any more, or when
     * {@code swapWaitMillis} have passed. Not on a worker.
     */
    public void unbind(RelayEngine engine) {
        throw new UnsupportedOperationException();
    }
}
