package dev.turntable.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/** Peers that send back every datagram to where it came from. One thread serves them all. */
public final class EchoPeers implements AutoCloseable {
    private static final int RECEIVE_BUFFER_BYTES = 4 << 20;

    private final Selector selector = Selector.open();
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(65536);
    private final Thread thread = new Thread(this::serve, "echo-peers");

    private final LongAdder echoed = new LongAdder();

    private volatile boolean stopped;

    private EchoPeers() throws IOException {}

    /**
     * Opens them and begins to serve.
     *
     * @param count sockets on ports of the system's choice
     */
    public static EchoPeers open(InetAddress address, int count) throws IOException {
        EchoPeers peers = new EchoPeers();
        for (int i = 0; i < count; i++) {
            DatagramChannel channel = DatagramChannel.open();
            channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BUFFER_BYTES);
            channel.bind(new InetSocketAddress(address, 0));
            channel.configureBlocking(false);
            channel.register(peers.selector, SelectionKey.OP_READ);
            peers.addresses.add((InetSocketAddress) channel.getLocalAddress());
        }
        peers.thread.setDaemon(true);
        peers.thread.start();
        return peers;
    }

    public InetSocketAddress address(int index) {
        return addresses.get(index % addresses.size());
    }

    /** Datagrams sent back so far. */
    public long echoed() {
        return echoed.sum();
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        selector.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
    }

    private void serve() {
        try {
            while (!stopped) {
                selector.select(this::echo);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void echo(SelectionKey key) {
        DatagramChannel channel = (DatagramChannel) key.channel();
        try {
            while (true) {
                datagram.clear();
                SocketAddress from = channel.receive(datagram);
                if (from == null) {
                    return;
                }
                channel.send(datagram.flip(), from);
                echoed.increment();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
