package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import dev.turntable.api.auth.CredentialSource;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CredentialSourcesTest {
    private static final CredentialQuery QUERY = new CredentialQuery.ByName("alice", "example.org");
    private static final CredentialAnswer ALICE = new CredentialAnswer.Password("alice", "secret", 0);

    private final CredentialSources sources = new CredentialSources();

    /** Tells what is wrong with it. */
    private record Troubled(Supplier<String> problems) implements CredentialSource {
        @Override
        public String problem() {
            return problems.get();
        }

        @Override
        public CompletionStage<CredentialAnswer> find(CredentialQuery query) {
            return CompletableFuture.completedFuture(CredentialAnswer.UNKNOWN);
        }

        @Override
        public String name() {
            return "troubled";
        }

        @Override
        public boolean supportsSha256() {
            return true;
        }

        @Override
        public boolean supportsUserhash() {
            return true;
        }
    }

    private FakeSource add(String name, int ranking, CredentialAnswer answer) {
        FakeSource source = new FakeSource(name, query -> CompletableFuture.completedFuture(answer));
        sources.add(source, ranking);
        return source;
    }

    private CredentialAnswer ask() {
        return sources.find(QUERY).toCompletableFuture().join();
    }

    /** Stands for an engine; loaded by a loader of its own. */
    public static final class Engine implements Consumer<Runnable> {
        @Override
        public void accept(Runnable call) {
            call.run();
        }
    }

    /** A bundle's. */
    private static final class EngineLoader extends ClassLoader {
        WeakReference<ClassLoader> call(Runnable call) throws IOException, ReflectiveOperationException {
            String file = "/" + Engine.class.getName().replace('.', '/') + ".class";
            byte[] bytes;
            try (InputStream in = CredentialSourcesTest.class.getResourceAsStream(file)) {
                bytes = in.readAllBytes();
            }
            ProtectionDomain domain = new ProtectionDomain(null, null, this, null);
            Class<?> engine = defineClass(Engine.class.getName(), bytes, 0, bytes.length, domain);
            @SuppressWarnings("unchecked")
            Consumer<Runnable> made =
                    (Consumer<Runnable>) engine.getConstructor().newInstance();
            made.accept(call);
            return new WeakReference<>(this);
        }
    }

    @Test
    void aThreadThatASourceStartsDoesNotKeepTheEngineThatAsked() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        sources.add(
                new FakeSource("lazy", query -> {
                    new Thread(() -> awaitIn(end)).start();
                    return CompletableFuture.completedFuture(ALICE);
                }),
                0);
        try {
            WeakReference<ClassLoader> engine = new EngineLoader().call(() -> assertSame(ALICE, ask()));
            for (int i = 0; i < 100 && engine.get() != null; i++) {
                System.gc();
                Thread.sleep(10);
            }
            assertNull(engine.get(), "the engine's class loader");
        } finally {
            end.countDown();
        }
    }

    private static void awaitIn(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void withoutASourceNobodyIsKnown() {
        assertTrue(sources.isEmpty());
        assertSame(CredentialAnswer.UNKNOWN, ask());
    }

    @Test
    void whatIsWrongWithASourceIsToldAlsoWhereAnotherThrows() {
        add("fine", 0, ALICE);
        sources.add(new Troubled(() -> "its file is gone"), 0);
        sources.add(
                new Troubled(() -> {
                    throw new IllegalStateException("dizzy");
                }),
                0);
        assertEquals(
                List.of(
                        "its file is gone",
                        "a credential source cannot say how it fares: java.lang.IllegalStateException: dizzy"),
                sources.problems());
    }

    @Test
    void theHighestRankingIsAskedFirstAndOfEqualOnesTheOldest() {
        add("b", 0, CredentialAnswer.UNKNOWN);
        add("c", 0, CredentialAnswer.UNKNOWN);
        add("a", 5, CredentialAnswer.UNKNOWN);
        add("d", -5, CredentialAnswer.UNKNOWN);
        assertEquals(List.of("a", "b", "c", "d"), sources.names());
    }

    @Test
    void theFirstThatKnowsTheUserAnswersAndThoseAfterItAreNotAsked() {
        add("a", 2, CredentialAnswer.UNKNOWN);
        add("b", 1, ALICE);
        sources.add(
                new FakeSource("c", query -> {
                    throw new AssertionError("asked");
                }),
                0);
        assertSame(ALICE, ask());
    }

    @Test
    void aRefusalIsFinal() {
        add("a", 1, new CredentialAnswer.Refused("blocked"));
        add("b", 0, ALICE);
        assertInstanceOf(CredentialAnswer.Refused.class, ask());
    }

    @Test
    void aSourceThatThrowsOrFailsOrAnswersNothingIsUnavailable() {
        add("last", -1, ALICE);
        FakeSource throwing = new FakeSource("throws", query -> {
            throw new IllegalStateException("a bug");
        });
        sources.add(throwing, 1);
        assertInstanceOf(CredentialAnswer.Unavailable.class, ask());
        sources.remove(throwing);
        FakeSource failing =
                new FakeSource("fails", query -> CompletableFuture.failedFuture(new IllegalStateException()));
        sources.add(failing, 1);
        assertInstanceOf(CredentialAnswer.Unavailable.class, ask());
        sources.remove(failing);
        FakeSource silent = new FakeSource("null", query -> null);
        sources.add(silent, 1);
        assertInstanceOf(CredentialAnswer.Unavailable.class, ask());
        sources.remove(silent);
        assertSame(ALICE, ask());
    }

    @Test
    void aSlowSourceIsWaitedForAndTheNextAskedAfterIt() {
        CompletableFuture<CredentialAnswer> slow = new CompletableFuture<>();
        sources.add(new FakeSource("slow", query -> slow), 1);
        add("next", 0, ALICE);
        CompletableFuture<CredentialAnswer> asked = sources.find(QUERY).toCompletableFuture();
        assertFalse(asked.isDone());
        slow.complete(CredentialAnswer.UNKNOWN);
        assertSame(ALICE, asked.join());
    }

    @Tag("RFC8489§9.2.1")
    @Test
    void sha256AndUserhashAreOfferedOnlyWhereEachSourceCanServeThem() {
        assertFalse(sources.supportSha256());
        assertFalse(sources.supportUserhash());
        add("sha256-userhash", 0, ALICE);
        assertTrue(sources.supportSha256());
        assertTrue(sources.supportUserhash());
        add("sha256", 0, ALICE);
        assertTrue(sources.supportSha256());
        assertFalse(sources.supportUserhash());
    }
}
