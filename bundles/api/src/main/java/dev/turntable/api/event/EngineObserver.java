package dev.turntable.api.event;

import dev.turntable.api.EngineInfo;

/** Is told of swaps. Registered as a service; called on the thread that swaps, never on a worker, and must return soon. */
public interface EngineObserver {
    /**
     * An engine took the slot.
     *
     * @param previous the one before it, or null for the first
     */
    void engineChanged(EngineInfo previous, EngineInfo current);

    /** The slot is empty and reading is paused. */
    void engineGone(EngineInfo last);
}
