package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;

/** A TCP client on the loopback. */
final class StreamClient implements AutoCloseable {
    final Socket socket;

    StreamClient(InetSocketAddress server) throws IOException {
        this(server, 0);
    }

    /** @param receiveBufferBytes 0 for the system's default */
    StreamClient(InetSocketAddress server, int receiveBufferBytes) throws IOException {
        socket = new Socket();
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setTcpNoDelay(true);
        socket.connect(server, 5000);
        socket.setSoTimeout(5000);
    }

    /** One that is connected already. */
    StreamClient(Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(5000);
    }

    void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /** Sends a byte at a time. */
    void trickle(byte[] bytes) throws IOException {
        for (byte one : bytes) {
            socket.getOutputStream().write(one);
            Thread.onSpinWait();
        }
    }

    static byte[] allocateMessage(int peerPort) {
        return ByteBuffer.allocate(24)
                .putInt(4)
                .putInt(0x2112_a442)
                .position(20)
                .putInt(peerPort)
                .array();
    }

    /** With padding. */
    static byte[] channelData(byte[] payload) {
        return ByteBuffer.allocate((4 + payload.length + 3) & ~3)
                .putShort((short) EchoDesk.CHANNEL)
                .putShort((short) payload.length)
                .put(payload)
                .array();
    }

    int allocate(int peerPort) throws IOException {
        send(allocateMessage(peerPort));
        return readAnswer();
    }

    /** The port in the answer. */
    int readAnswer() throws IOException {
        byte[] answer = read(4);
        assertEquals(1, answer[0]);
        return (answer[2] & 0xff) << 8 | answer[3] & 0xff;
    }

    byte[] receiveOnChannel() throws IOException {
        ByteBuffer header = ByteBuffer.wrap(read(4));
        assertEquals(EchoDesk.CHANNEL, header.getShort(0), "in step");
        int length = header.getShort(2) & 0xffff;
        byte[] payload = read(length);
        read(-length & 3);
        return payload;
    }

    private byte[] read(int length) throws IOException {
        byte[] bytes = socket.getInputStream().readNBytes(length);
        assertEquals(length, bytes.length, "the stream ended");
        return bytes;
    }

    /** All that comes until the server closes; null where it does not within the time. */
    byte[] readToEnd(int millis) throws IOException {
        socket.setSoTimeout(millis);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        try {
            for (int one = in.read(); one >= 0; one = in.read()) {
                all.write(one);
            }
        } catch (SocketTimeoutException e) {
            return null;
        } catch (IOException e) {
            // Reset: what it sent was not all read.
        }
        return all.toByteArray();
    }

    /** Ends with a RST. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
