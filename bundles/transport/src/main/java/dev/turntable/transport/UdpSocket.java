package dev.turntable.transport;

import dev.turntable.api.AddressText;
import dev.turntable.state.Packet;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.SegmentedDatagramPacket;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.unix.Errors.NativeIoException;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannelOption;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;

/**
 * Hot path. A UDP socket on one loop, and the handler of its channel. It has no queue of its own: what the kernel does not take at the
 * end of a batch is dropped and counted, as the datagrams of a call are worth nothing later. The worker's thread alone.
 */
abstract class UdpSocket extends ChannelInboundHandlerAdapter {
    private static final int LINUX_EADDRINUSE = 98;
    private static final IntegerUnixChannelOption LINUX_IPV6_V6ONLY =
            new IntegerUnixChannelOption("IPV6_V6ONLY", 41, 26);
    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(1);

    /**
     * @param sharesPort several sockets at one address, over which the kernel spreads the senders
     * @param receiveBufferBytes to ask for; 0 for the system's default
     * @param sendBufferBytes the same
     */
    record Options(boolean sharesPort, int receiveBufferBytes, int sendBufferBytes) {}

    private final NettyLoop loop;
    private final InetSocketAddress localAddress;
    private DatagramChannel channel;
    private java.nio.channels.DatagramChannel nio;
    private int place;
    private boolean open;
    private boolean reads;
    private boolean touched;
    private boolean flushing;
    private boolean blocked;
    private int longestSegment = Integer.MAX_VALUE;

    UdpSocket(NettyLoop loop, InetSocketAddress localAddress) {
        this.loop = loop;
        this.localAddress = localAddress;
    }

    /** A datagram came. It is released after the return. */
    abstract void received(ByteBuf content, InetSocketAddress sender);

    // Opening and closing

    /**
     * Binds it, before it returns; it is not read yet.
     *
     * @param manySenders read by recvmmsg
     * @throws BindException where the port is in use
     */
    final void open(Options options, boolean manySenders) throws IOException {
        boolean ipv6 = IpNumbers.isIPv6(localAddress);
        try {
            channel = loop.io() == IoTransport.EPOLL ? epollChannel(ipv6, options, manySenders) : nioChannel(ipv6);
            configure(options, manySenders);
            channel.pipeline().addLast(this);
            require(loop.eventLoop().register(channel));
            require(channel.bind(localAddress));
        } catch (IOException | RuntimeException e) {
            if (channel != null) {
                channel.unsafe().closeForcibly();
            }
            String where = AddressText.of(localAddress);
            throw isPortInUse(e, localAddress)
                    ? new BindException(where + " is in use")
                    : new IOException(where + " cannot be bound: " + e.getMessage(), e);
        }
        open = true;
        loop.add(this);
    }

    private DatagramChannel epollChannel(boolean ipv6, Options options, boolean manySenders) {
        EpollDatagramChannel made =
                new EpollDatagramChannel(ipv6 ? SocketProtocolFamily.INET6 : SocketProtocolFamily.INET);
        if (ipv6) {
            made.config().setOption(LINUX_IPV6_V6ONLY, 1);
        }
        if (options.sharesPort()) {
            made.config().setOption(UnixChannelOption.SO_REUSEPORT, true);
        }
        if (manySenders) {
            made.config().setOption(EpollChannelOption.MAX_DATAGRAM_PAYLOAD_SIZE, ReceiveMemory.WINDOW);
        } else if (loop.runs().joins()) {
            try {
                made.config().setUdpGro(true);
            } catch (ChannelException e) {
                loop.runs().saysOnce("Datagrams of one sender", e);
            }
        }
        return made;
    }

    private DatagramChannel nioChannel(boolean ipv6) throws IOException {
        nio = java.nio.channels.DatagramChannel.open(ipv6 ? StandardProtocolFamily.INET6 : StandardProtocolFamily.INET);
        return new NioDatagramChannel(nio);
    }

