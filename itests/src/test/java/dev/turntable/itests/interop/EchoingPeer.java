package dev.turntable.itests.interop;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A peer that sends back every datagram and remembers when it came and from where. */
final class EchoingPeer implements AutoCloseable {
    /** @param nanos of {@link System#nanoTime()} */
    record Arrival(long nanos, InetSocketAddress from) {}

    private final DatagramSocket socket = new DatagramSocket(0, TurnServerUnderTest.loopback(false));
    private final List<Arrival> arrivals = new ArrayList<>();

    private EchoingPeer() throws IOException {}

    /** On a port of IPv4 loopback that the system chooses. */
    static EchoingPeer open() throws IOException {
        EchoingPeer peer = new EchoingPeer();
        Thread thread = new Thread(peer::echo, "echoing-peer");
        thread.setDaemon(true);
        thread.start();
        return peer;
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    List<Arrival> arrivals() {
        synchronized (arrivals) {
            return List.copyOf(arrivals);
        }
    }

    /** Sends something that is no answer. */
    void send(InetSocketAddress to, ByteBuffer payload) throws IOException {
        byte[] bytes = new byte[payload.remaining()];
        payload.duplicate().get(bytes);
        socket.send(new DatagramPacket(bytes, bytes.length, to));
    }

    @Override
    public void close() {
        socket.close();
    }

    private void echo() {
        DatagramPacket packet = new DatagramPacket(new byte[65_536], 65_536);
        try {
            while (!socket.isClosed()) {
                packet.setLength(packet.getData().length);
                socket.receive(packet);
                synchronized (arrivals) {
                    arrivals.add(new Arrival(System.nanoTime(), (InetSocketAddress) packet.getSocketAddress()));
                }
                socket.send(packet);
            }
        } catch (IOException e) {
            // Closed; a test that needed it sees that nothing comes back.
        }
    }
}
