package dev.turntable.selftest;

import dev.turntable.api.AddressText;
import dev.turntable.api.SelfTest;
import dev.turntable.api.auth.TurnCredentials;
import dev.turntable.codec.ChannelData;
import dev.turntable.codec.TransportAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * One call through one address of a listener, between two allocations of this server, so that no peer policy needs opening.
 * There it goes over a channel and arrives as a Data indication, back by a Send indication and arrives on the channel: all four
 * ways of relaying (RFC 8656 §11, §12).
 */
final class Call {
    private final String listener;
    private final String protocol;
    private final InetSocketAddress server;
    private final TurnCredentials.Minted credentials;
    private final Patience patience;
    private final long deadlineNanos;
    private final List<SelfTest.Step> steps = new ArrayList<>();

    Call(
            String listener,
            String protocol,
            InetSocketAddress server,
            TurnCredentials.Minted credentials,
            Patience patience,
            long deadlineNanos) {
        this.listener = listener;
        this.protocol = protocol;
        this.server = server;
        this.credentials = credentials;
        this.patience = patience;
        this.deadlineNanos = deadlineNanos;
    }

    /** What happens in a step. */
    private interface Exchange<T> {
        T run() throws CallFailed;
    }

    /** Something without an outcome. */
    private interface Action {
        void run() throws CallFailed;
    }

    SelfTest.Result run() {
        String problem = "";
        try (TurnClient caller = connect("Connect");
                TurnClient callee = connect("Connect, second")) {
            step("Binding", caller::binding);
            TransportAddress callerRelayed = step("Allocate", caller::allocate);
            TransportAddress calleeRelayed = step("Allocate, second", callee::allocate);
            step("CreatePermission", () -> caller.createPermission(calleeRelayed));
            step("CreatePermission, second", () -> callee.createPermission(callerRelayed));
            step("ChannelBind", () -> caller.bindChannel(ChannelData.MIN_CHANNEL, calleeRelayed));
            step("Round trip", () -> roundTrip(caller, callerRelayed, callee, calleeRelayed));
        } catch (CallFailed e) {
            problem = e.getMessage();
        }
        SelfTest.Outcome outcome = problem.isEmpty() ? SelfTest.Outcome.PASSED : SelfTest.Outcome.FAILED;
        return new SelfTest.Result(listener, protocol, AddressText.of(server), outcome, List.copyOf(steps), problem);
    }

    /** A step where it is one: over TCP and TLS. */
    private TurnClient connect(String step) throws CallFailed {
        Exchange<TurnClient> connecting = () -> new TurnClient(protocol, server, credentials, patience, deadlineNanos);
        return protocol.equals("udp") ? connecting.run() : step(step, connecting);
    }

    private void roundTrip(
            TurnClient caller, TransportAddress callerRelayed, TurnClient callee, TransportAddress calleeRelayed)
            throws CallFailed {
        byte[] there = new byte[33];
        byte[] back = new byte[35];
        ThreadLocalRandom.current().nextBytes(there);
        ThreadLocalRandom.current().nextBytes(back);
        // Between the relayed addresses it is UDP, whatever the clients speak.
        if (!callee.await(
                true,
                () -> caller.sendOnChannel(ChannelData.MIN_CHANNEL, there),
                (bytes, length) -> TurnClient.isFromPeer(bytes, length, callerRelayed, there))) {
            throw new CallFailed("what was sent on a channel from " + callerRelayed + " did not arrive at "
                    + calleeRelayed + " within " + patience.answerMillis() + " ms");
        }
        if (!caller.await(
                true,
                () -> callee.sendIndication(callerRelayed, back),
                (bytes, length) -> TurnClient.isOnChannel(bytes, length, ChannelData.MIN_CHANNEL, back))) {
            throw new CallFailed("what was sent by a Send indication from " + calleeRelayed + " did not arrive at "
                    + callerRelayed + " within " + patience.answerMillis() + " ms");
        }
    }

    private void step(String name, Action action) throws CallFailed {
        step(name, () -> {
            action.run();
            return null;
        });
    }

    private <T> T step(String name, Exchange<T> exchange) throws CallFailed {
        long start = System.nanoTime();
        try {
            if (deadlineNanos - start <= 0) {
                throw new CallFailed("the time for this listener is up");
            }
            return exchange.run();
        } finally {
            steps.add(new SelfTest.Step(name, (System.nanoTime() - start) / 1e6));
        }
    }
}
