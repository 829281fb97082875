package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** A socket of a client or a peer on the loopback. */
final class TestClient implements AutoCloseable {
    private final DatagramSocket socket;
    private final byte[] room = new byte[70_000];

    TestClient(InetAddress local) throws IOException {
        socket = new DatagramSocket(new InetSocketAddress(local, 0));
        socket.setReceiveBufferSize(4 << 20);
        socket.setSoTimeout(5000);
    }

    int port() {
        return socket.getLocalPort();
    }

    void send(InetSocketAddress to, byte[] bytes) throws IOException {
        socket.send(new DatagramPacket(bytes, bytes.length, to));
    }

    /** Payload in ChannelData. */
    void sendOnChannel(InetSocketAddress to, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(4 + payload.length);
        frame.putShort((short) EchoDesk.CHANNEL)
                .putShort((short) payload.length)
                .put(payload);
        send(to, frame.array());
    }

    /** The next datagram, or null after the time is over. */
    byte[] receive(int millis) throws IOException {
        socket.setSoTimeout(millis);
        DatagramPacket datagram = new DatagramPacket(room, room.length);
        try {
            socket.receive(datagram);
        } catch (SocketTimeoutException e) {
            return null;
        }
        return Arrays.copyOf(room, datagram.getLength());
    }

    byte[] receive() throws IOException {
        return receive(5000);
    }

    /** The next datagram's payload in ChannelData. */
    byte[] receiveOnChannel() throws IOException {
        ByteBuffer frame = ByteBuffer.wrap(receive());
        assertEquals(EchoDesk.CHANNEL, frame.getShort(0));
        assertEquals(frame.limit() - 4, frame.getShort(2) & 0xffff, "length in the header");
        return Arrays.copyOfRange(frame.array(), 4, frame.limit());
    }

    /** Opens a relayed socket; returns its port. */
    int allocate(InetSocketAddress server, int peerPort) throws IOException {
        send(server, new byte[] {0, 0, (byte) (peerPort >> 8), (byte) peerPort});
        byte[] answer = receive();
        assertEquals(1, answer[0]);
        return (answer[2] & 0xff) << 8 | answer[3] & 0xff;
    }

    static byte[] payload(int length, int seed) {
        byte[] payload = new byte[length];
        for (int i = 0; i < length; i++) {
            payload[i] = (byte) (i * 31 + seed * 7 + (i >> 8));
        }
        return payload;
    }

    @Override
    public void close() {
        socket.close();
    }
}
