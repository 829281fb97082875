package dev.turntable.api;

import java.net.InetSocketAddress;
import java.util.List;

/** The configured listeners. Any thread. */
public interface Listeners {
    /** All of them, sorted by name. */
    List<ListenerInfo> list();

    /** Addresses at which a client in this host reaches the listener of that name; empty while it does not listen. */
    List<InetSocketAddress> reachableAt(String name);
}
