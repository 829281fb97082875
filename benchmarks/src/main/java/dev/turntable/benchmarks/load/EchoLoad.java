package dev.turntable.benchmarks.load;

import dev.turntable.api.ClientTransport;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * Numbered packets through many allocations to echoing peers and back, at a fixed rate that does not wait for answers;
 * each allocation is kept alive meanwhile. Everything runs in one thread of its own.
 */
public final class EchoLoad implements AutoCloseable {
    /** Nothing for so long at the end, and what is missing is lost and not late: a server on a starved machine may be far behind. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final long LONGEST_DRAIN_NANOS = TimeUnit.SECONDS.toNanos(60);
    /** When all is there. */
    private static final long QUIET_AFTER_ALL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int LIFETIME_SECONDS = 600;
    /** More allocations share them: each peer is a descriptor, as each client is. */
    private static final int MOST_PEERS = 2000;

    private final Settings settings;
    private final EchoPeers peers;
    private final Selector selector = Selector.open();
    private final List<EchoFlow> flows = new ArrayList<>();
    private final ByteBuffer in = ByteBuffer.allocateDirect(65536);
    private final ByteBuffer out = ByteBuffer.allocateDirect(65536);
    private final Histogram latencyMicros = new Histogram(TimeUnit.MINUTES.toMicros(1), 3);
    private final SingleWriterRecorder recentMicros = new SingleWriterRecorder(TimeUnit.MINUTES.toMicros(1), 3);
    private final EchoFlow.Counts counts = new EchoFlow.Counts(latencyMicros, recentMicros);
    private final Upkeep.Counts upkeep = new Upkeep.Counts();
    private final Thread thread = new Thread(this::runToTheEnd, "echo-load");

    private volatile boolean stopping;
    /** Copies for other threads, renewed each round of the loop. */
    private volatile long sent;

    private volatile long received;
    private Throwable failure;
    private long longestSilenceNanos;
    private long sendingNanos;

    /**
     * How much of what.
     *
     * @param transport not DTLS
     * @param allocations each with a client socket of its own; up to 2,000 have a peer of their own, more share them
     * @param packetsPerSecond of all allocations together
     * @param payloadBytes {@value EchoFlow#MIN_PAYLOAD_BYTES} to 1400
     * @param indications whether payloads travel in Send and Data indications; else on channels
     * @param peerAddress where the echoing peers are; its family is that of the relayed addresses
     * @param upkeepEvery time between two transactions of one allocation
     */
    public record Settings(
            ClientTransport transport,
            InetSocketAddress server,
            String username,
            String password,
            int allocations,
            int packetsPerSecond,
            int payloadBytes,
            boolean indications,
            InetAddress peerAddress,
            Duration upkeepEvery) {}

    /**
     * What came of it. Times in microseconds or milliseconds as named; {@code longestSilenceMillis} is the longest time
     * without any packet from the server while packets were sent.
     */
    public record Report(
            int allocations,
            long sent,
            long received,
            long lost,
            long echoedByPeers,
            long duplicated,
            long corrupted,
            long misrouted,
            long sendsRefused,
            double packetsPerSecond,
            long latencyP50Micros,
            long latencyP99Micros,
            long latencyP999Micros,
            long latencyMaxMicros,
            long longestSilenceMillis,
            long transactions,
            long answered,
            long retransmissions,
            long unanswered,
            long staleNonces,
            long errors,
            long answeredTwice,
            int allocationsAlive) {}

    private EchoLoad(Settings settings, EchoPeers peers) throws IOException {
        this.settings = settings;
        this.peers = peers;
    }

    /** Makes the allocations, permissions and channels, one after the other. The server must allow peers at that address. */
    public static EchoLoad open(Settings settings) throws IOException {
        if (settings.payloadBytes() < EchoFlow.MIN_PAYLOAD_BYTES || settings.payloadBytes() > 1400) {
            throw new IllegalArgumentException("payloadBytes " + settings.payloadBytes());
        }
        int peers = Math.min(settings.allocations(), MOST_PEERS);
        EchoLoad load = new EchoLoad(settings, EchoPeers.open(settings.peerAddress(), peers));
        try {
            for (int i = 0; i < settings.allocations(); i++) {
                load.addFlow(i);
            }
        } catch (IOException | RuntimeException e) {
            load.close();
            throw e;
        }
        return load;
    }

    public void start() {
        thread.start();
    }

    /** Packets sent so far; may be read while the load runs. */
    public long sent() {
        return sent;
    }

    /** Packets that came back so far; may be read while the load runs. */
    public long received() {
        return received;
    }

    /** Round trips since the last call of this method, in microseconds; may be read while the load runs, by one thread. */
    public Histogram takeLatencyMicros() {
        return recentMicros.getIntervalHistogram();
    }

