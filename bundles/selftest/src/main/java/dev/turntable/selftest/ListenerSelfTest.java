package dev.turntable.selftest;

import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import dev.turntable.api.SelfTest;
import dev.turntable.api.auth.TurnCredentials;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * Calls through every address of every listener, over each of its transports but DTLS. Stays while what it needs is away, to say what is
 * missing.
 */
@Component
public final class ListenerSelfTest implements SelfTest {
    private final Patience patience;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Listeners listeners;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile TurnCredentials credentials;

    @Activate
    public ListenerSelfTest() {
        this(Patience.USUAL);
    }

    ListenerSelfTest(Patience patience) {
        this.patience = patience;
    }

    @Override
    public List<Result> run(String listener) {
        Listeners known = listeners;
        if (known == null) {
            return List.of(
                    failed(listener == null ? "" : listener, "", "there are no listeners: no transport is active"));
        }
        List<Result> results = new ArrayList<>();
        List<ListenerInfo> asked = known.list().stream()
                .filter(info -> listener == null || info.name().equals(listener))
                .toList();
        String name = null;
        long deadlineNanos = 0;
        for (ListenerInfo info : asked) {
            // One for datagrams and one for streams of the same name are one listener, which has its time once.
            if (!info.name().equals(name)) {
                name = info.name();
                deadlineNanos = patience.deadlineNanos();
            }
            run(known, info, deadlineNanos, results);
        }
        if (results.isEmpty() && listener != null) {
            results.add(failed(listener, "", "there is no listener of that name"));
        }
        return results;
    }

    private void run(Listeners known, ListenerInfo info, long deadlineNanos, List<Result> results) {
        if (info.state() != ListenerInfo.State.LISTENING) {
            String why = "it is " + info.state() + (info.problem().isEmpty() ? "" : ": " + info.problem());
            boolean failed = info.state() == ListenerInfo.State.FAILED;
            // One that waits was never asked to listen: a TLS listener without certificate files.
            results.add(
                    failed ? failed(info.name(), info.protocols(), why) : untested(info.name(), info.protocols(), why));
            return;
        }
        for (String protocol : info.protocols().split(", ")) {
            if (ServerPath.offers(protocol)) {
                run(known, info.name(), protocol, deadlineNanos, results);
            } else {
                results.add(untested(info.name(), protocol, "this client does not speak " + protocol));
            }
        }
    }

    private void run(Listeners known, String name, String protocol, long deadlineNanos, List<Result> results) {
        List<InetSocketAddress> addresses = known.reachableAt(name);
        if (addresses.isEmpty()) {
            results.add(failed(name, protocol, "it has no address that can be reached from this host"));
            return;
        }
        TurnCredentials.Minted minted;
        try {
            TurnCredentials minting = credentials;
            if (minting == null) {
                throw new IllegalStateException("nothing mints credentials: no auth is active");
            }
            minted = minting.create("selftest", Duration.ofMinutes(1));
        } catch (IllegalStateException e) {
            results.add(failed(name, protocol, e.getMessage()));
            return;
        }
        for (InetSocketAddress address : addresses) {
            results.add(new Call(name, protocol, address, minted, patience, deadlineNanos).run());
        }
    }

    private static Result failed(String listener, String protocol, String problem) {
        return new Result(listener, protocol, "", Outcome.FAILED, List.of(), problem);
    }

    private static Result untested(String listener, String protocol, String why) {
        return new Result(listener, protocol, "", Outcome.NOT_TESTED, List.of(), why);
    }
}
