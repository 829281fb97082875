package dev.turntable.state;

/** What came of opening a relayed socket. */
public sealed interface SocketOpening {
    /** It is bound and being read. */
    record Opened(RelayedSocket socket) implements SocketOpening {}

    /** Another process has the port; a different one may do. */
    record PortInUse() implements SocketOpening {}

    /** No port would do: descriptors or memory have run out, or the address is not of this host. */
    record Failed(String reason) implements SocketOpening {}
}