    private void configure(Options options, boolean manySenders) {
        channel.config().setAllocator(loop.allocator());
        channel.config().setRecvByteBufAllocator(new ReadBudget(loop, manySenders && loop.io() == IoTransport.EPOLL));
        channel.config().setWriteSpinCount(1);
        channel.config().setAutoRead(false);
        if (options.receiveBufferBytes() > 0) {
            channel.config().setOption(ChannelOption.SO_RCVBUF, options.receiveBufferBytes());
        }
        if (options.sendBufferBytes() > 0) {
            channel.config().setOption(ChannelOption.SO_SNDBUF, options.sendBufferBytes());
        }
    }

    /** What has to be done by now. */
    static void require(ChannelFuture future) throws IOException {
        if (!future.isDone()) {
            throw new IOException("not done at once");
        }
        if (!future.isSuccess()) {
            throw asIOException(future.cause());
        }
    }

    private static IOException asIOException(Throwable failure) {
        return failure instanceof IOException known ? known : new IOException(failure.getMessage(), failure);
    }

    static boolean isPortInUse(Exception failure, InetSocketAddress localAddress) throws IOException {
        if (failure instanceof NativeIoException known) {
            return known.expectedErr() == -LINUX_EADDRINUSE;
        }
        // The message is in the language of the system; an address that this host does not have is the other way to
        // fail.
        return failure instanceof BindException && NetworkInterface.getByInetAddress(localAddress.getAddress()) != null;
    }

    /** Receive buffer that the kernel granted, in bytes as one asks for it. */
    final int receiveBufferBytes() {
        int bytes = channel.config().getReceiveBufferSize();
        // Linux doubles what it is asked for, for its own book-keeping; the JDK halves it again.
        return nio == null ? bytes / 2 : bytes;
    }

    /** Asks for other buffers; returns what was granted for receiving. */
    final int resizeBuffers(int bytes) {
        channel.config().setReceiveBufferSize(bytes).setSendBufferSize(bytes);
        return receiveBufferBytes();
    }

    /** Begins to read, unless the loop is paused: then with the others. */
    final void read() {
        reads = true;
        updateReading();
    }

    final void updateReading() {
        channel.config().setAutoRead(reads && !loop.isPaused());
    }

    /** Sends what waits and closes it; the port is free at the return. */
    public void close() {
        if (!open) {
            return;
        }
        if (touched) {
            flush();
        }
        open = false;
        loop.remove(this);
        channel.unsafe().close(channel.unsafe().voidPromise());
        if (nio != null) {
            try {
                loop.selectors().releaseClosed();
            } catch (IOException e) {
                loop.drop(loop.reasons().receiveFailed());
            }
        }
    }

    final boolean isOpen() {
        return open;
    }

    public final InetSocketAddress localAddress() {
        return localAddress;
    }

    // Receiving

    @Override
    public final void channelRead(ChannelHandlerContext context, Object message) {
        DatagramPacket datagram = (DatagramPacket) message;
        try {
            received(datagram.content(), datagram.sender());
        } catch (Throwable failure) {
            loop.engineFailed(failure);
        } finally {
            datagram.release();
        }
    }

