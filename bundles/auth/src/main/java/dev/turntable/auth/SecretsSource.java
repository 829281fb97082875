package dev.turntable.auth;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import dev.turntable.api.auth.CredentialSource;
import dev.turntable.api.auth.TurnCredentials;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TURN REST shared secrets: knows every user whose name says {@code expiry:name}, and mints such users.
 *
 * <p>Configuration is required: without it the default path would get a secret that the operator, whose file names another one,
 * never sees.
 */
@Component(
        service = {CredentialSource.class, TurnCredentials.class},
        immediate = true,
        configurationPid = SecretsSource.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = SecretsConfiguration.class)
public final class SecretsSource implements CredentialSource, TurnCredentials {
    static final String PID = "dev.turntable.auth.secrets";

    private static final Logger LOG = LoggerFactory.getLogger(SecretsSource.class);
    private static final Duration MAX_LIFETIME = Duration.ofDays(30);

    /** A USERNAME is shorter than 509 bytes (RFC 8489 §14.3). */
    private static final int MAX_USERNAME_BYTES = 508;

    private final InstantSource clock;
    private final Future<?> watching;

    /** Null where the source is switched off, or no configuration was good yet. */
    private volatile CredentialFile<SharedSecrets> file;

    /** What is wrong with the configuration that came last. */
    private volatile String refused = "";

    @Activate
    public SecretsSource(@Reference FileWatch watch, SecretsConfiguration configuration) {
        this(watch, configuration, InstantSource.system());
    }

    SecretsSource(FileWatch watch, SecretsConfiguration configuration, InstantSource clock) {
        this.clock = clock;
        modified(configuration);
        this.watching = watch.everySecond(this::check);
    }

    private static CredentialFile<SharedSecrets> open(Path path, SharedSecrets before) {
        if (path == null) {
            return null;
        }
        FirstSecret.makeIfMissing(path);
        CredentialFile<SharedSecrets> opened = new CredentialFile<>(path, SharedSecrets::parse, null, before);
        opened.check();
        return opened;
    }

    @Modified
    void modified(SecretsConfiguration configuration) {
        try {
            Path path = CredentialFile.pathOf("secretFile", configuration.secretFile());
            if (!Objects.equals(path, CredentialFile.pathOf(file))) {
                file = open(path, file == null ? SharedSecrets.NONE : file.current());
            }
            refused = "";
        } catch (IllegalArgumentException e) {
            String why = "configuration " + PID + " refused: " + e.getMessage();
            if (!why.equals(refused)) {
                String stays = file == null ? "nobody can be judged until it is good" : "the one before stays in force";
                LOG.error("{}; {}", why, stays);
            }
            refused = why;
        }
    }

    @Deactivate
    void stop() {
        watching.cancel(false);
    }

    void check() {
        CredentialFile<SharedSecrets> watched = file;
        if (watched != null) {
            watched.check();
        }
    }

    private boolean isOff() {
        return file == null && refused.isEmpty();
    }

    private SharedSecrets current() {
        CredentialFile<SharedSecrets> asked = file;
        return asked == null ? SharedSecrets.NONE : asked.current();
    }

    @Override
    public CompletionStage<CredentialAnswer> find(CredentialQuery query) {
        return CompletableFuture.completedFuture(
                query instanceof CredentialQuery.ByName byName ? find(byName.username()) : CredentialAnswer.UNKNOWN);
    }

    private CredentialAnswer find(String username) {
        RestUsername user = isOff() ? null : RestUsername.parse(username);
        if (user == null) {
            return CredentialAnswer.UNKNOWN;
        }
        SharedSecrets shared = current();
        if (shared.isEmpty()) {
            return new CredentialAnswer.Unavailable("no shared secret could be read");
        }
        if (user.expiresAtEpochSecond() <= clock.instant().getEpochSecond()) {
            return new CredentialAnswer.Refused("the credential has expired");
        }
        return new CredentialAnswer.Passwords(username, shared.passwords(username), user.expiresAtEpochSecond());
    }

    @Override
    public Minted create(String name, Duration lifetime) {
        if (name.indexOf(':') >= 0 || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("name: no colon and no control character may be in it");
        }
        if (lifetime.getSeconds() < 1 || lifetime.compareTo(MAX_LIFETIME) > 0) {
            throw new IllegalArgumentException("lifetime: one second to 30 days, not " + lifetime);
        }
        SharedSecrets shared = current();
        if (shared.isEmpty()) {
            throw new IllegalStateException("no shared secret is configured (dev.turntable.auth.secrets: secretFile)");
        }
        Instant expiresAt = clock.instant().truncatedTo(ChronoUnit.SECONDS).plusSeconds(lifetime.getSeconds());
        String username = expiresAt.getEpochSecond() + ":" + name;
        if (username.getBytes(StandardCharsets.UTF_8).length > MAX_USERNAME_BYTES) {
            throw new IllegalArgumentException("name: the username would be longer than 508 bytes");
        }
        return new Minted(username, shared.mint(username), expiresAt);
    }

    @Override
    public String problem() {
        CredentialFile<SharedSecrets> watched = file;
        return !refused.isEmpty() || watched == null ? refused : watched.problem();
    }

    @Override
    public String name() {
        return "shared-secrets";
    }

    @Override
    public boolean supportsSha256() {
        return true;
    }

    /** A name with a time in it cannot be found by its hash. Switched off, the source has no such users. */
    @Override
    public boolean supportsUserhash() {
        return isOff();
    }
}
