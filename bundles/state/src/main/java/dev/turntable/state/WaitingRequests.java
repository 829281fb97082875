package dev.turntable.state;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of a worker that wait for a credential source: bytes, path, deadline. Bounded. When the answer comes the engine of that
 * moment is asked, so that a swap neither loses nor doubles an answer; while there is none, the answer waits for one. The worker's
 * thread alone.
 */
public final class WaitingRequests {
    private static final Logger LOGGER = LoggerFactory.getLogger(WaitingRequests.class);

    /** Names a transaction of a client (RFC 8489 §5): the five-tuple and the 96 bits behind the magic cookie. */
    private record Transaction(int localEnd, long clientHi, long clientLo, int clientPort, long idHi, int idLo) {
        static Transaction of(ClientPath path, Packet packet) {
            boolean whole = packet.length() >= 20;
            return new Transaction(
                    path.localEnd(),
                    path.clientHi(),
                    path.clientLo(),
                    path.clientPort(),
                    whole ? ((long) packet.getInt(8) << 32) | (packet.getInt(12) & 0xFFFF_FFFFL) : 0,
                    whole ? packet.getInt(16) : 0);
        }
    }

    /** A request and, once it is there, its answer. */
    private static final class Waiting {
        private final Transaction transaction;
        private final ClientPath path;
        private final Packet request;
        private final long deadlineNanos;
        private CredentialAnswer answer;

        Waiting(Transaction transaction, ClientPath path, Packet request, long deadlineNanos) {
            this.transaction = transaction;
            this.path = path;
            this.request = request;
            this.deadlineNanos = deadlineNanos;
        }
    }

    private final Worker worker;
    private final int full;
    private final RareLog troubles = new RareLog(LOGGER);
    private final Map<Transaction, Waiting> waiting = new LinkedHashMap<>();

    WaitingRequests(Worker worker) {
        this.worker = worker;
        full = worker.server().dropReasons().register("waiting-requests-full");
    }

    /**
     * Asks the sources. Where they answer at once, that is the result and nothing is kept. Otherwise the packet is copied, null is
     * returned, and {@link RelayEngine#answered} comes later (with {@code Unavailable} past the deadline). The same transaction of the
     * same client does not wait twice.
     *
     * @return the answer, or null where it will come later or, with the table full, never (a counted drop)
     */
    public CredentialAnswer find(CredentialQuery query, ClientPath path, Packet packet) {
        if (!waiting.isEmpty() && waiting.containsKey(Transaction.of(path, packet))) {
            return null;
        }
        ServerConfiguration configuration = worker.server().configuration();
        boolean mayWait = waiting.size() < configuration.maxWaitingRequests();
        CompletableFuture<CredentialAnswer> asked =
                worker.server().credentialSources().find(query, mayWait);
        if (asked != null && asked.isDone()) {
            return CredentialSources.answerOf(asked);
        }
        if (asked == null || !mayWait) {
            worker.drops().add(full);
            return null;
        }
        Transaction transaction = Transaction.of(path, packet);
        long waitNanos = TimeUnit.MILLISECONDS.toNanos(configuration.credentialWaitMillis());
        Waiting row = new Waiting(transaction, path.lasting(), new CopiedPacket(packet), worker.now() + waitNanos);
        waiting.put(transaction, row);
        CompletableFuture<?> unused = asked.whenComplete((answer, failure) -> postAnswer(row, asked));
        return null;
    }

    /** On whichever thread the source answers. */
    private void postAnswer(Waiting row, CompletableFuture<CredentialAnswer> asked) {
        WorkerLoop loop = worker.loop();
        if (loop != null) {
            loop.execute(() -> answered(row, CredentialSources.answerOf(asked)));
        }
    }

    public int size() {
        return waiting.size();
    }

    /** Ends the wait of those whose deadline has passed. Called by the worker once a second. */
    void expire() {
        if (waiting.isEmpty()) {
            return;
        }
        for (Waiting row : List.copyOf(waiting.values())) {
            if (row.answer == null && row.deadlineNanos <= worker.now()) {
                answered(row, new CredentialAnswer.Unavailable("no source answered in time"));
            }
        }
    }

    /** An engine has come: hands it the answers that came while there was none. */
    void deliver() {
        for (Waiting row : new ArrayList<>(waiting.values())) {
            if (row.answer != null) {
                deliver(row);
            }
        }
    }

    /** Nobody is there to be answered any more. */
    void clear() {
        waiting.clear();
    }

    private void answered(Waiting row, CredentialAnswer answer) {
        if (waiting.get(row.transaction) == row && row.answer == null) {
            row.answer = answer;
            deliver(row);
        }
    }

    private void deliver(Waiting row) {
        RelayEngine engine = worker.server().engineSlot().current();
        if (engine == null) {
            return;
        }
        waiting.remove(row.transaction);
        Transaction client = row.transaction;
        Allocation allocation = worker.allocations()
                .byFiveTuple(client.localEnd(), client.clientHi(), client.clientLo(), client.clientPort());
        try {
            engine.answered(worker, row.path, allocation, row.request, row.answer);
        } catch (RuntimeException | LinkageError e) {
            troubles.warn(worker.now(), "worker {}: the engine failed over a request that waited", worker.index(), e);
        }
    }
}
