package dev.turntable.transport;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.SegmentedDatagramPacket;
import io.netty.channel.nio.NioIoHandler;
import java.nio.channels.spi.SelectorProvider;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the loops wait for sockets. */
enum IoTransport {
    /** Linux, with the native library that this bundle carries. */
    EPOLL,
    /** Anywhere. */
    NIO;

    private static final Logger LOG = LoggerFactory.getLogger(IoTransport.class);

    /**
     * Says in one INFO line which one it is.
     *
     * @param wanted {@code auto}, {@code epoll} or {@code nio}
     */
    static IoTransport choose(String wanted) {
        if (wanted.equals("nio")) {
            LOG.info("I/O transport: nio, as configured (ioTransport)");
            return NIO;
        }
        Throwable obstacle = obstacleToEpoll();
        if (obstacle == null) {
            LOG.info("I/O transport: epoll");
            return EPOLL;
        }
        LOG.info(
                "I/O transport: nio, because epoll does not load here: {}",
                rootOf(obstacle).toString());
        return NIO;
    }

    private static Throwable obstacleToEpoll() {
        try {
            return Epoll.unavailabilityCause();
        } catch (LinkageError e) {
            return e;
        }
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root;
    }

    /** @param selectors where the selectors of a NIO loop come from */
    IoHandlerFactory handlers(SelectorProvider selectors) {
        return this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory(selectors);
    }

    /** Whether several sockets can share an address and the kernel spreads the clients over them. */
    boolean balances() {
        return this == EPOLL;
    }

    /** Whether the kernel takes several datagrams of one size in one message (UDP_SEGMENT, Linux 4.18). */
    boolean segments() {
        return this == EPOLL && SegmentedDatagramPacket.isSupported();
    }

    /** Name in listings. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
