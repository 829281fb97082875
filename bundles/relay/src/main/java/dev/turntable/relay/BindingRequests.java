package dev.turntable.relay;

import dev.turntable.state.ClientPath;

/** Binding requests (RFC 8489 §3, §6.3.1): answered for everybody, with nothing but the reflexive transport address. */
final class BindingRequests {
    private final Replies replies;

    BindingRequests(Replies replies) {
        this.replies = replies;
    }

    void handle(Desk desk, ClientPath path, RelayConfiguration configuration) {
        int unknown = desk.message.unknownRequired(KnownAttributes.SET, desk.unknownTypes);
        Reply reply = unknown > 0
                ? new Reply.UnknownAttributes(desk.unknownTypes, unknown)
                : new Reply.Reflexive(path.clientHi(), path.clientLo(), path.clientPort());
        replies.send(desk, path, configuration, reply);
    }
}
