package dev.turntable.transport;

import java.io.IOException;
import java.net.ProtocolFamily;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;

/**
 * Gives a NIO loop its selector and remembers it. The JDK frees the port of a closed channel at the next select only; who must have it
 * free at once asks for that select here.
 */
final class LoopSelectors extends SelectorProvider {
    private final SelectorProvider system = SelectorProvider.provider();
    private volatile Selector current;

    /**
     * Lets go of closed channels. On the loop, and it may be in the middle of the keys that are ready: they are left alone, and what is
     * ready stays so until the loop's own next select.
     */
    void releaseClosed() throws IOException {
        Selector selector = current;
        if (selector != null && selector.isOpen()) {
            selector.selectNow(ready -> {});
        }
    }

    /** The same where nothing hangs on it: what fails now is done by the next select. Nothing where epoll is used. */
    void forgetClosed() {
        try {
            releaseClosed();
        } catch (IOException e) {
            // The next select.
        }
    }

    @Override
    public AbstractSelector openSelector() throws IOException {
        AbstractSelector selector = system.openSelector();
        current = selector;
        return selector;
    }

    @Override
    public DatagramChannel openDatagramChannel() throws IOException {
        return system.openDatagramChannel();
    }

    @Override
    public DatagramChannel openDatagramChannel(ProtocolFamily family) throws IOException {
        return system.openDatagramChannel(family);
    }

    @Override
    public Pipe openPipe() throws IOException {
        return system.openPipe();
    }

    @Override
    public ServerSocketChannel openServerSocketChannel() throws IOException {
        return system.openServerSocketChannel();
    }

    @Override
    public SocketChannel openSocketChannel() throws IOException {
        return system.openSocketChannel();
    }
}
