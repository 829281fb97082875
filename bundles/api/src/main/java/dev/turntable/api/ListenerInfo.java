package dev.turntable.api;

/**
 * A configured listener and how it fares.
 *
 * @param name the instance name of its configuration ({@code udp} for {@code dev.turntable.listener-udp.cfg})
 * @param protocols what is accepted there, such as {@code udp}
 * @param address local addresses and port as configured
 * @param state {@code LISTENING}, {@code FAILED} (retried) or {@code WAITING}
 * @param problem what is wrong, in words; empty where nothing is
 * @param sockets how many sockets are open
 * @param ioTransport {@code epoll} or {@code nio}
 * @param receiveBufferBytes granted by the kernel for each socket; 0 while there is none
 * @param clientPackets datagrams or frames that came in
 * @param connections open connections of clients; 0 where the protocol has none
 * @param certificateDaysLeft whole days until the first of its certificates expires, negative once it has; {@link #NO_CERTIFICATE}
 *     where there is none
 */
public record ListenerInfo(
        String name,
        String protocols,
        String address,
        State state,
        String problem,
        int sockets,
        String ioTransport,
        int receiveBufferBytes,
        long clientPackets,
        int connections,
        int certificateDaysLeft) {
    /** In place of a number of days. */
    public static final int NO_CERTIFICATE = Integer.MIN_VALUE;

    /** Life of a listener. */
    public enum State {
        WAITING,
        LISTENING,
        FAILED
    }
}
