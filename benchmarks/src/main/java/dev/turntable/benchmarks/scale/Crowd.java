package dev.turntable.benchmarks.scale;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.Integrity;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.MessageType;
import dev.turntable.codec.Method;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.StunWriter;
import dev.turntable.codec.TransportAddress;
import dev.turntable.codec.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongToIntFunction;

/**
 * Very many clients, each on a five-tuple of its own, made of few sockets and the addresses of the server. Each takes its steps one after
 * the other; a window of them is under way at a time. One thread.
 */
final class Crowd implements AutoCloseable {
    /** A request and its answer. */
    enum Step {
        CHALLENGE,
        ALLOCATE,
        PERMISSION,
        CHANNEL,
        REFRESH,
        END
    }

    /** @param errors answers that were no success, by code; such a client takes no further step */
    record Outcome(int done, double seconds, long sentAgain, Map<Integer, Integer> errors) {}

    private static final int UDP = 17;
    private static final int PEER_PORT = 5_000;
    private static final int CHANNEL_NUMBER = 0x4000;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final byte FINISHED = Byte.MAX_VALUE;
    private static final byte NOT_BEGUN = -1;

    private final InetSocketAddress[] servers;
    private final DatagramChannel[] sockets;
    private final Selector selector = Selector.open();
    private final String username;
    private final String password;
    private final byte[][] nonces;
    private final long[] sentAt;
    private final byte[] step;
    private final ByteBuffer in = ByteBuffer.allocateDirect(2_048);
    private final ByteBuffer out = ByteBuffer.allocateDirect(2_048);
    private final StunMessage message = new StunMessage();
    private final StunWriter writer = new StunWriter();
    private final Integrity integrity = new Integrity();
    private final Map<Integer, Integer> errors = new TreeMap<>();
    private String realm;
    private byte[] key;
    private Step[] steps;
    private LongToIntFunction lifetimeSeconds;
    private int round;
    private int underWay;
    private int done;

