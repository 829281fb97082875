package dev.turntable.state;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import dev.turntable.api.auth.CredentialSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** A source that answers as the test says. */
record FakeSource(String name, Function<CredentialQuery, CompletionStage<CredentialAnswer>> answers)
        implements CredentialSource {
    @Override
    public CompletionStage<CredentialAnswer> find(CredentialQuery query) {
        return answers.apply(query);
    }

    @Override
    public boolean supportsSha256() {
        return name.contains("sha256");
    }

    @Override
    public boolean supportsUserhash() {
        return name.contains("userhash");
    }
}
