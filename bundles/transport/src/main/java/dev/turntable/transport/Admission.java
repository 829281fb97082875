package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A connection at the door: a proxy names its client, its first byte tells what is spoken, a handshake is gone through, and then it is moved to its worker with what
 * it has said by then. All of it takes a bounded time, and none of the worker's. The door's thread alone, until {@link #arrived}.
 */
final class Admission extends ChannelInboundHandlerAdapter {
    static final int LONGEST_SECONDS = 10;

    private static final int TLS_HANDSHAKE = 22;
    private static final int LAST_OF_STUN = 3;

    private final StreamListener listener;
    private final Door door;
    private final NettyLoop loop;
    private final InetSocketAddress server;
    private volatile InetSocketAddress client;
    private volatile InetAddress countedSource;
    private boolean headerAwaited;
    private Channel channel;
    private ChannelHandlerContext context;
    private Future<?> deadline;
    private ClientTransport transport;
    private boolean shakingHands;
    private boolean ended;
    private boolean inputEnded;
    private ByteBuf held;

    /**
     * @param loop of the worker that it will be on
     * @param isProxy whether a PROXY header comes first; the client is in it, and its source has not been counted
     */
    Admission(
            StreamListener listener,
            Door door,
            NettyLoop loop,
            InetSocketAddress server,
            InetSocketAddress client,
            boolean isProxy) {
        this.listener = listener;
        this.door = door;
        this.loop = loop;
        this.server = server;
        this.client = client;
        headerAwaited = isProxy;
        countedSource = isProxy ? null : client.getAddress();
    }

    /** Source that the connection is counted for; null for none. Any thread. */
    InetAddress countedSource() {
        return countedSource;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        channel = added.channel();
        deadline = added.executor().schedule(this::late, LONGEST_SECONDS, TimeUnit.SECONDS);
        channel.config().setAutoRead(true);
    }

    private void late() {
        refuse(loop.reasons().streamAdmissionLate());
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (ended || !bytes.isReadable()) {
            bytes.release();
        } else if (transport != null) {
            // What the client sent behind its handshake.
            hold(bytes);
        } else if (headerAwaited) {
            hold(bytes);
            readHeader();
        } else {
            tell(bytes);
        }
    }

    private void readHeader() {
        ProxyHeader header = ProxyHeader.read(held);
        if (header == ProxyHeader.NEED_MORE) {
            return;
        }
        if (header == ProxyHeader.BAD) {
            refuse(loop.reasons().proxyHeaderBad());
            return;
        }
        headerAwaited = false;
        if (header.client() != null) {
            client = header.client();
        }
        if (!listener.connections().takeSource(client.getAddress(), listener.limits())) {
            refuse(loop.reasons().streamCapped());
            return;
        }
        countedSource = client.getAddress();
        ByteBuf rest = held.skipBytes(header.length());
        held = null;
        if (rest.isReadable()) {
            tell(rest);
        } else {
            rest.release();
        }
    }

    private void tell(ByteBuf bytes) {
        int first = bytes.getUnsignedByte(bytes.readerIndex());
        if (first == TLS_HANDSHAKE && listener.offersSecured() && listener.tls() != null) {
            transport = ClientTransport.TLS;
            shakingHands = true;
            channel.pipeline().addBefore(context.name(), null, listener.tls().newHandler(loop.allocator()));
            channel.pipeline().fireChannelRead(bytes);
        } else if (first <= LAST_OF_STUN && listener.offersPlain()) {
            transport = ClientTransport.TCP;
            hold(bytes);
            leave();
        } else {
            bytes.release();
            refuse(loop.reasons().streamForeign());
        }
    }

    private void hold(ByteBuf bytes) {
        if (held == null) {
            held = bytes;
        } else {
            ByteBuf both = loop.allocator().directBuffer(held.readableBytes() + bytes.readableBytes());
            both.writeBytes(held).writeBytes(bytes);
            release();
            bytes.release();
            held = both;
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext from, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                shakingHands = false;
                leave();
            } else {
                handshakeFailed();
            }
        } else if (event == ChannelInputShutdownEvent.INSTANCE || event instanceof SslCloseCompletionEvent) {
            inputEnded = true;
            if (transport == null || shakingHands) {
                refuse(
                        shakingHands
                                ? loop.reasons().tlsHandshakeFailed()
                                : loop.reasons().streamAdmissionLate());
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        refuse(
                shakingHands
                        ? loop.reasons().tlsHandshakeFailed()
                        : loop.reasons().streamForeign());
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        end();
    }

    /** The alert that says why is still to be sent (RFC 8446 §6.2); the TLS handler closes behind it. */
    private void handshakeFailed() {
        if (!ended) {
            end();
            loop.execute(() -> loop.drop(loop.reasons().tlsHandshakeFailed()));
            context.executor().execute(channel::close);
        }
    }

    private void refuse(int reason) {
        if (!ended) {
            end();
            loop.execute(() -> loop.drop(reason));
            // From where the bytes come: there is nothing to say good-bye to.
            channel.pipeline().firstContext().close();
        }
    }

    private void end() {
        ended = true;
        deadline.cancel(false);
        release();
    }

    private void release() {
        if (held != null) {
            held.release();
            held = null;
        }
    }

    // The move

    /** Not before the read that is under way has ended. */
    private void leave() {
        deadline.cancel(false);
        channel.config().setAutoRead(false);
        context.executor().execute(() -> {
            if (!ended) {
                channel.deregister().addListener(this::left);
            }
        });
    }

    private void left(Future<?> done) {
        door.forgetLeft();
        if (done.isSuccess() && !ended) {
            loop.eventLoop().register(channel).addListener(this::arrived);
        } else {
            release();
            channel.close();
        }
    }

    /** On the worker's thread; reading is off. */
    private void arrived(Future<?> done) {
        if (!done.isSuccess() || ended || !channel.isActive() || !listener.accepts(server)) {
            ended = true;
            release();
            channel.close();
            return;
        }
        channel.config().setAllocator(loop.allocator());
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null && RenegotiationGuard.isNeeded(tls)) {
            channel.pipeline().addBefore(context.name(), null, new RenegotiationGuard(tls));
        }
        StreamConnection connection = new StreamConnection(loop, channel, transport, server, client, listener);
        channel.pipeline().replace(this, null, connection);
        ByteBuf first = held;
        held = null;
        connection.begin(first, inputEnded);
    }
}
