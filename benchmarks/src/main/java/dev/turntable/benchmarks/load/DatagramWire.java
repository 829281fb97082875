package dev.turntable.benchmarks.load;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectableChannel;

/** A UDP socket of the system's choice. A server that is not there may make any method throw a PortUnreachableException. */
final class DatagramWire implements Wire {
    private final DatagramChannel channel;
    private final byte[] room = new byte[65_536];

    DatagramWire(InetSocketAddress server) throws IOException {
        channel = DatagramChannel.open(
                server.getAddress().getAddress().length == 4
                        ? StandardProtocolFamily.INET
                        : StandardProtocolFamily.INET6);
        channel.connect(server);
    }

    @Override
    public boolean send(ByteBuffer message) throws IOException {
        return channel.write(message) > 0;
    }

    @Override
    public void flush() {
        // Nothing waits.
    }

    @Override
    public boolean receive(ByteBuffer in, int waitMillis) throws IOException {
        channel.socket().setSoTimeout(waitMillis);
        DatagramPacket packet = new DatagramPacket(room, room.length);
        try {
            channel.socket().receive(packet);
        } catch (SocketTimeoutException e) {
            return false;
        }
        in.clear().put(room, 0, packet.getLength()).flip();
        return true;
    }

    @Override
    public boolean poll(ByteBuffer in) throws IOException {
        if (channel.read(in.clear()) <= 0) {
            return false;
        }
        in.flip();
        return true;
    }

    @Override
    public boolean isReliable() {
        return false;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
