package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WaitingRequestsTest {
    private static final CredentialQuery QUERY = new CredentialQuery.ByName("alice", "example.org");
    private static final CredentialAnswer ALICE = new CredentialAnswer.Password("alice", "secret", 0);

    private final Platter platter = new Platter();
    private final WaitingRequests waiting = platter.worker.waitingRequests();
    private final HandLoop loop = new HandLoop();
    private final FakeEngine engine = new FakeEngine("1");
    private final FakePath path = platter.newPath();
    private final List<CompletableFuture<CredentialAnswer>> asked = new ArrayList<>();

    @BeforeEach
    void aSlowSourceAndAnEngine() {
        platter.worker.attach(loop);
        platter.server.engineSlot().bind(engine, 1);
        platter.server
                .credentialSources()
                .add(
                        new FakeSource("slow", query -> {
                            CompletableFuture<CredentialAnswer> answer = new CompletableFuture<>();
                            asked.add(answer);
                            return answer;
                        }),
                        0);
    }

    /** A request of that transaction. */
    private static Packet request(int transaction) {
        return new CopiedPacket(new HeapPacket(ByteBuffer.allocate(20)
                .putInt(0x0003_0000)
                .putInt(0x2112_A442)
                .putInt(0)
                .putInt(0)
                .putInt(transaction)));
    }

    private record HeapPacket(ByteBuffer memory) implements Packet {
        @Override
        public int length() {
            return memory.capacity();
        }

        @Override
        public int getInt(int offset) {
            return memory.getInt(offset);
        }

        @Override
        public int start() {
            return 0;
        }
    }

    @Test
    void aSourceThatAnswersAtOnceLetsNothingWait() {
        platter.server
                .credentialSources()
                .add(new FakeSource("fast", query -> CompletableFuture.completedFuture(ALICE)), 1);
        assertSame(ALICE, waiting.find(QUERY, path, request(1)));
        assertEquals(0, waiting.size());
        assertEquals(0, asked.size());
    }

    @Test
    void theAnswerComesToTheEngineOnTheLoopWithTheRequestAndTheAllocationOfThatMoment() {
        assertNull(waiting.find(QUERY, path, request(1)));
        Allocation allocation = platter.newAllocation(path);
        asked.get(0).complete(ALICE);
        assertEquals(0, engine.answered.size());
        loop.runAll();
        assertEquals(List.of(new FakeEngine.Answered(path, allocation, 0x0003_0000, ALICE)), engine.answered);
        assertEquals(0, waiting.size());
    }

    @Test
    void theSameTransactionDoesNotWaitTwice() {
        assertNull(waiting.find(QUERY, path, request(1)));
        assertNull(waiting.find(QUERY, path, request(1)));
        assertNull(waiting.find(QUERY, path, request(2)));
        assertNull(waiting.find(QUERY, platter.newPath(), request(1)));
        assertEquals(3, asked.size());
        assertEquals(3, waiting.size());
    }

    @Test
    void past5SecondsTheAnswerIsUnavailableAndALaterOneIsNotHeard() {
        assertNull(waiting.find(QUERY, path, request(1)));
        platter.advanceSeconds(4);
        platter.worker.sweep();
        assertEquals(0, engine.answered.size());
        platter.advanceSeconds(1);
        platter.worker.sweep();
        assertEquals(1, engine.answered.size());
        assertInstanceOf(
                CredentialAnswer.Unavailable.class, engine.answered.get(0).answer());
        asked.get(0).complete(ALICE);
        loop.runAll();
        assertEquals(1, engine.answered.size());
    }

    /** Case of the field: a swap while a source is slow; the client has one answer, not none and not two. */
    @Test
    void acrossASwapInPlaceTheNewEngineIsAskedOnce() {
        assertNull(waiting.find(QUERY, path, request(1)));
        assertNull(waiting.find(QUERY, path, request(2)));
        Thread running = new Thread(() -> platter.server.engineSlot().unbind(engine));
        running.start();
        while (running.isAlive()) {
            loop.runAll();
        }
        asked.get(0).complete(ALICE);
        loop.runAll();
        platter.worker.sweep();
        assertEquals(2, waiting.size());
        assertNull(waiting.find(QUERY, path, request(1)));
        FakeEngine next = new FakeEngine("2");
        platter.server.engineSlot().bind(next, 2);
        loop.runAll();
        asked.get(1).complete(ALICE);
        loop.runAll();
        platter.advanceSeconds(10);
        platter.worker.sweep();
        assertEquals(0, engine.answered.size());
        assertEquals(2, next.answered.size());
        assertEquals(0, waiting.size());
    }

    @Test
    void aWaitThatEndsWhileThereIsNoEngineIsAnsweredWhenOneComes() {
        assertNull(waiting.find(QUERY, path, request(1)));
        Thread running = new Thread(() -> platter.server.engineSlot().unbind(engine));
        running.start();
        while (running.isAlive()) {
            loop.runAll();
        }
        platter.advanceSeconds(6);
        platter.worker.sweep();
        platter.worker.sweep();
        asked.get(0).complete(ALICE);
        loop.runAll();
        platter.server.engineSlot().bind(engine, 1);
        loop.runAll();
        assertEquals(1, engine.answered.size());
        assertInstanceOf(
                CredentialAnswer.Unavailable.class, engine.answered.get(0).answer());
    }

    @Test
    void atMostSoManyWaitAndAFastSourceStillAnswersThen() {
        for (int i = 0; i < 4; i++) {
            assertNull(waiting.find(QUERY, path, request(i)));
        }
        assertNull(waiting.find(QUERY, path, request(5)));
        assertEquals(4, waiting.size());
        assertEquals(4, asked.size());
        int reason = platter.server.dropReasons().register("waiting-requests-full");
        assertEquals(1, platter.worker.drops().of(reason));
        platter.server
                .credentialSources()
                .add(new FakeSource("fast", query -> CompletableFuture.completedFuture(ALICE)), 1);
        assertSame(ALICE, waiting.find(QUERY, path, request(6)));
        asked.get(0).complete(ALICE);
        loop.runAll();
        assertEquals(3, waiting.size());
    }

    @Test
    void aSourceThatFailsLaterIsUnavailable() {
        assertNull(waiting.find(QUERY, path, request(1)));
        asked.get(0).completeExceptionally(new IllegalStateException("no connection"));
        loop.runAll();
        assertInstanceOf(
                CredentialAnswer.Unavailable.class, engine.answered.get(0).answer());
    }

    @Test
    void anEngineThatFailsOverAnAnswerIsAskedOnlyOnce() {
        engine.failure = new IllegalStateException("a bug");
        assertNull(waiting.find(QUERY, path, request(1)));
        asked.get(0).complete(ALICE);
        loop.runAll();
        loop.runAll();
        assertEquals(1, engine.answered.size());
        assertEquals(0, waiting.size());
    }

    @Test
    void whenTransportIsGoneNobodyIsAnswered() {
        assertNull(waiting.find(QUERY, path, request(1)));
        platter.worker.detach();
        asked.get(0).complete(ALICE);
        loop.runAll();
        assertEquals(0, engine.answered.size());
        assertEquals(0, waiting.size());
    }
}
