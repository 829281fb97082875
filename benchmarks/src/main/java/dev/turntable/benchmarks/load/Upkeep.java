package dev.turntable.benchmarks.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Keeps one allocation alive while the load runs: Refresh, CreatePermission and ChannelBind in turn, one transaction at
 * a time. Belongs to the load's thread.
 */
final class Upkeep {
    private static final long FIRST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long RELIABLE_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(TurnClient.RELIABLE_WAIT_MILLIS);
    private static final int TRANSMISSIONS = 7;
    private static final int LIFETIME_SECONDS = 600;

    /** Sums over all allocations of a load. */
    static final class Counts {
        long transactions;
        long answered;
        long retransmissions;
        long unanswered;
        long staleNonces;
        long errors;
        /** Answers to a request that had been sent once and answered already. */
        long answeredTwice;
    }

    private final TurnClient client;
    private final int channelNumber;
    private final InetSocketAddress peer;
    private final Counts counts;

    private int turn;
    private TurnClient.Request request;
    private boolean waiting;
    private int transmissions;
    private long nextTransmissionNanos;

    /** @param channelNumber 0 where the allocation has no channel */
    Upkeep(TurnClient client, int channelNumber, InetSocketAddress peer, Counts counts) {
        this.client = client;
        this.channelNumber = channelNumber;
        this.peer = peer;
        this.counts = counts;
    }

    void begin(long nowNanos) throws IOException {
        if (!waiting) {
            counts.transactions++;
            turn++;
            transmit(newRequest(), nowNanos);
        }
    }

    /** Sends again what has not been answered in time. */
    void poll(long nowNanos) throws IOException {
        if (!waiting || nowNanos - nextTransmissionNanos < 0) {
            return;
        }
        if (transmissions == TRANSMISSIONS || client.wire().isReliable()) {
            waiting = false;
            counts.unanswered++;
            return;
        }
        counts.retransmissions++;
        request.writeTo(client.wire());
        nextTransmissionNanos = nowNanos + (FIRST_WAIT_NANOS << transmissions);
        transmissions++;
    }

    void onMessage(MessageReader message, long nowNanos) throws IOException {
        if (request == null || !message.belongsTo(request.transactionId())) {
            return;
        }
        if (!waiting) {
            if (transmissions == 1) {
                counts.answeredTwice++;
            }
            return;
        }
        switch (client.judge(request, message)) {
            case 0 -> {
                waiting = false;
                counts.answered++;
            }
            case 438 -> {
                counts.staleNonces++;
                transmit(newRequest(), nowNanos);
            }
            default -> {
                waiting = false;
                counts.errors++;
            }
        }
    }

    boolean isWaiting() {
        return waiting;
    }

    private TurnClient.Request newRequest() {
        return switch (turn % 3) {
            case 0 -> client.newRefresh(LIFETIME_SECONDS);
            case 1 -> client.newCreatePermission(peer.getAddress());
            default ->
                channelNumber == 0
                        ? client.newCreatePermission(peer.getAddress())
                        : client.newChannelBind(channelNumber, peer);
        };
    }

    private void transmit(TurnClient.Request next, long nowNanos) throws IOException {
        request = next;
        waiting = true;
        transmissions = 1;
        nextTransmissionNanos = nowNanos + (client.wire().isReliable() ? RELIABLE_WAIT_NANOS : FIRST_WAIT_NANOS);
        next.writeTo(client.wire());
    }
}
