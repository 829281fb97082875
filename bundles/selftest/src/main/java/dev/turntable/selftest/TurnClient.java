package dev.turntable.selftest;

import dev.turntable.api.AddressText;
import dev.turntable.api.auth.TurnCredentials;
import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ChannelData;
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
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * A TURN client over UDP, TCP or TLS with one allocation: as much of RFC 8656 as a self-test needs, with the long-term credentials
 * that an RFC 5389 client has too. Over TLS it takes any certificate ({@link ServerPath#open}). It waits on the calling thread, past its
 * deadline for the parts of a TLS handshake alone, and starts no thread.
 */
final class TurnClient implements AutoCloseable {
    private static final int UDP = 17;

    private final InetSocketAddress server;
    private final TurnCredentials.Minted credentials;
    private final Patience patience;
    private final long deadlineNanos;
    private final ServerPath path;
    private final Integrity integrity = new Integrity();
    private final ByteBuffer request = ByteBuffer.allocate(1500);
    private final byte[] received = new byte[2048];
    private String realm;
    private String nonce;
    private byte[] key;
    private boolean allocated;
    private boolean closing;

    /** Whether something that came is what is waited for. */
    interface Expected {
        boolean matches(byte[] bytes, int length) throws CallFailed;
    }

    /**
     * Connects.
     *
     * @param protocol {@code udp}, {@code tcp} or {@code tls}
     * @param deadlineNanos of {@link System#nanoTime()}
     */
    TurnClient(
            String protocol,
            InetSocketAddress server,
            TurnCredentials.Minted credentials,
            Patience patience,
            long deadlineNanos)
            throws CallFailed {
        this.server = server;
        this.credentials = credentials;
        this.patience = patience;
        this.deadlineNanos = deadlineNanos;
        long nanos = Math.min(patience.answerNanos(), deadlineNanos - System.nanoTime());
        int millis = (int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
        try {
            path = ServerPath.open(protocol, server, millis);
        } catch (SocketTimeoutException e) {
            throw new CallFailed("no connection to " + AddressText.of(server) + " within " + millis + " ms");
        } catch (IOException e) {
            throw noWay(e);
        }
    }

    /** Binding (RFC 8489 §3): the server-reflexive transport address. */
    TransportAddress binding() throws CallFailed {
        StunMessage answer = exchange(Method.BINDING, writer -> writer, false);
        if (answer.messageClass() != MessageClass.SUCCESS) {
            throw refused(answer);
        }
        return address(answer, AttributeType.XOR_MAPPED_ADDRESS);
    }

    /** Allocate (RFC 8656 §7): the relayed transport address, of IPv4 where the server has it, else of IPv6. */
    TransportAddress allocate() throws CallFailed {
        UnaryOperator<StunWriter> transport =
                writer -> writer.uint32(AttributeType.REQUESTED_TRANSPORT, (long) UDP << 24);
        StunMessage answer = authenticated(Method.ALLOCATE, transport);
        if (errorOf(answer) == ErrorCode.ADDRESS_FAMILY_NOT_SUPPORTED) {
            answer = authenticated(
                    Method.ALLOCATE,
                    writer -> transport
                            .apply(writer)
                            .uint32(AttributeType.REQUESTED_ADDRESS_FAMILY, (long) TransportAddress.FAMILY_IPV6 << 24));
        }
        succeeded(answer);
        allocated = true;
        return address(answer, AttributeType.XOR_RELAYED_ADDRESS);
    }

    /** CreatePermission (RFC 8656 §9). */
    void createPermission(TransportAddress peer) throws CallFailed {
        succeeded(authenticated(
                Method.CREATE_PERMISSION, writer -> writer.xorAddress(AttributeType.XOR_PEER_ADDRESS, peer)));
    }

    /** ChannelBind (RFC 8656 §12). */
    void bindChannel(int channelNumber, TransportAddress peer) throws CallFailed {
        succeeded(authenticated(
                Method.CHANNEL_BIND,
                writer -> writer.uint32(AttributeType.CHANNEL_NUMBER, (long) channelNumber << 16)
                        .xorAddress(AttributeType.XOR_PEER_ADDRESS, peer)));
    }

    /** One ChannelData message (RFC 8656 §12.5), padded where the transport wants it. */
    void sendOnChannel(int channelNumber, byte[] payload) throws CallFailed {
        ChannelData.writeHeader(request, 0, channelNumber, payload.length);
        request.put(ChannelData.HEADER_LENGTH, payload);
        send(ChannelData.HEADER_LENGTH + payload.length);
    }

    /** One Send indication (RFC 8656 §11.1). */
    void sendIndication(TransportAddress peer, byte[] payload) throws CallFailed {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        send(new StunWriter()
                .begin(
                        request,
                        0,
                        MessageType.type(Method.SEND, MessageClass.INDICATION),
                        random.nextInt(),
                        random.nextLong())
                .xorAddress(AttributeType.XOR_PEER_ADDRESS, peer)
                .bytes(AttributeType.DATA, payload)
                .finish());
    }

    /** Whether these bytes are ChannelData of that channel with that payload. */
    static boolean isOnChannel(byte[] bytes, int length, int channelNumber, byte[] payload) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        return ChannelData.payloadLength(buffer, 0, length) == payload.length
                && ChannelData.channel(buffer, 0) == channelNumber
                && Arrays.equals(bytes, 4, 4 + payload.length, payload, 0, payload.length);
    }

    /** Whether these bytes are a Data indication (RFC 8656 §11.4) from that peer with that payload. */
    static boolean isFromPeer(byte[] bytes, int length, TransportAddress peer, byte[] payload) throws CallFailed {
        StunMessage message = new StunMessage();
        if (message.decode(ByteBuffer.wrap(bytes), 0, length) != Verdict.OK
                || message.type() != MessageType.type(Method.DATA, MessageClass.INDICATION)) {
            return false;
        }
        int data = message.indexOf(AttributeType.DATA);
        if (data < 0 || !message.valueEquals(data, payload)) {
            return false;
        }
        TransportAddress from = address(message, AttributeType.XOR_PEER_ADDRESS);
        if (!from.equals(peer)) {
            throw new CallFailed("the payload came from " + from + ", not from the other relayed address " + peer);
        }
        return true;
    }

    /** Ends the allocation (RFC 8656 §8) if there is one; asks, waits for an answer but does not need it. */
    @Override
    public void close() {
        closing = true;
        try {
            if (allocated) {
                authenticated(Method.REFRESH, writer -> writer.uint32(AttributeType.LIFETIME, 0));
            }
        } catch (CallFailed e) {
            // It expires by itself, and what failed before is what the operator has to know.
            allocated = false;
        } finally {
            path.close();
        }
    }

    /** Sends with credentials; learns realm and nonce from the first 401 and every 438 (RFC 8489 §9.2.5). */
    private StunMessage authenticated(int method, UnaryOperator<StunWriter> attributes) throws CallFailed {
        StunMessage answer = exchange(method, attributes, key != null);
        for (int tries = 0; tries < 2; tries++) {
            int error = errorOf(answer);
            if (error != ErrorCode.STALE_NONCE && (error != ErrorCode.UNAUTHENTICATED || key != null)) {
                break;
            }
            int realmAt = answer.indexOf(AttributeType.REALM);
            int nonceAt = answer.indexOf(AttributeType.NONCE);
            if (realmAt < 0 || nonceAt < 0) {
                throw new CallFailed(Method.name(method) + " was answered " + error + " without REALM or NONCE");
            }
            realm = answer.string(realmAt);
            nonce = answer.string(nonceAt);
            key = realm == null ? null : LongTermKey.md5(credentials.username(), realm, credentials.password());
            if (key == null || nonce == null) {
                throw new CallFailed("the REALM or NONCE of the server is no text");
            }
            answer = exchange(method, attributes, true);
        }
        return answer;
    }

    private void succeeded(StunMessage answer) throws CallFailed {
        if (answer.messageClass() != MessageClass.SUCCESS) {
            throw refused(answer);
        }
        int index = answer.indexOf(AttributeType.MESSAGE_INTEGRITY);
        if (key == null || index < 0 || !integrity.verify(answer, index, key)) {
            throw new CallFailed("the success of " + Method.name(answer.method()) + " has no valid MESSAGE-INTEGRITY");
        }
    }

    private StunMessage exchange(int method, UnaryOperator<StunWriter> attributes, boolean signed) throws CallFailed {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int idHigh = random.nextInt();
        long idLow = random.nextLong();
        StunWriter writer = attributes.apply(
                new StunWriter().begin(request, 0, MessageType.type(method, MessageClass.REQUEST), idHigh, idLow));
        if (signed) {
            writer.string(AttributeType.USERNAME, credentials.username())
                    .string(AttributeType.REALM, realm)
                    .string(AttributeType.NONCE, nonce)
                    .messageIntegrity(integrity, key);
        }
        int length = writer.fingerprint().finish();
        StunMessage answer = new StunMessage();
        Expected expected = (bytes, size) -> answer.decode(ByteBuffer.wrap(bytes, 0, size), 0, size) == Verdict.OK
                && answer.transactionIdHigh() == idHigh
                && answer.transactionIdLow() == idLow
                && answer.method() == method
                && (answer.messageClass() == MessageClass.SUCCESS || answer.messageClass() == MessageClass.ERROR);
        if (!await(!path.isReliable(), () -> send(length), expected)) {
            throw new CallFailed("no answer to " + Method.name(method) + " from " + AddressText.of(server) + " within "
                    + patience.answerMillis() + " ms");
        }
        return answer;
    }

    /** Something that is sent. */
    interface Sending {
        void send() throws CallFailed;
    }

    /**
     * Sends until what is expected has come here; false where it did not in time.
     *
     * @param again whether it may get lost, so that it is sent again and again
     */
    boolean await(boolean again, Sending sending, Expected expected) throws CallFailed {
        long start = System.nanoTime();
        long end = closing ? patience.turnNanos() : Math.min(patience.answerNanos(), deadlineNanos - start);
        long turn = 0;
        try {
            for (long waited = 0; waited < end; waited = System.nanoTime() - start) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new CallFailed("interrupted");
                }
                if (waited >= turn) {
                    if (turn == 0 || again) {
                        sending.send();
                    }
                    turn = waited + patience.turnNanos();
                }
                int length = path.receive(received, Math.min(turn, end) - waited);
                if (length >= 0 && expected.matches(received, length)) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw noWay(e);
        }
    }

    private void send(int length) throws CallFailed {
        try {
            path.send(request.array(), length);
        } catch (IOException e) {
            throw noWay(e);
        }
    }

    private CallFailed noWay(IOException why) {
        boolean refused = why instanceof PortUnreachableException || why instanceof ConnectException;
        return new CallFailed(
                refused
                        ? "nothing listens at " + AddressText.of(server)
                        : "no way to " + AddressText.of(server) + ": " + why.getMessage());
    }

    private static int errorOf(StunMessage answer) {
        int index = answer.messageClass() == MessageClass.ERROR ? answer.indexOf(AttributeType.ERROR_CODE) : -1;
        return index < 0 ? -1 : answer.errorCode(index);
    }

    private static CallFailed refused(StunMessage answer) {
        int code = errorOf(answer);
        return new CallFailed(Method.name(answer.method()) + " was answered "
                + (code < 0 ? "with an error that has no code" : (code + " " + ErrorCode.reason(code)).strip()));
    }

    private static TransportAddress address(StunMessage message, int type) throws CallFailed {
        TransportAddress address = new TransportAddress();
        int index = message.indexOf(type);
        if (index < 0 || !message.xorAddress(index, address)) {
            throw new CallFailed(Method.name(message.method()) + " came without " + AttributeType.name(type));
        }
        return address;
    }
}
