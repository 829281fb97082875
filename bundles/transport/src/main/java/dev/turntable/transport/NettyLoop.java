package dev.turntable.transport;

import dev.turntable.state.Allocation;
import dev.turntable.state.EngineSlot;
import dev.turntable.state.PeerConnection;
import dev.turntable.state.RelayedConnection;
import dev.turntable.state.ServerConfiguration;
import dev.turntable.state.ServerState;
import dev.turntable.state.SocketOpening;
import dev.turntable.state.Worker;
import dev.turntable.state.WorkerLoop;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Hot path. The event loop of a worker: one thread, its sockets, and what one packet after the other is carried in.
 *
 * <p>A batch is what the loop reads in one turn over its sockets. It begins with the first read, which renews the worker's clock, and
 * ends after the last, when every socket that was sent from is flushed once; a long one is flushed in between. What other tasks send
 * leaves in the same way, after them.
 */
final class NettyLoop implements WorkerLoop {
    /** Datagrams after which a batch is flushed early, so that the first does not wait for the last of a thousand sockets. */
    private static final int EARLY_FLUSH = 64;

    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SLICE_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long CALL_SECONDS = 10;

    private final Worker worker;
    private final EngineSlot engines;
    private final ServerState server;
    private final TransportDrops reasons;
    private final IoTransport io;
    private final LoopSelectors selectors = new LoopSelectors();
    private final SingleThreadIoEventLoop eventLoop;
    private volatile Thread thread;

    private final ByteBufAllocator allocator;
    private final ReceivedPacket packet = new ReceivedPacket();
    private final IpNumbers senderNumbers = new IpNumbers();
    private final PeerAddresses peers = new PeerAddresses();
    private final FailureLog failures = new FailureLog();
    private final ServerEnds ends;
    private final Streams streams = new Streams();
    private final DtlsAssociations dtls;
    private final List<UdpSocket> sockets = new ArrayList<>();
    private final List<UdpSocket> touched = new ArrayList<>();
    private final RelayedTcp relayedTcp = new RelayedTcp(this);
    private final Runnable endOfBatch = this::endBatch;
    private final Runnable sweep = this::sweep;
    private ReceiveMemory memory;
    private SegmentRuns runs;
    private boolean reading;
    private boolean endScheduled;
    private int unflushed;
    private boolean paused;
    private boolean stopping;

    NettyLoop(ServerState server, int index, IoTransport io, TransportDrops reasons, DtlsShared shared) {
        this.server = server;
        this.worker = server.worker(index);
        this.engines = server.engineSlot();
        this.ends = new ServerEnds(this, worker);
        this.io = io;
        this.reasons = reasons;
        dtls = new DtlsAssociations(this, shared);
        // Its own arena: nothing is shared with another loop, and all of it goes with this one.
        this.allocator = new PooledByteBufAllocator(true, 0, 1, 8192, 9, 64, 32, false);
        this.eventLoop = new SingleThreadIoEventLoop(null, this::newThread, io.handlers(selectors));
    }

    private Thread newThread(Runnable run) {
        Thread made = new FastThreadLocalThread(run, "turntable-worker-" + worker.index());
        made.setContextClassLoader(NettyLoop.class.getClassLoader());
        made.setDaemon(true);
        thread = made;
        return made;
    }

    // Life

    void start() throws IOException {
        call(() -> {
            memory = new ReceiveMemory(allocator);
            boolean segments = server.configuration().udpSegmentation() && io.segments();
            runs = new SegmentRuns(allocator, io == IoTransport.EPOLL, segments);
            eventLoop.schedule(sweep, SWEEP_NANOS, TimeUnit.NANOSECONDS);
            return null;
        });
        worker.attach(this);
    }

