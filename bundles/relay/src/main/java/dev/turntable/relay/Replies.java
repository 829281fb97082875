package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Method;
import dev.turntable.codec.StunWriter;
import dev.turntable.state.ClientPath;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Writes and sends the answer to the request on the desk. */
final class Replies {
    /** Sends an answer that needs no integrity, because its request was not authenticated. */
    void send(Desk desk, ClientPath path, RelayConfiguration configuration, Reply reply) {
        send(desk, path, configuration, reply, null);
    }

    /**
     * Sends an answer.
     *
     * @param by who has been authenticated, whose key makes the integrity (RFC 8489 §9.2.4); null for none
     */
    void send(Desk desk, ClientPath path, RelayConfiguration configuration, Reply reply, Authentication.Passed by) {
        if (reply instanceof Reply.Repeated repeated) {
            path.send(ByteBuffer.wrap(repeated.response()));
            return;
        }
        StunWriter writer = desk.writer.answer(desk.answer.clear(), 0, desk.message, reply.messageClass());
        reply.write(writer);
        if (!configuration.software().isEmpty() && tellsSoftware(desk.message.method())) {
            writer.string(AttributeType.SOFTWARE, configuration.software());
        }
        if (by != null && by.sha256()) {
            writer.messageIntegritySha256(desk.integrity, by.key());
        } else if (by != null) {
            writer.messageIntegrity(desk.integrity, by.key());
        }
        if (desk.message.has(AttributeType.FINGERPRINT)) {
            writer.fingerprint();
        }
        desk.answer.limit(writer.finish());
        if (reply instanceof Reply.Allocated allocated) {
            allocated.allocation().setResponse(Arrays.copyOf(desk.answer.array(), desk.answer.limit()));
        }
        path.send(desk.answer);
    }

    /** RFC 8656 §5: in the responses to Allocate and Refresh. */
    private static boolean tellsSoftware(int method) {
        return method == Method.ALLOCATE || method == Method.REFRESH;
    }
}
