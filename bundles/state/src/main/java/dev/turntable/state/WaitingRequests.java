package dev.turntable.state;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;

/**
 * Requests of a worker that wait for a credential source: bytes, path, deadline. Bounded. When the answer comes the engine of that
 * moment is asked, so that a swap neither loses nor doubles an answer. The worker's thread alone.
 */
public final class WaitingRequests {
    /**
     * Asks the sources. Where they answer at once, that is the result and nothing is kept. Otherwise the packet is copied, null is
     * returned, and {@link RelayEngine#answered} comes later (with {@code Unavailable} past the deadline). The same transaction of the
     * same client does not wait twice.
     *
     * @return the answer, or null where it will come later or, with the table full, never (a counted drop)
     */
    public CredentialAnswer find(CredentialQuery query, ClientPath path, Packet packet) {
        throw new UnsupportedOperationException();
    }

    public int size() {
        throw new UnsupportedOperationException();
    }

    /** Ends the wait of those whose deadline has passed. Called by the worker once a second. */
    void expire() {
        throw new UnsupportedOperationException();
    }
}
