package dev.turntable.benchmarks.load;

import dev.turntable.api.ClientTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * A small TURN client for loads and tests: one socket, one allocation, long-term credentials as RFC 5389 clients have
 * them (MD5 key, MESSAGE-INTEGRITY). Over UDP requests are sent again as RFC 8489 §6.2.1 has it; a nonce that has become stale is
 * replaced. Every success must be signed with the client's key.
 *
 * <p>The blocking methods are for setting up and for tests of behaviour. A load that must not block takes the requests
 * ({@link #newRefresh} and so on) and the {@link #wire()} into its own hands. Not thread-safe.
 */
public final class TurnClient implements AutoCloseable {
    static final int BINDING = 0x001;
    static final int ALLOCATE = 0x003;
    static final int REFRESH = 0x004;
    static final int CREATE_PERMISSION = 0x008;
    static final int CHANNEL_BIND = 0x009;
    static final int SEND_INDICATION = 0x016;
    static final int DATA_INDICATION = 0x017;
    static final int SUCCESS = 0x100;
    static final int ERROR = 0x110;

    private static final int TRANSPORT_UDP = 17 << 24;
    private static final int FIRST_WAIT_MILLIS = 500;
    private static final int TRANSMISSIONS = 7;
    /** Ti of RFC 8489 §6.2.2. */
    static final int RELIABLE_WAIT_MILLIS = 39_500;

    private final Wire wire;
    private final byte[] username;
    private final String password;
    private final ByteBuffer in = ByteBuffer.allocate(65536);
    private final Deque<Received> early = new ArrayDeque<>();
    private byte[] realm;
    private byte[] nonce;
    private byte[] key;

    /** What a peer sent. */
    public sealed interface Received {
        record ChannelData(int channelNumber, ByteBuffer payload) implements Received {}

        record Data(InetSocketAddress peerAddress, ByteBuffer payload) implements Received {}
    }

    /** A request as it is on the wire, and the id that its answer has. */
    record Request(int method, ByteBuffer transactionId, ByteBuffer message) {
        Request(int method, byte[] transactionId, byte[] message) {
            this(
                    method,
                    ByteBuffer.wrap(transactionId),
                    ByteBuffer.wrap(message).asReadOnlyBuffer());
        }

        void writeTo(Wire wire) throws IOException {
            try {
                wire.send(message.duplicate());
            } catch (PortUnreachableException e) {
                // Tells of an earlier datagram. This one is lost, and is sent again as any lost one.
            }
        }
    }

    /** Makes a request anew, with the nonce of that moment. */
    interface Requests {
        Request next();
    }

    private TurnClient(Wire wire, String username, String password) {
        this.wire = wire;
        this.username = username.getBytes(StandardCharsets.UTF_8);
        this.password = password;
    }

    /** A client over UDP on a new socket of the system's choice. */
    public static TurnClient open(InetSocketAddress server, String username, String password) throws IOException {
        return open(ClientTransport.UDP, server, username, password);
    }

    /** The same over UDP, TCP or TLS. */
    public static TurnClient open(ClientTransport transport, InetSocketAddress server, String username, String password)
            throws IOException {
        return new TurnClient(Wire.open(transport, server), username, password);
    }

    /** This client's address as the server sees it (Binding, RFC 8489 §3). */
    public InetSocketAddress bind() throws IOException {
        return transact(TurnClient::newBinding).xorAddress(Attribute.XOR_MAPPED_ADDRESS);
    }

    /** Whether one Binding request, sent once, has an answer of any kind. */
    public boolean isAnswered(Duration wait) throws IOException {
        newBinding().writeTo(wire);
        try {
            return read(System.nanoTime() + wait.toNanos());
        } catch (PortUnreachableException e) {
            return false;
        }
    }

    /** The relayed transport address of a new allocation (RFC 8656 §7), of IPv6 where {@code ipv6}. */
    public InetSocketAddress allocate(int lifetimeSeconds, boolean ipv6) throws IOException {
        return transact(() -> newAllocate(lifetimeSeconds, ipv6)).xorAddress(Attribute.XOR_RELAYED_ADDRESS);
    }

    /** Gets realm and nonce, so that the next request can be signed at once. */
    void challenge() throws IOException {
        Request unsigned = newAllocate(0, false);
        int code = judge(unsigned, exchange(unsigned));
        if (code != 401) {
            throw new TurnError("an Allocate without credentials", code);
        }
    }

    /** The lifetime that the server granted, in seconds; 0 ends the allocation (RFC 8656 §8). */
    public int refresh(int lifetimeSeconds) throws IOException {
        return transact(() -> newRefresh(lifetimeSeconds))
                .find(Attribute.LIFETIME)
                .getInt();
    }

    public void createPermission(InetAddress peer) throws IOException {
        transact(() -> newCreatePermission(peer));
    }

    /**
     * Binds a channel, which installs or refreshes the permission too (RFC 8656 §12).
     *
     * @param channelNumber 0x4000 to 0x4FFF, or to 0x7FFE where the server has the range of RFC 5766
     */
    public void bindChannel(int channelNumber, InetSocketAddress peer) throws IOException {
        transact(() -> newChannelBind(channelNumber, peer));
    }

    /** A Send indication: nothing tells whether it arrived. */
    public void send(InetSocketAddress peer, ByteBuffer payload) throws IOException {
        wire.send(ByteBuffer.wrap(sendIndication(peer, payload)));
    }

    public void sendOnChannel(int channelNumber, ByteBuffer payload) throws IOException {
        ByteBuffer out = ByteBuffer.allocate(4 + payload.remaining());
        out.putShort((short) channelNumber)
                .putShort((short) payload.remaining())
                .put(payload);
        wire.send(out.flip());
    }

    /** The next payload of a peer, or null when none came in time. */
    public Received receive(Duration wait) throws IOException {
        if (!early.isEmpty()) {
            return early.poll();
        }
        long end = System.nanoTime() + wait.toNanos();
        while (read(end)) {
            Received received = asReceived();
            if (received != null) {
                return received;
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }

    Wire wire() {
        return wire;
    }

    private static Request newBinding() {
        byte[] id = newTransactionId();
        return new Request(BINDING, id, new MessageWriter(BINDING, id).unsigned());
    }

    Request newAllocate(int lifetimeSeconds, boolean ipv6) {
        byte[] id = newTransactionId();
        MessageWriter writer = new MessageWriter(ALLOCATE, id)
                .number(Attribute.REQUESTED_TRANSPORT, TRANSPORT_UDP)
                .number(Attribute.LIFETIME, lifetimeSeconds);
        if (ipv6) {
            writer.number(Attribute.REQUESTED_ADDRESS_FAMILY, 2 << 24);
        }
        return sign(ALLOCATE, id, writer);
    }

    Request newRefresh(int lifetimeSeconds) {
        byte[] id = newTransactionId();
        return sign(REFRESH, id, new MessageWriter(REFRESH, id).number(Attribute.LIFETIME, lifetimeSeconds));
    }

    Request newCreatePermission(InetAddress peer) {
        byte[] id = newTransactionId();
        MessageWriter writer = new MessageWriter(CREATE_PERMISSION, id)
                .xorAddress(Attribute.XOR_PEER_ADDRESS, new InetSocketAddress(peer, 0));
        return sign(CREATE_PERMISSION, id, writer);
    }

    Request newChannelBind(int channelNumber, InetSocketAddress peer) {
        byte[] id = newTransactionId();
        MessageWriter writer = new MessageWriter(CHANNEL_BIND, id)
                .number(Attribute.CHANNEL_NUMBER, channelNumber << 16)
                .xorAddress(Attribute.XOR_PEER_ADDRESS, peer);
        return sign(CHANNEL_BIND, id, writer);
    }

    static byte[] sendIndication(InetSocketAddress peer, ByteBuffer payload) {
        return new MessageWriter(SEND_INDICATION, newTransactionId())
                .xorAddress(Attribute.XOR_PEER_ADDRESS, peer)
                .bytes(Attribute.DATA, payload)
                .unsigned();
    }

    /**
     * The error of an answer, 0 for success; takes over realm and nonce of a 401 or 438, so that the same request, made
     * anew, has a chance.
     */
    int judge(Request request, MessageReader answer) throws IOException {
        if (answer.type() == (request.method() | SUCCESS)) {
            if (request.method() != BINDING && !answer.isSignedWith(key)) {
                throw new IOException("a success without a valid MESSAGE-INTEGRITY: " + answer);
            }
            return 0;
        }
        if (answer.type() != (request.method() | ERROR)) {
            throw new IOException("not an answer to method " + request.method() + ": " + answer);
        }
        int code = answer.errorCode();
        if (code == 401 || code == 438) {
            realm = answer.bytes(Attribute.REALM);
            nonce = answer.bytes(Attribute.NONCE);
            key = md5(new String(username, StandardCharsets.UTF_8) + ":" + new String(realm, StandardCharsets.UTF_8)
                    + ":" + password);
        }
        return code;
    }

    private MessageReader transact(Requests requests) throws IOException {
        for (int challenges = 0; ; challenges++) {
            boolean credentialsShown = key != null;
            Request request = requests.next();
            MessageReader answer = exchange(request);
            int code = judge(request, answer);
            if (code == 0) {
                return answer;
            }
            boolean again = (code == 401 && !credentialsShown) || code == 438;
            if (!again || challenges == 2) {
                throw new TurnError("method " + request.method(), code);
            }
        }
    }

    private MessageReader exchange(Request request) throws IOException {
        int waitMillis = wire.isReliable() ? RELIABLE_WAIT_MILLIS : FIRST_WAIT_MILLIS;
        int transmissions = wire.isReliable() ? 1 : TRANSMISSIONS;
        for (int i = 0; i < transmissions; i++) {
            request.writeTo(wire);
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
            while (read(end)) {
                if (MessageReader.isStun(in)) {
                    MessageReader message = new MessageReader(in);
                    if (message.belongsTo(request.transactionId())) {
                        return message;
                    }
                }
                Received received = asReceived();
                if (received != null) {
                    early.add(received);
                }
            }
            waitMillis *= 2;
        }
        throw new SocketTimeoutException("no answer to method " + request.method());
    }

    private Received asReceived() {
        if (in.remaining() >= 4 && (in.get(0) & 0xC0) == 0x40) {
            byte[] payload = new byte[Short.toUnsignedInt(in.getShort(2))];
            in.get(4, payload);
            return new Received.ChannelData(Short.toUnsignedInt(in.getShort(0)), ByteBuffer.wrap(payload));
        }
        if (MessageReader.isStun(in)) {
            MessageReader message = new MessageReader(in);
            if (message.type() == DATA_INDICATION) {
                return new Received.Data(
                        message.xorAddress(Attribute.XOR_PEER_ADDRESS), ByteBuffer.wrap(message.bytes(Attribute.DATA)));
            }
        }
        return null;
    }

    /** One message into {@link #in}, or false when the time was over. */
    private boolean read(long endNanos) throws IOException {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
        return leftMillis > 0 && wire.receive(in, (int) leftMillis);
    }

    private Request sign(int method, byte[] transactionId, MessageWriter writer) {
        if (key == null) {
            return new Request(method, transactionId, writer.unsigned());
        }
        writer.bytes(Attribute.USERNAME, username).bytes(Attribute.REALM, realm).bytes(Attribute.NONCE, nonce);
        return new Request(method, transactionId, writer.signed(key));
    }

    private static byte[] newTransactionId() {
        byte[] id = new byte[12];
        ThreadLocalRandom.current().nextBytes(id);
        return id;
    }

    private static byte[] md5(String text) {
        try {
            return MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