    /** Ends the sending, waits for stragglers, ends the allocations. */
    public Report stop() throws IOException, InterruptedException {
        stopping = true;
        thread.join();
        if (failure != null) {
            throw new IOException("the load broke", failure);
        }
        int alive = endAll();
        return new Report(
                flows.size(),
                counts.sent,
                counts.received,
                counts.sent - counts.received,
                peers.echoed(),
                counts.duplicated,
                counts.corrupted,
                counts.misrouted,
                counts.sendsRefused,
                counts.received * 1e9 / sendingNanos,
                latencyMicros.getValueAtPercentile(50),
                latencyMicros.getValueAtPercentile(99),
                latencyMicros.getValueAtPercentile(99.9),
                latencyMicros.getMaxValue(),
                TimeUnit.NANOSECONDS.toMillis(longestSilenceNanos),
                upkeep.transactions,
                upkeep.answered,
                upkeep.retransmissions,
                upkeep.unanswered,
                upkeep.staleNonces,
                upkeep.errors,
                upkeep.answeredTwice,
                alive);
    }

    @Override
    public void close() throws IOException {
        stopping = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        selector.close();
        for (EchoFlow flow : flows) {
            flow.close();
        }
        peers.close();
    }

    private int endAll() throws IOException {
        int alive = 0;
        try {
            for (EchoFlow flow : flows) {
                alive += flow.end() ? 1 : 0;
            }
        } catch (SocketTimeoutException | PortUnreachableException e) {
            // The server is gone: no need to wait for each of them.
        }
        return alive;
    }

    private void addFlow(int index) throws IOException {
        EchoFlow flow = new EchoFlow(index, newAllocation(), peers.address(index), settings, counts, upkeep);
        flows.add(flow);
        flow.open();
    }

    /** RFC 8656 §7.4: a client that is answered 437 tries again from another port. */
    private TurnClient newAllocation() throws IOException {
        for (int tries = 1; ; tries++) {
            TurnClient client =
                    TurnClient.open(settings.transport(), settings.server(), settings.username(), settings.password());
            try {
                client.allocate(LIFETIME_SECONDS, settings.peerAddress() instanceof Inet6Address);
                return client;
            } catch (IOException e) {
                client.close();
                if (!(e instanceof TurnError error) || error.code() != 437 || tries == 10) {
                    throw e;
                }
            }
        }
    }

    private void runToTheEnd() {
        try {
            for (EchoFlow flow : flows) {
                SelectableChannel channel = flow.client().wire().channel();
                channel.configureBlocking(false);
                channel.register(selector, SelectionKey.OP_READ, flow);
            }
            send();
            drain();
            for (SelectionKey key : selector.keys()) {
                key.cancel();
            }
            selector.selectNow();
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    private void send() throws IOException {
        long start = System.nanoTime();
        long upkeepNanos = settings.upkeepEvery().toNanos() / flows.size();
        long upkeepsBegun = 0;
        long nextPoll = start;
        long lastReceived = start;
        long turn = 0;
        while (!stopping) {
            long now = System.nanoTime();
            long due = (long) ((now - start) * 1e-9 * settings.packetsPerSecond());
            while (turn < due) {
                flows.get((int) (turn++ % flows.size())).sendOne(out);
            }
            while (upkeepsBegun < (now - start) / upkeepNanos) {
                flows.get((int) (upkeepsBegun++ % flows.size())).upkeep().begin(now);
            }
            if (now - nextPoll >= 0) {
                poll(now);
                nextPoll = now + POLL_NANOS;
            }
            long before = counts.received;
            receive(1);
            now = System.nanoTime();
            if (counts.received != before) {
                lastReceived = now;
            }
            longestSilenceNanos = Math.max(longestSilenceNanos, now - lastReceived);
            sent = counts.sent;
            received = counts.received;
        }
        sendingNanos = System.nanoTime() - start;
    }

    /** Until all is there, or nothing has come for a while. */
    private void drain() throws IOException {
        long end = System.nanoTime() + LONGEST_DRAIN_NANOS;
        long quietSince = System.nanoTime();
        while (System.nanoTime() - end < 0) {
            long before = counts.received + upkeep.answered;
            receive(10);
            long now = System.nanoTime();
            poll(now);
            boolean complete = counts.received == counts.sent
                    && flows.stream().noneMatch(flow -> flow.upkeep().isWaiting());
            if (counts.received + upkeep.answered != before) {
                quietSince = now;
            }
            // Even when all is there a doubled packet may follow.
            if (now - quietSince > (complete ? QUIET_AFTER_ALL_NANOS : QUIET_NANOS)) {
                break;
            }
        }
        received = counts.received;
    }

    private void poll(long now) throws IOException {
        for (EchoFlow flow : flows) {
            flow.upkeep().poll(now);
            flow.client().wire().flush();
        }
    }

    private void receive(long waitMillis) throws IOException {
        try {
            selector.select(this::receive, waitMillis);
        } catch (ClosedSelectorException e) {
            throw new IOException("closed while the load ran", e);
        }
    }

    private void receive(SelectionKey key) {
        ((EchoFlow) key.attachment()).receiveAll(in);
    }
}