    /** Sends what waits, ends the worker's allocations and closes its sockets; at the return its thread is gone. Not on the loop. */
    void stop() {
        try {
            call(() -> {
                stopping = true;
                endBatch();
                dtls.closeAll();
                worker.detach();
                for (UdpSocket socket : List.copyOf(sockets)) {
                    if (socket instanceof PeerSocket shared) {
                        worker.sharedPeers().removeSocket(shared);
                    }
                    socket.close();
                }
                streams.closeAll();
                relayedTcp.closeAll();
                runs.release();
                memory.release();
                return null;
            });
        } catch (IOException e) {
            failures.failed("Worker " + worker.index() + " did not stop in order", e);
        }
        eventLoop.shutdownGracefully(0, CALL_SECONDS, TimeUnit.SECONDS);
        Thread last = thread;
        try {
            if (last != null) {
                last.join(TimeUnit.SECONDS.toMillis(CALL_SECONDS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs something on the loop and waits for what comes of it, for at most ten seconds. Any thread but a loop's. */
    <T> T call(Callable<T> work) throws IOException {
        FutureTask<T> task = new FutureTask<>(work);
        try {
            eventLoop.execute(task);
            return task.get(CALL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException known) {
                throw known;
            }
            throw new IOException(e.getCause());
        } catch (TimeoutException | RejectedExecutionException e) {
            task.cancel(false);
            throw new IOException("worker " + worker.index() + " does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    // What state asks for

    @Override
    public void execute(Runnable task) {
        try {
            eventLoop.execute(new GuardedTask(this, task));
        } catch (RejectedExecutionException e) {
            // The loop has ended.
        }
    }

    @Override
    public boolean inLoop() {
        return eventLoop.inEventLoop();
    }

    @Override
    public SocketOpening openRelayedSocket(InetSocketAddress local, Allocation allocation) {
        boolean shared = allocation == null;
        ServerConfiguration configuration = server.configuration();
        int receiveBufferBytes =
                shared ? configuration.receiveBufferBytes() : configuration.relayedReceiveBufferBytes();
        try {
            PeerSocket socket = new PeerSocket(this, local, allocation);
            socket.open(new UdpSocket.Options(false, receiveBufferBytes, 0), shared);
            socket.read();
            return new SocketOpening.Opened(socket);
        } catch (BindException e) {
            return new SocketOpening.PortInUse();
        } catch (IOException e) {
            return new SocketOpening.Failed(e.getMessage());
        }
    }

    @Override
    public SocketOpening openRelayedListener(InetSocketAddress local, Allocation allocation) {
        return relayedTcp.listen(local, allocation);
    }

    @Override
    public RelayedConnection connect(PeerConnection row, InetSocketAddress local, long hi, long lo, int port) {
        return PeerChannel.connect(this, row, local, peers.of(hi, lo, port));
    }

    @Override
    public void pauseReading() {
        endBatch();
        paused = true;
        updateReading();
    }

    @Override
    public void resumeReading() {
        paused = false;
        dtls.takeHeld();
        updateReading();
    }

    private void updateReading() {
        for (int i = 0; i < sockets.size(); i++) {
            sockets.get(i).updateReading();
        }
        relayedTcp.updateReading();
        streams.updateReading();
    }

    boolean isPaused() {
        return paused;
    }

    // Batches

    /** @param windows of the receive memory that are to be filled; none where it is read into other memory */
    void beginRead(int windows) {
        if (!reading) {
            reading = true;
            worker.renewClock();
            scheduleEnd();
        }
        if (!memory.hasRoom(windows)) {
            flush();
            memory.rewind();
            if (!memory.hasRoom(windows)) {
                memory.replace();
            }
        }
    }

    /** Tasks run when the loop has been to all its ready sockets. */
    private void scheduleEnd() {
        if (!endScheduled) {
            endScheduled = true;
            eventLoop.execute(endOfBatch);
        }
    }

    private void endBatch() {
        reading = false;
        endScheduled = false;
        flush();
        memory.rewind();
    }

    /** A datagram waits in the queue of a socket. */
    void touch(UdpSocket socket) {
        if (socket.markTouched()) {
            touched.add(socket);
        }
        sends();
    }

    /** Something waits for the end of the batch. */
    void sends() {
        if (++unflushed < EARLY_FLUSH) {
            scheduleEnd();
        } else {
            flush();
            worker.renewClock();
        }
    }

    private void flush() {
        unflushed = 0;
        for (int i = 0; i < touched.size(); i++) {
            touched.get(i).flush();
        }
        touched.clear();
        streams.flush();
    }

    private void sweep() {
        long started = System.nanoTime();
        boolean more = false;
        try {
            more = worker.sweep() | streams.sweep(worker.now()) | dtls.sweep(worker.now());
            relayedTcp.sweep(worker.now());
        } catch (Throwable failure) {
            engineFailed(failure);
        }
        if (!stopping) {
            long delay = more ? SLICE_PAUSE_NANOS : Math.max(1, SWEEP_NANOS - (System.nanoTime() - started));
            eventLoop.schedule(sweep, delay, TimeUnit.NANOSECONDS);
        }
    }

    // Packets

    void drop(int reason) {
        worker.drops().add(reason);
    }

    void drop(int reason, int times) {
        worker.drops().add(reason, times);
    }

    void engineFailed(Throwable failure) {
        drop(reasons.engineFailure());
        failures.failed("The engine failed on worker " + worker.index(), failure);
    }

    // Parts that the sockets use

    void add(UdpSocket socket) {
        socket.setPlace(sockets.size());
        sockets.add(socket);
    }

    void remove(UdpSocket socket) {
        UdpSocket last = sockets.remove(sockets.size() - 1);
        if (last != socket) {
            sockets.set(socket.place(), last);
            last.setPlace(socket.place());
        }
    }

    RelayedTcp relayedTcp() {
        return relayedTcp;
    }

    ServerEnds ends() {
        return ends;
    }

    Streams streams() {
        return streams;
    }

    DtlsAssociations dtls() {
        return dtls;
    }

    Worker worker() {
        return worker;
    }

    EngineSlot engines() {
        return engines;
    }

    TransportDrops reasons() {
        return reasons;
    }

    IoTransport io() {
        return io;
    }

    @Override
    public String ioTransport() {
        return io.label();
    }

    LoopSelectors selectors() {
        return selectors;
    }

    SingleThreadIoEventLoop eventLoop() {
        return eventLoop;
    }

    ByteBufAllocator allocator() {
        return allocator;
    }

    ReceiveMemory memory() {
        return memory;
    }

    SegmentRuns runs() {
        return runs;
    }

    ReceivedPacket packet() {
        return packet;
    }

    IpNumbers senderNumbers() {
        return senderNumbers;
    }

    PeerAddresses peers() {
        return peers;
    }
}
