package dev.turntable.selftest;

import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import dev.turntable.api.SelfTest;
import dev.turntable.api.auth.TurnCredentials;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/** Calls through every address of every UDP listener. Stays while what it needs is away, to say what is missing. */
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
            return List.of(failed(listener == null ? "" : listener, "there are no listeners: no transport is active"));
        }
        List<Result> results = new ArrayList<>();
        List<ListenerInfo> asked = known.list().stream()
                .filter(info -> listener == null || info.name().equals(listener))
                .toList();
        // Those that this client cannot speak to are told of where there is nothing else to tell.
        boolean some = asked.stream().anyMatch(ListenerSelfTest::speaksTo);
        for (ListenerInfo info : asked) {
            if (!some || speaksTo(info)) {
                run(known, info, results);
            }
        }
        if (results.isEmpty() && listener != null) {
            results.add(failed(listener, "there is no listener of that name"));
        }
        return results;
    }

    private static boolean speaksTo(ListenerInfo info) {
        return info.protocols().toLowerCase(Locale.ROOT).contains("udp");
    }

    private void run(Listeners known, ListenerInfo info, List<Result> results) {
        if (info.state() != ListenerInfo.State.LISTENING) {
            String why = info.problem().isEmpty() ? "" : ": " + info.problem();
            results.add(failed(info.name(), "it is " + info.state() + why));
            return;
        }
        if (!speaksTo(info)) {
            results.add(failed(info.name(), "not tested: this client speaks UDP, not " + info.protocols()));
            return;
        }
        List<InetSocketAddress> addresses = known.reachableAt(info.name());
        if (addresses.isEmpty()) {
            results.add(failed(info.name(), "it has no address that can be reached from this host"));
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
            results.add(failed(info.name(), e.getMessage()));
            return;
        }
        long deadlineNanos = patience.deadlineNanos();
        for (InetSocketAddress address : addresses) {
            results.add(new Call(info.name(), address, minted, patience, deadlineNanos).run());
        }
    }

    private static Result failed(String listener, String problem) {
        return new Result(listener, "", false, List.of(), problem);
    }
}
