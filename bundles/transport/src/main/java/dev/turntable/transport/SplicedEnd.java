package dev.turntable.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;

/**
 * Hot path. One half of a {@link Splice}: what it reads is written to the other, which is not copied; while the other has too much
 * waiting, it does not read.
 */
final class SplicedEnd extends ChannelInboundHandlerAdapter {
    private final Splice splice;
    private final Channel channel;
    private final boolean isClient;
    private ChannelHandlerContext context;
    private SplicedEnd other;
    private boolean inputEnded;
    private boolean outputEnding;
    private boolean outputEnded;

    SplicedEnd(Splice splice, Channel channel, boolean isClient, int queueBytes) {
        this.splice = splice;
        this.channel = channel;
        this.isClient = isClient;
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(queueBytes / 2, queueBytes));
    }

    void setOther(SplicedEnd end) {
        other = end;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    @Override
    public void channelRead(ChannelHandlerContext from, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (splice.isClosed() || other.outputEnding) {
            bytes.release();
            return;
        }
        splice.count(isClient, bytes.readableBytes());
        other.context.write(bytes, other.context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext from) {
        if (!splice.isClosed()) {
            other.context.flush();
            updateReading();
        }
    }

    /** Reads while the other end takes it. */
    void updateReading() {
        if (!splice.isClosed()) {
            channel.config().setAutoRead(!inputEnded && other.channel.isWritable());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext from) {
        other.updateReading();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext from, Object event) {
        if (event == ChannelInputShutdownEvent.INSTANCE || event instanceof SslCloseCompletionEvent) {
            endInput();
        }
    }

    /** Nothing more comes: so the other end says once it has sent what came. */
    void endInput() {
        if (!inputEnded && !splice.isClosed()) {
            inputEnded = true;
            other.endOutput();
        }
    }

    private void endOutput() {
        if (outputEnding) {
            return;
        }
        outputEnding = true;
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
            context.flush();
            tls.closeOutbound().addListener(this::outputEnded);
        } else {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER)
                    .addListener(
                            sent -> ((DuplexChannel) channel).shutdownOutput().addListener(this::outputEnded));
        }
    }

    private void outputEnded(Future<?> done) {
        outputEnded = true;
        if (splice.isClosed()) {
            return;
        }
        if (done.isSuccess()) {
            splice.halfEnded();
        } else {
            splice.end();
        }
    }

    boolean isOutputEnded() {
        return outputEnded;
    }

    @Override
    public void channelInactive(ChannelHandlerContext from) {
        splice.end();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext from, Throwable cause) {
        splice.end();
    }

    /** Sends what waits, for a while, and closes. */
    void close(NettyLoop loop) {
        channel.config().setAutoRead(false);
        if (channel.isActive() && channel.unsafe().outboundBuffer() != null) {
            loop.relayedTcp().closeFlushed(channel, context);
        } else {
            channel.close();
        }
    }
}
