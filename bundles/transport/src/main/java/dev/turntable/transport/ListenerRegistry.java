package dev.turntable.transport;

import dev.turntable.api.CertificateInfo;
import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The configured listeners and which of them has which address; lets them try again every few seconds. Any thread. */
final class ListenerRegistry implements Listeners {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerRegistry.class);
    static final int RETRY_SECONDS = 3;

    /** UDP and TCP have ports of their own. */
    private record Place(boolean stream, InetSocketAddress address) {
        Place(Listener listener, InetSocketAddress address) {
            this(listener.isStream(), address);
        }
    }

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private final List<CertificateWatch> watches = new CopyOnWriteArrayList<>();
    private final Map<Place, Listener> owners = new HashMap<>();
    private final ScheduledExecutorService retries;

    ListenerRegistry() {
        retries = Executors.newSingleThreadScheduledExecutor(run -> {
            Thread thread = new Thread(run, "turntable-listeners");
            thread.setDaemon(true);
            return thread;
        });
        everyFewSeconds(this::retryAll);
    }

    /** Runs what does not throw, until all stops. */
    void everyFewSeconds(Runnable task) {
        retries.scheduleWithFixedDelay(task, RETRY_SECONDS, RETRY_SECONDS, TimeUnit.SECONDS);
    }

    /** Certificates first: a listener may wait for them. */
    private void retryAll() {
        for (CertificateWatch watch : watches) {
            try {
                watch.check();
            } catch (RuntimeException e) {
                LOG.error("The certificate files of listener {} could not be looked at", watch.listener(), e);
            }
        }
        for (Listener listener : listeners) {
            try {
                listener.retry();
            } catch (RuntimeException e) {
                LOG.error("Listener {} could not be tried again", listener.name(), e);
            }
        }
    }

    /** From now on its files are looked at. */
    void add(CertificateWatch watch) {
        watches.add(watch);
    }

    void remove(CertificateWatch watch) {
        watches.remove(watch);
    }

    void add(Listener listener) {
        listeners.add(listener);
    }

    /** Gives addresses to a listener, all or none; returns the name of the one that has one of them already, or null. */
    synchronized String claim(Listener listener, Collection<InetSocketAddress> addresses) {
        for (InetSocketAddress address : addresses) {
            Listener owner = owners.get(new Place(listener, address));
            if (owner != null && owner != listener) {
                return owner.name();
            }
        }
        addresses.forEach(address -> owners.put(new Place(listener, address), listener));
        return null;
    }

    synchronized void release(Listener listener, InetSocketAddress address) {
        owners.remove(new Place(listener, address), listener);
    }

    void remove(Listener listener) {
        listeners.remove(listener);
    }

    /** At the return its thread is gone. */
    void stop() {
        retries.shutdownNow();
        try {
            retries.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public List<ListenerInfo> list() {
        return listeners.stream()
                .map(Listener::info)
                .sorted(Comparator.comparing(ListenerInfo::name).thenComparing(ListenerInfo::protocols))
                .toList();
    }

    List<CertificateInfo> certificates() {
        return watches.stream()
                .sorted(Comparator.comparing(CertificateWatch::listener))
                .flatMap(watch -> watch.list().stream())
                .toList();
    }

    @Override
    public List<InetSocketAddress> reachableAt(String name) {
        return listeners.stream()
                .filter(listener -> listener.name().equals(name))
                .flatMap(listener -> listener.boundAddresses().stream())
                .distinct()
                .toList();
    }
}
