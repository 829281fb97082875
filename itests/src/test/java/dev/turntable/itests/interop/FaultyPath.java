package dev.turntable.itests.interop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * Stands between one client and the server and loses, doubles and spoils ChannelData on its way to the client, each kind
 * in turn, so that a load can be seen to notice.
 */
final class FaultyPath implements AutoCloseable {
    private static final int FAULT_EVERY = 7;

    private final Selector selector = Selector.open();
    private final DatagramChannel clientSide = DatagramChannel.open();
    private final DatagramChannel serverSide = DatagramChannel.open();
    private final ByteBuffer datagram = ByteBuffer.allocate(65536);
    private final Thread thread = new Thread(this::forward, "faulty-path");
    private SocketAddress client;
    private int passed;
    private volatile boolean stopped;

    /** Written by the path's thread alone; to be read after {@link #stop()}. */
    private int lost;

    private int doubled;
    private int spoilt;

    FaultyPath(InetSocketAddress server) throws IOException {
        serverSide.connect(server).configureBlocking(false).register(selector, SelectionKey.OP_READ);
        clientSide.bind(new InetSocketAddress(TurnServerUnderTest.loopback(false), 0));
        clientSide.configureBlocking(false).register(selector, SelectionKey.OP_READ);
        thread.start();
    }

    InetSocketAddress address() throws IOException {
        return (InetSocketAddress) clientSide.getLocalAddress();
    }

    int lost() {
        return lost;
    }

    int doubled() {
        return doubled;
    }

    int spoilt() {
        return spoilt;
    }

    void stop() {
        stopped = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        stop();
        clientSide.close();
        serverSide.close();
        selector.close();
    }

    private void forward() {
        try {
            while (!stopped) {
                selector.select(this::forward);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void forward(SelectionKey key) {
        try {
            datagram.clear();
            if (key.channel() == clientSide) {
                client = clientSide.receive(datagram);
                serverSide.write(datagram.flip());
            } else {
                serverSide.read(datagram);
                toClient(datagram.flip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void toClient(ByteBuffer message) throws IOException {
        boolean channelData = (message.get(0) & 0xC0) == 0x40;
        if (channelData && ++passed % FAULT_EVERY == 0) {
            switch (passed / FAULT_EVERY % 3) {
                case 0 -> {
                    lost++;
                    return;
                }
                case 1 -> {
                    doubled++;
                    clientSide.send(message.duplicate(), client);
                }
                default -> {
                    spoilt++;
                    int last = message.limit() - 1;
                    message.put(last, (byte) ~message.get(last));
                }
            }
        }
        clientSide.send(message, client);
    }
}
