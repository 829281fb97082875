package dev.turntable.benchmarks.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.TrustManager;

/** A TCP connection, plain or with TLS, which takes any certificate. All buffers are between calls as for reading. */
final class StreamWire implements Wire {
    private static final int HANDSHAKE_MILLIS = 30_000;
    private static final int MOST_WAITING_BYTES = 1 << 20;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    /** Null without TLS. */
    private final SSLEngine engine;
    /** Came, and is not decrypted. */
    private ByteBuffer sealed = NOTHING;
    /** Came, and is not taken. */
    private ByteBuffer plain = NOTHING;
    /** Not yet taken by the socket. */
    private ByteBuffer out = NOTHING;

    StreamWire(InetSocketAddress server, boolean tls) throws IOException {
        channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        engine = tls ? newEngine() : null;
        try {
            if (tls) {
                shakeHands();
            }
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    private static SSLEngine newEngine() throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustAnyone()}, null);
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(true);
            return engine;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private void shakeHands() throws IOException {
        channel.socket().setSoTimeout(HANDSHAKE_MILLIS);
        engine.beginHandshake();
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> {
                    seal(NOTHING);
                    flush();
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unseal()) {
                        sealed = fill(sealed);
                    }
                }
                default -> {
                    return;
                }
            }
        }
    }

    @Override
    public boolean send(ByteBuffer message) throws IOException {
        flush();
        if (out.remaining() > MOST_WAITING_BYTES) {
            return false;
        }
        ByteBuffer padding = ByteBuffer.allocate(-message.remaining() & 3);
        if (engine == null) {
            out = withRoom(out, message.remaining() + padding.remaining());
            out.put(message).put(padding).flip();
        } else {
            seal(message, padding);
        }
        flush();
        return true;
    }

    private void seal(ByteBuffer... parts) throws IOException {
        out = withRoom(out, engine.getSession().getPacketBufferSize());
        engine.wrap(parts, out);
        out.flip();
    }

    @Override
    public void flush() throws IOException {
        int taken = 1;
        while (out.hasRemaining() && taken > 0) {
            taken = channel.write(out);
        }
    }

    @Override
    public boolean receive(ByteBuffer in, int waitMillis) throws IOException {
        channel.socket().setSoTimeout(waitMillis);
        try {
            while (!take(in)) {
                more();
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    @Override
    public boolean poll(ByteBuffer in) throws IOException {
        while (!take(in)) {
            if (!more()) {
                return false;
            }
        }
        return true;
    }

    /** Brings some plain bytes in; false where there are none. */
    private boolean more() throws IOException {
        if (engine == null) {
            int before = plain.remaining();
            plain = fill(plain);
            return plain.remaining() > before;
        }
        if (unseal()) {
            return true;
        }
        int before = sealed.remaining();
        sealed = fill(sealed);
        return sealed.remaining() > before;
    }

    /** Decrypts a record; false where there is none that is whole. */
    private boolean unseal() throws IOException {
        plain = withRoom(plain, engine.getSession().getApplicationBufferSize());
        SSLEngineResult result = engine.unwrap(sealed, plain);
        plain.flip();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
            throw new EOFException("the server ended TLS");
        }
        return result.getStatus() == SSLEngineResult.Status.OK;
    }

    /** Reads what there is; in blocking mode at least a byte, or it is a SocketTimeoutException. */
    private ByteBuffer fill(ByteBuffer buffer) throws IOException {
        ByteBuffer target = withRoom(buffer, 1);
        int count;
        try {
            count = channel.isBlocking()
                    ? channel.socket().getInputStream().read(target.array(), target.position(), target.remaining())
                    : channel.read(target);
            if (channel.isBlocking() && count > 0) {
                target.position(target.position() + count);
            }
        } finally {
            target.flip();
        }
        if (count < 0) {
            throw new EOFException("the server closed the connection");
        }
        return target;
    }

    /** The next message without its padding. */
    private boolean take(ByteBuffer in) throws IOException {
        if (plain.remaining() < 4) {
            return false;
        }
        int start = plain.position();
        int length = Short.toUnsignedInt(plain.getShort(start + 2));
        switch (plain.get(start) & 0xC0) {
            case 0x00 -> length += MessageWriter.HEADER_BYTES;
            case 0x40 -> length += 4;
            default -> throw new IOException("neither STUN nor ChannelData comes on the stream");
        }
        int padded = (length + 3) & ~3;
        if (plain.remaining() < padded) {
            return false;
        }
        in.clear().put(plain.slice(start, length)).flip();
        plain.position(start + padded);
        return true;
    }

    /** The same bytes, in this buffer or a larger one, ready to be added to, and so much room behind them. */
    private static ByteBuffer withRoom(ByteBuffer buffer, int room) {
        if (buffer.capacity() - buffer.remaining() >= room) {
            return buffer.compact();
        }
        int capacity = Math.max(2 * buffer.capacity(), Math.max(4_096, buffer.remaining() + room));
        return ByteBuffer.allocate(capacity).put(buffer);
    }

    @Override
    public boolean isReliable() {
        return true;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            if (engine != null) {
                engine.closeOutbound();
                seal(NOTHING);
                flush();
            }
        } catch (IOException e) {
            // The server has gone first.
        }
    }
}
