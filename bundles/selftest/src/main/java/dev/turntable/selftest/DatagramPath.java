package dev.turntable.selftest;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;

/** UDP. */
final class DatagramPath implements ServerPath {
    private final DatagramSocket socket;

    DatagramPath(InetSocketAddress server) throws IOException {
        socket = new DatagramSocket();
        // Then only the server's datagrams come in, and a closed port is an error at once.
        socket.connect(server);
    }

    @Override
    public boolean isReliable() {
        return false;
    }

    @Override
    public void send(byte[] bytes, int length) throws IOException {
        socket.send(new DatagramPacket(bytes, length));
    }

    @Override
    public int receive(byte[] into, long nanos) throws IOException {
        socket.setSoTimeout((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos)));
        DatagramPacket packet = new DatagramPacket(into, into.length);
        try {
            socket.receive(packet);
            return packet.getLength();
        } catch (SocketTimeoutException e) {
            return -1;
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