    Crowd(InetSocketAddress[] servers, int clients, String username, String password) throws IOException {
        this.servers = servers;
        this.username = username;
        this.password = password;
        sockets = new DatagramChannel[(clients + servers.length - 1) / servers.length];
        for (int i = 0; i < sockets.length; i++) {
            sockets[i] = DatagramChannel.open();
            // Not the address of the relayed sockets, whose ports it would take.
            sockets[i].bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 2, 1}), 0));
            sockets[i].configureBlocking(false);
            sockets[i].register(selector, SelectionKey.OP_READ);
        }
        nonces = new byte[clients][];
        sentAt = new long[clients];
        step = new byte[clients];
    }

    /**
     * All clients take the steps; returns when the last one has.
     *
     * @param window clients under way at one time
     * @param perSecond clients that begin in a second; 0 for as fast as it goes
     * @param lifetimeSeconds asked for at the given {@link System#nanoTime()}
     */
    Outcome run(int window, double perSecond, LongToIntFunction lifetimeSeconds, Step... steps) throws IOException {
        this.steps = steps;
        this.lifetimeSeconds = lifetimeSeconds;
        round++;
        errors.clear();
        Arrays.fill(step, NOT_BEGUN);
        underWay = 0;
        done = 0;
        long sentAgain = 0;
        int begun = 0;
        long start = System.nanoTime();
        long nextLook = start + PATIENCE_NANOS / 4;
        while (done < step.length) {
            long now = System.nanoTime();
            while (begun < step.length
                    && underWay < window
                    && (perSecond == 0 || begun < (now - start) * 1e-9 * perSecond)) {
                step[begun] = 0;
                underWay++;
                send(begun++);
            }
            selector.select(this::receive, 1);
            now = System.nanoTime();
            if (now - nextLook >= 0) {
                nextLook = now + PATIENCE_NANOS / 4;
                for (int i = 0; i < begun; i++) {
                    if (step[i] != FINISHED && now - sentAt[i] > PATIENCE_NANOS) {
                        sentAgain++;
                        send(i);
                    }
                }
            }
        }
        double seconds = (System.nanoTime() - start) * 1e-9;
        int failed = errors.values().stream().mapToInt(Integer::intValue).sum();
        return new Outcome(done - failed, seconds, sentAgain, new TreeMap<>(errors));
    }

    private void send(int client) throws IOException {
        sentAt[client] = System.nanoTime();
        Step current = steps[step[client]];
        int method = switch (current) {
            case CHALLENGE, ALLOCATE -> Method.ALLOCATE;
            case PERMISSION -> Method.CREATE_PERMISSION;
            case CHANNEL -> Method.CHANNEL_BIND;
            case REFRESH, END -> Method.REFRESH;
        };
        out.clear();
        writer.begin(out, 0, MessageType.type(method, MessageClass.REQUEST), client, transaction(client));
        switch (current) {
            case CHALLENGE, ALLOCATE -> {
                writer.uint32(AttributeType.REQUESTED_TRANSPORT, (long) UDP << 24);
                writer.uint32(AttributeType.LIFETIME, lifetimeSeconds.applyAsInt(sentAt[client]));
            }
            case PERMISSION -> toPeer(client);
            case CHANNEL -> {
                writer.uint32(AttributeType.CHANNEL_NUMBER, (long) CHANNEL_NUMBER << 16);
                toPeer(client);
            }
            case REFRESH -> writer.uint32(AttributeType.LIFETIME, lifetimeSeconds.applyAsInt(sentAt[client]));
            case END -> writer.uint32(AttributeType.LIFETIME, 0);
        }
        if (current != Step.CHALLENGE) {
            writer.string(AttributeType.USERNAME, username)
                    .string(AttributeType.REALM, realm)
                    .bytes(AttributeType.NONCE, nonces[client])
                    .messageIntegrity(integrity, key);
        }
        out.position(0).limit(writer.finish());
        sockets[client % sockets.length].send(out, servers[client / sockets.length]);
    }

    /** A peer of its own, in a network that nobody is in. */
    private void toPeer(int client) {
        writer.xorAddress(AttributeType.XOR_PEER_ADDRESS, 0, TransportAddress.ipv4(0x7F40_0000 + client), PEER_PORT);
    }

    /** The same for what is sent again, another one for each step. */
    private long transaction(int client) {
        return ((long) round << 8) + step[client];
    }

    private void receive(SelectionKey ready) {
        DatagramChannel socket = (DatagramChannel) ready.channel();
        try {
            while (true) {
                in.clear();
                if (socket.receive(in) == null) {
                    return;
                }
                if (message.decode(in, 0, in.position()) == Verdict.OK) {
                    answered(message.transactionIdHigh());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void answered(int client) throws IOException {
        if (client < 0
                || client >= step.length
                || step[client] < 0
                || step[client] == FINISHED
                || message.transactionIdLow() != transaction(client)) {
            return;
        }
        int code = message.messageClass() == MessageClass.SUCCESS ? 0 : codeOf(message);
        if (steps[step[client]] == Step.CHALLENGE && code == ErrorCode.UNAUTHENTICATED) {
            code = 0;
            nonces[client] = message.value(message.indexOf(AttributeType.NONCE));
            if (key == null) {
                realm = message.string(message.indexOf(AttributeType.REALM));
                key = LongTermKey.md5(username, realm, password);
            }
        }
        if (code != 0) {
            errors.merge(code, 1, Integer::sum);
        }
        if (code != 0 || step[client] + 1 == steps.length) {
            step[client] = FINISHED;
            underWay--;
            done++;
        } else {
            step[client]++;
            send(client);
        }
    }

    private static int codeOf(StunMessage answer) {
        byte[] value = answer.value(answer.indexOf(AttributeType.ERROR_CODE));
        return (value[2] & 7) * 100 + value[3];
    }

    @Override
    public void close() throws IOException {
        for (DatagramChannel socket : sockets) {
            socket.close();
        }
        selector.close();
    }
}
