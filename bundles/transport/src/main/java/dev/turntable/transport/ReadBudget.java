package dev.turntable.transport;

import dev.turntable.state.DatagramBatches;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Hot path. How much one socket reads when it is ready: it follows what came the last times, because a read that finds nothing costs a
 * system call, and each slot of a recvmmsg costs whether it is filled or not.
 */
final class ReadBudget implements RecvByteBufAllocator, RecvByteBufAllocator.ExtendedHandle {
    static final int MOST = 32;

    /** Full reads in a row before a socket that is read one by one may read twice as many. */
    private static final int PATIENCE = 4;

    private final NettyLoop loop;
    private final DatagramBatches batches;
    private final boolean batched;
    private int budget = 1;
    private int fullReads;
    private int messages;
    private int attempted;
    private int last;

    /** @param batched by recvmmsg, for sockets that many senders share; otherwise one by one */
    ReadBudget(NettyLoop loop, boolean batched) {
        this.loop = loop;
        this.batches = loop.worker().datagramBatches();
        this.batched = batched;
    }

    @Override
    @SuppressWarnings("deprecation")
    public Handle newHandle() {
        return this;
    }

    @Override
    public void reset(ChannelConfig config) {
        messages = 0;
        loop.beginRead(budget);
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator ignored) {
        return loop.memory().windows(batched ? budget : 1);
    }

    @Override
    public int guess() {
        return ReceiveMemory.WINDOW;
    }

    @Override
    public void incMessagesRead(int count) {
        messages += count;
        batches.countRead(count);
        if (!batched && count > 1) {
            batches.countReadAsSegments(count);
        }
    }

    @Override
    public void lastBytesRead(int count) {
        last = count;
        if (count >= 0) {
            loop.memory().used(count);
        }
    }

    @Override
    public int lastBytesRead() {
        return last;
    }

    @Override
    public void attemptedBytesRead(int count) {
        attempted = count;
    }

    @Override
    public int attemptedBytesRead() {
        return attempted;
    }

    @Override
    public boolean continueReading() {
        return !batched && messages < budget && !loop.isPaused();
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMore) {
        return continueReading();
    }

    @Override
    public void readComplete() {
        if (messages >= budget) {
            if (batched || ++fullReads >= PATIENCE) {
                fullReads = 0;
                budget = Math.min(2 * budget, MOST);
            }
            return;
        }
        fullReads = 0;
        if (!batched) {
            budget = Math.max(1, messages);
        } else if (messages <= budget / 4) {
            budget /= 2;
        }
    }
}
