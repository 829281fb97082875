package dev.turntable.state;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import java.util.concurrent.CompletionStage;

/** The credential sources there are, in the order of their ranking. Any thread. */
public final class CredentialSources {
    /** Whether there is one at all; without, TURN is refused and Binding served. */
    public boolean isEmpty() {
        throw new UnsupportedOperationException();
    }

    /** Whether all of them can serve SHA-256 (RFC 8489 §9.2.1). False where there is none. */
    public boolean supportSha256() {
        throw new UnsupportedOperationException();
    }

    /** Whether all of them can serve USERHASH. False where there is none. */
    public boolean supportUserhash() {
        throw new UnsupportedOperationException();
    }

    /** Asks one after the other until one knows the user. A source that throws or fails counts as unavailable. */
    public CompletionStage<CredentialAnswer> find(CredentialQuery query) {
        throw new UnsupportedOperationException();
    }
}