    /** The kernel refused a datagram, or reported an error in place of one. The socket goes on. */
    @Override
    public final void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        loop.drop(flushing ? loop.reasons().sendFailed() : loop.reasons().receiveFailed());
    }

    // Sending

    /** Queues a datagram until the end of the batch, and releases it. */
    final boolean send(ByteBuf datagram, InetSocketAddress to) {
        if (!takes()) {
            datagram.release();
            return false;
        }
        loop.runs().leave();
        write(datagram, to);
        loop.touch(this);
        return true;
    }

    /** The same with a header (or null), a range of a packet and zero bytes, without copying where the packet is this loop's. */
    final boolean send(ByteBuffer header, Packet packet, int offset, int length, int padding, InetSocketAddress to) {
        if (!(packet instanceof ReceivedPacket received)) {
            return send(Datagrams.copy(loop, header, packet, offset, length, padding), to);
        }
        if (!takes()) {
            return false;
        }
        loop.runs().add(this, to, header, received, offset, length, padding);
        loop.touch(this);
        return true;
    }

    /** Whether it takes a datagram; otherwise it is counted. */
    private boolean takes() {
        if (open && !isBlocked()) {
            return true;
        }
        loop.drop(open ? loop.reasons().sendBufferFull() : loop.reasons().socketClosed());
        return false;
    }

    final void write(ByteBuf datagram, InetSocketAddress to) {
        loop.worker().datagramBatches().countWritten(1);
        channel.unsafe().write(new DatagramPacket(datagram, to), channel.voidPromise());
    }

    /** @param size of its datagrams */
    final void write(SegmentRun run, int size, InetSocketAddress to) {
        loop.worker().datagramBatches().countWritten(run.segments());
        channel.unsafe().write(new SegmentedDatagramPacket(run, size, to), new RunPromise(run, size, to));
    }

    /** Length in bytes up to which the kernel takes several datagrams in one message. */
    final int longestSegment() {
        return longestSegment;
    }

    /** The end of a run: where the kernel does not take it as one message, its datagrams are sent one by one. */
    private final class RunPromise extends DefaultChannelPromise {
        private final SegmentRun run;
        private final int size;
        private final InetSocketAddress to;

        RunPromise(SegmentRun run, int size, InetSocketAddress to) {
            super(channel);
            this.run = run;
            this.size = size;
            this.to = to;
            run.retain();
        }

        @Override
        public boolean trySuccess(Void result) {
            run.release();
            return super.trySuccess(result);
        }

        @Override
        public boolean tryFailure(Throwable cause) {
            if (flushing) {
                longestSegment = loop.runs().refused(run, size, to, longestSegment, cause);
            } else {
                loop.drop(loop.reasons().socketClosed(), run.segments());
            }
            run.release();
            return super.tryFailure(cause);
        }
    }

    /** Sends an empty datagram, at once: Netty takes one out of its queue without sending it. */
    final boolean sendEmpty(InetSocketAddress to) {
        if (!takes()) {
            return false;
        }
        if (touched) {
            flush();
        }
        try {
            if (nio != null) {
                nio.send(NOTHING.duplicate().limit(0), to);
            } else {
                ((Socket) ((EpollDatagramChannel) channel).fd()).sendTo(NOTHING, 0, 0, to.getAddress(), to.getPort());
            }
            return true;
        } catch (IOException e) {
            loop.drop(loop.reasons().sendFailed());
            return false;
        }
    }

    /** Whether this is the first datagram since the last flush. */
    final boolean markTouched() {
        if (touched) {
            return false;
        }
        touched = true;
        return true;
    }

    final void flush() {
        loop.runs().leave();
        loop.worker().datagramBatches().countWrite();
        touched = false;
        flushing = true;
        do {
            channel.unsafe().flush();
        } while (loop.runs().sendsRefusedBy(this));
        flushing = false;
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        if (queue != null && !queue.isEmpty()) {
            block(queue);
        }
    }

    /**
     * The kernel's buffer is full. What it did not take is dropped; an empty datagram, which Netty does not send but takes out of the
     * queue when the socket is writable, holds the place until then.
     */
    private void block(ChannelOutboundBuffer queue) {
        while (queue.current() != null) {
            ByteBuf content = ((DatagramPacket) queue.current()).content();
            loop.drop(loop.reasons().sendBufferFull(), content instanceof SegmentRun run ? run.segments() : 1);
            queue.remove();
        }
        blocked = true;
        channel.unsafe().write(new DatagramPacket(Unpooled.EMPTY_BUFFER, localAddress), channel.voidPromise());
        channel.unsafe().flush();
    }

    private boolean isBlocked() {
        if (blocked) {
            ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
            blocked = queue != null && !queue.isEmpty();
        }
        return blocked;
    }

    // Parts that the loop and the subclasses use

    final NettyLoop loop() {
        return loop;
    }

    final int place() {
        return place;
    }

    final void setPlace(int place) {
        this.place = place;
    }
}
