package dev.turntable.selftest;

import dev.turntable.codec.ChannelData;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** TCP, or TLS over it: messages follow each other, ChannelData padded to a multiple of four bytes (RFC 8656 §12.5). */
final class StreamPath implements ServerPath {
    private static final int STUN_HEADER = 20;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] held = new byte[2048];
    private int count;

    private StreamPath(Socket socket) throws IOException {
        this.socket = socket;
        in = socket.getInputStream();
        out = socket.getOutputStream();
    }

    static StreamPath connect(InetSocketAddress server, boolean secured, int millis) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(server, millis);
            socket.setSoTimeout(millis);
            return new StreamPath(secured ? TrustingTls.handshake(socket, server) : socket);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    @Override
    public boolean isReliable() {
        return true;
    }

    @Override
    public void send(byte[] bytes, int length) throws IOException {
        byte[] padded = new byte[padded(length)];
        System.arraycopy(bytes, 0, padded, 0, length);
        out.write(padded);
        out.flush();
    }

    @Override
    public int receive(byte[] into, long nanos) throws IOException {
        long end = System.nanoTime() + nanos;
        while (true) {
            int length = frameLength();
            if (length > 0 && padded(length) <= count) {
                System.arraycopy(held, 0, into, 0, length);
                count -= padded(length);
                System.arraycopy(held, padded(length), held, 0, count);
                return length;
            }
            long left = end - System.nanoTime();
            if (left <= 0 || !readMore(left)) {
                return -1;
            }
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The descriptor is free all the same, and nothing more is wanted of the server.
            count = 0;
        }
    }

    private boolean readMore(long nanos) throws IOException {
        socket.setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
        try {
            int read = in.read(held, count, held.length - count);
            if (read < 0) {
                throw new EOFException("it closed the connection");
            }
            count += read;
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        }
    }

    /** Of the message at the front, without padding; 0 while its length has not come. */
    private int frameLength() throws IOException {
        if (count < ChannelData.HEADER_LENGTH) {
            return 0;
        }
        int length = (held[2] & 0xFF) << 8 | held[3] & 0xFF;
        int frame;
        if (ChannelData.isFirstByte(held[0])) {
            frame = ChannelData.HEADER_LENGTH + length;
        } else if ((held[0] & 0xC0) == 0) {
            frame = STUN_HEADER + length;
        } else {
            throw new IOException("what came is neither a STUN message nor ChannelData: "
                    + Arrays.toString(Arrays.copyOf(held, ChannelData.HEADER_LENGTH)));
        }
        if (padded(frame) > held.length) {
            throw new IOException("a message of " + frame + " bytes came");
        }
        return frame;
    }

    private static int padded(int length) {
        return length + 3 & ~3;
    }
}
