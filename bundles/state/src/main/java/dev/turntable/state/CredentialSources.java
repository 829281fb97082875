package dev.turntable.state;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import dev.turntable.api.auth.CredentialSource;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The credential sources there are, in the order of their ranking. Any thread. */
public final class CredentialSources {
    private static final Logger LOGGER = LoggerFactory.getLogger(CredentialSources.class);
    private static final CompletableFuture<CredentialAnswer> UNKNOWN =
            CompletableFuture.completedFuture(CredentialAnswer.UNKNOWN);

    /** A source and its place. */
    private static final class Ranked {
        private final CredentialSource source;
        private final int ranking;
        /** Whether it ever did not answer at once. */
        private volatile boolean slow;

        Ranked(CredentialSource source, int ranking) {
            this.source = source;
            this.ranking = ranking;
        }
    }

    private final RareLog troubles = new RareLog(LOGGER);
    private volatile Ranked[] ranked = {};

    CredentialSources() {}

    /**
     * Adds a source behind those of the same or a higher ranking.
     *
     * @param ranking as {@code service.ranking}: the highest is asked first
     */
    public synchronized void add(CredentialSource source, int ranking) {
        List<Ranked> sources = new ArrayList<>(Arrays.asList(ranked));
        int place = 0;
        while (place < sources.size() && sources.get(place).ranking >= ranking) {
            place++;
        }
        sources.add(place, new Ranked(source, ranking));
        ranked = sources.toArray(Ranked[]::new);
    }

    /** Takes a source away; what it was asked before it may still answer. */
    public synchronized void remove(CredentialSource source) {
        ranked = Arrays.stream(ranked).filter(one -> one.source != source).toArray(Ranked[]::new);
    }

    /** Their names, for listings. */
    List<String> names() {
        return Arrays.stream(ranked).map(one -> one.source.name()).toList();
    }

    /** What is wrong with them, one sentence each. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (Ranked one : ranked) {
            try {
                String problem = one.source.problem();
                if (!problem.isEmpty()) {
                    problems.add(problem);
                }
            } catch (RuntimeException | LinkageError e) {
                problems.add("a credential source cannot say how it fares: " + e);
            }
        }
        return problems;
    }

    /** Whether there is one at all; without, TURN is refused and Binding served. */
    public boolean isEmpty() {
        return ranked.length == 0;
    }

    /** Whether all of them can serve SHA-256 (RFC 8489 §9.2.1). False where there is none. */
    public boolean supportSha256() {
        Ranked[] sources = ranked;
        for (Ranked one : sources) {
            if (!one.source.supportsSha256()) {
                return false;
            }
        }
        return sources.length != 0;
    }

    /** Whether all of them can serve USERHASH. False where there is none. */
    public boolean supportUserhash() {
        Ranked[] sources = ranked;
        for (Ranked one : sources) {
            if (!one.source.supportsUserhash()) {
                return false;
            }
        }
        return sources.length != 0;
    }

    /**
     * Asks one after the other until one does not answer {@code Unknown}. A source that throws or fails counts as unavailable, and
     * those behind it are not asked: it might have refused the user.
     */
    public CompletionStage<CredentialAnswer> find(CredentialQuery query) {
        return find(query, true);
    }

    /**
     * The same.
     *
     * @param mayWait where false, a source that is known to be slow is not asked, and null returned instead
     */
    CompletableFuture<CredentialAnswer> find(CredentialQuery query, boolean mayWait) {
        return find(ranked, 0, query, mayWait);
    }

    private CompletableFuture<CredentialAnswer> find(
            Ranked[] sources, int first, CredentialQuery query, boolean mayWait) {
        for (int i = first; i < sources.length; i++) {
            Ranked one = sources[i];
            if (!mayWait && one.slow) {
                return null;
            }
            CompletableFuture<CredentialAnswer> asked = ask(one.source, query);
            if (!asked.isDone()) {
                one.slow = true;
                int next = i + 1;
                return asked.handle((answer, failure) -> judged(one.source, answer, failure))
                        .thenCompose(answer -> answer instanceof CredentialAnswer.Unknown
                                ? find(sources, next, query, true)
                                : CompletableFuture.completedFuture(answer));
            }
            if (asked.isCompletedExceptionally() || asked.join() == null) {
                return asked.handle((answer, failure) -> judged(one.source, answer, failure));
            }
            if (!(asked.join() instanceof CredentialAnswer.Unknown)) {
                return asked;
            }
        }
        return UNKNOWN;
    }

    /**
     * A thread that a source starts meanwhile keeps, for as long as it runs, the class loaders of all callers up to the last privileged
     * one: without that, an engine that asked once would stay in memory.
     */
    @SuppressWarnings("removal") // Gone from Java as soon as threads inherit nothing.
    private static CompletableFuture<CredentialAnswer> ask(CredentialSource source, CredentialQuery query) {
        try {
            PrivilegedAction<CompletionStage<CredentialAnswer>> find = () -> source.find(query);
            return AccessController.doPrivileged(find).toCompletableFuture();
        } catch (RuntimeException | LinkageError e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CredentialAnswer judged(CredentialSource source, CredentialAnswer answer, Throwable failure) {
        if (failure == null && answer != null) {
            return answer;
        }
        troubles.warn(System.nanoTime(), "credential source {} failed", source.name(), failure);
        return new CredentialAnswer.Unavailable("credential source failed: " + failure);
    }

    /** What came of a question that is done. */
    static CredentialAnswer answerOf(CompletableFuture<CredentialAnswer> asked) {
        return asked.isCompletedExceptionally()
                ? new CredentialAnswer.Unavailable("credential source failed")
                : asked.join();
    }
}
