package dev.turntable.api.auth;

import java.util.concurrent.CompletionStage;

/**
 * Knows users. Registered as a service; sources are asked in the order of {@code service.ranking}, highest first, until one
 * knows the user.
 *
 * <p>A source must not block the calling thread, which is a worker's: one that has to wait answers by completing the stage later,
 * on any thread. Answers are awaited for a bounded time, for a bounded number of requests.
 */
public interface CredentialSource {
    /** Asks for a user. Never returns null; a stage that fails counts as {@link CredentialAnswer.Unavailable}. */
    CompletionStage<CredentialAnswer> find(CredentialQuery query);

    /** A name for listings, such as {@code users-file}. */
    String name();

    /**
     * Whether each of its users can be authenticated with SHA-256 (RFC 8489 §9.2.1). The server offers it only when every source
     * can.
     */
    boolean supportsSha256();

    /** Whether it finds users by {@link CredentialQuery.ByUserhash} (RFC 8489 §9.2). Offered only when every source can. */
    boolean supportsUserhash();

    /** What an operator should look at in this source, one sentence for {@code turn:info}; empty where nothing is wrong. Does not wait. */
    default String problem() {
        return "";
    }
}
