package dev.turntable.benchmarks;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import dev.turntable.api.auth.CredentialSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A source that answers at once, as the built-in ones do, with a password: the server makes the key. */
final class OneUser implements CredentialSource {
    static final String NAME = "user";
    static final String PASSWORD = "pass";

    @Override
    public CompletionStage<CredentialAnswer> find(CredentialQuery query) {
        boolean known = query instanceof CredentialQuery.ByName byName
                && byName.username().equals(NAME);
        return CompletableFuture.completedFuture(
                known ? new CredentialAnswer.Password(NAME, PASSWORD, 0) : CredentialAnswer.UNKNOWN);
    }

    @Override
    public String name() {
        return "one-user";
    }

    @Override
    public boolean supportsSha256() {
        return false;
    }

    @Override
    public boolean supportsUserhash() {
        return false;
    }
}
