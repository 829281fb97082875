package dev.turntable.transport;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;

/**
 * Closes a TLS 1.2 connection whose client wants the handshake once more: a worker would pay for it. BoringSSL refuses by itself, the JDK
 * by a property of the whole JVM only, and TLS 1.3 has no such thing (RFC 8446 §4.1.2).
 */
final class RenegotiationGuard extends ChannelInboundHandlerAdapter {
    private final SSLEngine engine;

    RenegotiationGuard(SslHandler tls) {
        engine = tls.engine();
    }

    static boolean isNeeded(SslHandler tls) {
        return !(tls.engine() instanceof ReferenceCountedOpenSslEngine)
                && tls.engine().getSession().getProtocol().equals("TLSv1.2");
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING) {
            context.fireChannelReadComplete();
        } else {
            context.channel().close();
        }
    }
}
