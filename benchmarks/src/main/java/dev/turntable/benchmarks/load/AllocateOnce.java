package dev.turntable.benchmarks.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** One Allocate request, sent once, and every answer that comes to it. Not thread-safe. */
public final class AllocateOnce implements AutoCloseable {
    private final TurnClient client;
    private final TurnClient.Request request;
    private final ByteBuffer in = ByteBuffer.allocate(65536);
    private final List<String> answers = new ArrayList<>();

    private AllocateOnce(TurnClient client, TurnClient.Request request) {
        this.client = client;
        this.request = request;
    }

    /** Asks for a nonce, then sends the request. */
    public static AllocateOnce begin(InetSocketAddress server, String username, String password) throws IOException {
        TurnClient client = TurnClient.open(server, username, password);
        client.challenge();
        AllocateOnce made = new AllocateOnce(client, client.newAllocate(60, false));
        client.wire().channel().configureBlocking(false);
        made.request.writeTo(client.wire());
        return made;
    }

    /** Takes what has come. */
    public void poll() throws IOException {
        while (client.wire().poll(in)) {
            MessageReader message = new MessageReader(in);
            if (message.belongsTo(request.transactionId())) {
                int code = client.judge(request, message);
                answers.add(code == 0 ? "success" : String.valueOf(code));
            }
        }
    }

    /** {@code success} or the code of the error, for each. */
    public List<String> answers() {
        return List.copyOf(answers);
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
