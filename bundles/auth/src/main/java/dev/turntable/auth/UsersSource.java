package dev.turntable.auth;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import dev.turntable.api.auth.CredentialSource;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.Designate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Users of a file, found by name and by userhash. */
@Component(
        service = CredentialSource.class,
        immediate = true,
        configurationPid = UsersSource.PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = UsersConfiguration.class)
public final class UsersSource implements CredentialSource {
    static final String PID = "dev.turntable.auth.users";

    private static final Logger LOG = LoggerFactory.getLogger(UsersSource.class);

    private final FileWatch watch;
    private final Future<?> watching;

    /** Null where the source is switched off, or no configuration was good yet. */
    private volatile CredentialFile<Users> file;

    /** What is wrong with the configuration that came last. */
    private volatile String refused = "";

    /** Whose hash was found to be for another realm, so that a changed realm is told once for each reading. */
    private volatile Users warnedOf;

    @Activate
    public UsersSource(@Reference FileWatch watch, UsersConfiguration configuration) {
        this.watch = watch;
        modified(configuration);
        this.watching = watch.everySecond(this::check);
    }

    private static CredentialFile<Users> open(Path path, Users before) {
        if (path == null) {
            return null;
        }
        CredentialFile<Users> opened = new CredentialFile<>(path, Users::parse, Users.NONE, before);
        opened.check();
        return opened;
    }

    @Modified
    void modified(UsersConfiguration configuration) {
        try {
            Path path = CredentialFile.pathOf("usersFile", configuration.usersFile());
            if (!Objects.equals(path, CredentialFile.pathOf(file))) {
                file = open(path, file == null ? Users.NONE : file.current());
            }
            refused = "";
        } catch (IllegalArgumentException e) {
            String why = "configuration " + PID + " refused: " + e.getMessage();
            if (!why.equals(refused)) {
                String stays = file == null ? "it knows nobody until it is good" : "the one before stays in force";
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
        CredentialFile<Users> watched = file;
        if (watched != null) {
            watched.check();
        }
    }

    private Users users() {
        CredentialFile<Users> asked = file;
        return asked == null ? Users.NONE : asked.current();
    }

    @Override
    public CompletionStage<CredentialAnswer> find(CredentialQuery query) {
        Users users = users();
        if (query instanceof CredentialQuery.ByName byName) {
            return CompletableFuture.completedFuture(answer(users, users.named(byName.username()), byName.realm()));
        }
        CredentialQuery.ByUserhash byHash = (CredentialQuery.ByUserhash) query;
        if (users.isHashedFor(byHash.realm())) {
            return CompletableFuture.completedFuture(find(users, byHash));
        }
        try {
            // Hashing a large file takes too long for a worker's thread.
            return CompletableFuture.supplyAsync(() -> find(users, byHash), watch);
        } catch (RejectedExecutionException e) {
            return CompletableFuture.completedFuture(
                    new CredentialAnswer.Unavailable("the users file is being closed"));
        }
    }

    private CredentialAnswer find(Users users, CredentialQuery.ByUserhash query) {
        return answer(users, users.withUserhash(query.userhash(), query.realm()), query.realm());
    }

    /** The name goes back in its one prepared form, whichever spelling the client has: it is the name that is counted. */
    private CredentialAnswer answer(Users users, User user, String realm) {
        if (user == null) {
            return CredentialAnswer.UNKNOWN;
        }
        if (user instanceof User.WithPassword withPassword) {
            return new CredentialAnswer.Password(user.name(), withPassword.password(), 0);
        }
        User.WithKeys withKeys = (User.WithKeys) user;
        if (withKeys.realm().equals(realm)) {
            return new CredentialAnswer.Keys(user.name(), withKeys.md5Key(), withKeys.sha256Key(), 0);
        }
        if (warnedOf != users) {
            warnedOf = users;
            LOG.warn("{} has hashes for another realm than that of this server, {}", file, realm);
        }
        return new CredentialAnswer.Refused("the hash in the users file is for another realm");
    }

    @Override
    public String problem() {
        CredentialFile<Users> watched = file;
        return !refused.isEmpty() || watched == null ? refused : watched.problem();
    }

    @Override
    public String name() {
        return "users-file";
    }

    /** An HA1 of MD5 cannot be turned into a key for SHA-256. */
    @Override
    public boolean supportsSha256() {
        return users().allKnowSha256();
    }

    @Override
    public boolean supportsUserhash() {
        return true;
    }
}
