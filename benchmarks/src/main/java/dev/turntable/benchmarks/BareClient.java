package dev.turntable.benchmarks;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Integrity;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.MessageType;
import dev.turntable.codec.Method;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.StunWriter;
import dev.turntable.codec.TransportAddress;
import dev.turntable.codec.Verdict;
import dev.turntable.state.ReapReason;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;

/** A client of a {@link BareServer} whose requests are written and signed beforehand, so that the server's work alone is measured. */
final class BareClient {
    static final int CHANNEL = 0x4000;

    private static final int UDP = 17;
    private static final byte[] KEY = LongTermKey.md5(OneUser.NAME, BareServer.REALM, OneUser.PASSWORD);

    final BarePath path;
    final long peerLo;
    final int peerPort;
    final BarePacket challenge;
    final BarePacket allocate;
    final BarePacket refresh;
    final BarePacket createPermission;
    final BarePacket channelBind;
    private final BareServer server;
    private final int number;
    private final byte[] nonce;
    private int requests;

    BareClient(BareServer server, int number) {
        this.server = server;
        this.number = number;
        path = new BarePath(BarePath.localEnd(server.state), number);
        peerLo = TransportAddress.ipv4(0xCB00_7100 + (number & 0xFF));
        peerPort = 1_024 + number / 256;
        challenge = new BarePacket(message(Method.ALLOCATE, MessageClass.REQUEST, null, BareClient::overUdp));
        path.keeps = true;
        server.fromClient(path, challenge);
        path.keeps = false;
        nonce = nonceOf(path.last);
        allocate = request(Method.ALLOCATE, BareClient::overUdp);
        refresh = request(Method.REFRESH, writer -> writer.uint32(AttributeType.LIFETIME, 600));
        createPermission = request(Method.CREATE_PERMISSION, this::toPeer);
        channelBind = request(Method.CHANNEL_BIND, writer -> {
            writer.uint32(AttributeType.CHANNEL_NUMBER, (long) CHANNEL << 16);
            toPeer(writer);
        });
    }

    /** Clients 0 to {@code count - 1}. */
    static BareClient[] clients(BareServer server, int count) {
        BareClient[] clients = new BareClient[count];
        for (int i = 0; i < count; i++) {
            clients[i] = new BareClient(server, i);
        }
        return clients;
    }

    /** Sends a packet of this client. */
    void send(BarePacket packet) {
        server.fromClient(path, packet);
    }

    /** Makes an allocation with a permission and a channel, and sees that they are there. */
    void call() {
        send(allocate);
        send(createPermission);
        send(channelBind);
        if (server.allocation(path) == null || server.allocation(path).channelBindingCount() != 1) {
            throw new IllegalStateException("no call for client " + number);
        }
    }

    void end() {
        server.worker.delete(server.allocation(path), ReapReason.SHUTDOWN);
    }

    BarePacket channelData(int payloadBytes) {
        return new BarePacket(ByteBuffer.allocate(4 + payloadBytes)
                .putShort((short) CHANNEL)
                .putShort((short) payloadBytes)
                .array());
    }

    BarePacket sendIndication(int payloadBytes) {
        return new BarePacket(message(Method.SEND, MessageClass.INDICATION, null, writer -> {
            toPeer(writer);
            writer.bytes(AttributeType.DATA, new byte[payloadBytes]);
        }));
    }

    private static void overUdp(StunWriter writer) {
        writer.uint32(AttributeType.REQUESTED_TRANSPORT, (long) UDP << 24);
    }

    private void toPeer(StunWriter writer) {
        writer.xorAddress(AttributeType.XOR_PEER_ADDRESS, 0, peerLo, peerPort);
    }

    private BarePacket request(int method, Consumer<StunWriter> attributes) {
        return new BarePacket(message(method, MessageClass.REQUEST, nonce, attributes));
    }

    private byte[] message(int method, int messageClass, byte[] nonceOrNull, Consumer<StunWriter> attributes) {
        ByteBuffer target = ByteBuffer.allocate(2_048);
        StunWriter writer =
                new StunWriter().begin(target, 0, MessageType.type(method, messageClass), number, ++requests);
        attributes.accept(writer);
        if (nonceOrNull != null) {
            writer.string(AttributeType.USERNAME, OneUser.NAME)
                    .string(AttributeType.REALM, BareServer.REALM)
                    .bytes(AttributeType.NONCE, nonceOrNull)
                    .messageIntegrity(new Integrity(), KEY);
        }
        return Arrays.copyOf(target.array(), writer.finish());
    }

    private static byte[] nonceOf(byte[] answer) {
        StunMessage message = new StunMessage();
        if (message.decode(ByteBuffer.wrap(answer), 0, answer.length) != Verdict.OK) {
            throw new IllegalStateException("no challenge");
        }
        return message.value(message.indexOf(AttributeType.NONCE));
    }
}
