package dev.turntable.transport;

import dev.turntable.api.CertificateInfo;
import dev.turntable.api.Certificates;
import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import dev.turntable.state.ServerState;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Runs the event loops for as long as there is a state to serve; the listeners stand on it. */
@Component(service = {Listeners.class, Certificates.class, TransportComponent.class})
public final class TransportComponent implements Listeners, Certificates {
    private final ServerState server;
    private final EventLoops loops;
    private final ListenerRegistry registry;
    private final SharedSockets sharedSockets;
    private final int receiveBufferBytes;

    @Activate
    public TransportComponent(@Reference ServerState server) throws IOException {
        this.server = server;
        try {
            loops = new EventLoops(server);
            registry = new ListenerRegistry();
            receiveBufferBytes = server.configuration().receiveBufferBytes();
            sharedSockets = new SharedSockets(loops, server);
            sharedSockets.open();
            registry.everyFewSeconds(sharedSockets::open);
        } finally {
            EventLoops.leaveThread();
        }
    }

    @Deactivate
    void stop() {
        try {
            registry.stop();
            sharedSockets.close();
            loops.stop();
        } finally {
            EventLoops.leaveThread();
        }
    }

    /** @param stream for streams, else for datagrams */
    Listener newListener(String name, boolean stream, CertificateWatch certificates) {
        Listener listener = stream
                ? new StreamListener(name, loops, registry, certificates)
                : new UdpListener(name, loops, registry, certificates, receiveBufferBytes);
        registry.add(listener);
        return listener;
    }

    /** Its files are looked at until it is closed. */
    CertificateWatch newCertificateWatch(String listener) {
        CertificateWatch watch = new CertificateWatch(listener, server);
        registry.add(watch);
        return watch;
    }

    void close(CertificateWatch watch) {
        registry.remove(watch);
        watch.close();
    }

    ServerState server() {
        return server;
    }

    EventLoops loops() {
        return loops;
    }

    @Override
    public List<ListenerInfo> list() {
        return registry.list();
    }

    @Override
    public List<CertificateInfo> certificates() {
        return registry.certificates();
    }

    @Override
    public List<InetSocketAddress> reachableAt(String name) {
        return registry.reachableAt(name);
    }
}
