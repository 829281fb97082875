package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Integrity;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.MessageType;
import dev.turntable.codec.Method;
import dev.turntable.codec.PasswordAlgorithms;
import dev.turntable.codec.StunWriter;
import dev.turntable.codec.TransportAddress;
import dev.turntable.codec.Userhash;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * A STUN message that a fuzzer has thought out: method, class, attributes and their lengths, then damage, then the integrity over the
 * damaged bytes, so that what is wrong in it comes past authentication; and, for some, damage after that.
 */
final class FuzzedMessage {
    private static final ByteBuffer SCRATCH = ByteBuffer.allocate(66_000);
    private static final Integrity INTEGRITY = new Integrity();
    private static final int HEADER = 20;

    private static final int[] METHODS = {
        Method.ALLOCATE, Method.REFRESH, Method.CREATE_PERMISSION, Method.CHANNEL_BIND, Method.SEND, Method.BINDING
    };

    /** What a request may have, first what leads furthest. */
    private static final int[] TYPES = {
        AttributeType.REQUESTED_TRANSPORT, AttributeType.XOR_PEER_ADDRESS, AttributeType.CHANNEL_NUMBER,
        AttributeType.DATA, AttributeType.LIFETIME, AttributeType.REQUESTED_ADDRESS_FAMILY,
        AttributeType.ADDITIONAL_ADDRESS_FAMILY, AttributeType.EVEN_PORT, AttributeType.RESERVATION_TOKEN,
        AttributeType.DONT_FRAGMENT, AttributeType.SOFTWARE, AttributeType.USERNAME,
        AttributeType.REALM, AttributeType.NONCE, AttributeType.USERHASH,
        AttributeType.PASSWORD_ALGORITHM, AttributeType.PASSWORD_ALGORITHMS, AttributeType.MESSAGE_INTEGRITY,
        AttributeType.MESSAGE_INTEGRITY_SHA256, AttributeType.FINGERPRINT, AttributeType.ERROR_CODE,
        AttributeType.UNKNOWN_ATTRIBUTES, AttributeType.XOR_MAPPED_ADDRESS, AttributeType.XOR_RELAYED_ADDRESS,
        AttributeType.ICMP, AttributeType.MOBILITY_TICKET, AttributeType.CONNECTION_ID
    };

    private final FuzzedBytes fuzz;
    private final TestClient client;
    private final List<InetSocketAddress> peers;
    private final byte[] token;

    /**
     * @param token the last RESERVATION-TOKEN that anybody was given, or null
     */
    FuzzedMessage(FuzzedBytes fuzz, TestClient client, List<InetSocketAddress> peers, byte[] token) {
        this.fuzz = fuzz;
        this.client = client;
        this.peers = peers;
        this.token = token;
    }

    /** The bytes as they go onto the wire. */
    byte[] bytes(int idHigh, long idLow) {
        int method = fuzz.uint8();
        method = method < 0xF0 ? METHODS[method % METHODS.length] : fuzz.uint16() & 0xFFF;
        int how = fuzz.uint8();
        int messageClass = (how & 0x80) != 0
                ? how >>> 4 & 3
                : method == Method.SEND ? MessageClass.INDICATION : MessageClass.REQUEST;
        boolean signs = client.nonce != null && messageClass == MessageClass.REQUEST && (how & 0x0F) != 0x0F;
        StunWriter writer = new StunWriter().begin(SCRATCH, 0, MessageType.type(method, messageClass), idHigh, idLow);
        int signing = signs ? how & 7 : 0;
        if (signs) {
            claim(writer, signing);
        }
        int from = writer.length();
        for (int count = fuzz.uint8() % 80; count > 0 && !fuzz.isEmpty(); count--) {
            attribute(writer);
        }
        int damage = fuzz.uint8();
        if (damage >= 0xC0) {
            damage(damage & 3, from, writer.length());
        }
        if (signs) {
            sign(writer, signing);
        }
        int last = fuzz.uint8();
        if ((last & 0x81) == 0x81) {
            writer.fingerprint();
        }
        if (last >= 0xE0) {
            attribute(writer);
        }
        int length = writer.finish();
        if (length < 0) {
            return new byte[HEADER];
        }
        if ((last & 0xC2) == 0xC2) {
            damage(1 + (last & 1), 0, length);
        }
        return Arrays.copyOf(SCRATCH.array(), length + ((last & 0xC4) == 0xC4 ? 1 + fuzz.uint8() % 5 : 0));
    }

    private void damage(int times, int from, int end) {
        for (int i = 0; i <= times && end > from; i++) {
            SCRATCH.put(from + fuzz.uint16() % (end - from), (byte) fuzz.uint8());
        }
    }

    private void attribute(StunWriter writer) {
        int chosen = fuzz.uint8();
        int type = chosen < 0xF0 ? TYPES[chosen % TYPES.length] : fuzz.uint16();
        if (chosen >= 0xC0) {
            writer.bytes(type, fuzz.takeSome());
            return;
        }
        switch (type) {
            case AttributeType.XOR_PEER_ADDRESS -> peer(writer);
            case AttributeType.CHANNEL_NUMBER -> writer.uint32(type, (0x3FFFL + fuzz.uint8() % 8) << 16);
            case AttributeType.REQUESTED_TRANSPORT -> writer.uint32(type, (long) fuzz.pick(17, 17, 17, 6, 132) << 24);
            case AttributeType.LIFETIME -> writer.uint32(type, fuzz.pick(600, 0, 1, 601, 3_600, -1));
            case AttributeType.REQUESTED_ADDRESS_FAMILY, AttributeType.ADDITIONAL_ADDRESS_FAMILY ->
                writer.uint32(type, (long) fuzz.pick(2, 1, 0, 3) << 24);
            case AttributeType.EVEN_PORT -> writer.uint8(type, fuzz.uint8());
            case AttributeType.RESERVATION_TOKEN -> writer.bytes(type, token == null ? new byte[8] : token);
            case AttributeType.DONT_FRAGMENT -> writer.empty(type);
            default -> writer.bytes(type, fuzz.takeSome());
        }
    }

    private void peer(StunWriter writer) {
        int chosen = fuzz.uint8();
        if (chosen >= 0xF0) {
            writer.bytes(AttributeType.XOR_PEER_ADDRESS, fuzz.take(fuzz.pick(8, 20)));
            return;
        }
        InetSocketAddress peer = peers.get(chosen % peers.size());
        byte[] ip = peer.getAddress().getAddress();
        writer.xorAddress(
                AttributeType.XOR_PEER_ADDRESS, TransportAddress.hi(ip), TransportAddress.lo(ip), peer.getPort());
    }

    /** Who it says it is from; first, so that the damage comes after it. */
    private void claim(StunWriter writer, int signing) {
        if (signing == 5) {
            writer.bytes(AttributeType.USERHASH, Userhash.of(client.username, client.realm));
        } else {
            writer.string(AttributeType.USERNAME, client.username);
        }
        writer.string(AttributeType.REALM, client.realm).bytes(AttributeType.NONCE, client.nonce);
        if (signing >= 3) {
            byte[] offered = client.passwordAlgorithms;
            writer.bytes(AttributeType.PASSWORD_ALGORITHMS, offered == null ? new byte[8] : offered);
            writer.bytes(AttributeType.PASSWORD_ALGORITHM, PasswordAlgorithms.value(algorithm(signing)));
        }
    }

    private static int algorithm(int signing) {
        return signing == 3 || signing < 3 ? PasswordAlgorithms.MD5 : PasswordAlgorithms.SHA256;
    }

    private void sign(StunWriter writer, int signing) {
        byte[] key = LongTermKey.of(
                algorithm(signing), client.username, client.realm, signing == 2 ? "guess" : client.password);
        switch (signing) {
            case 0, 1, 2 -> writer.messageIntegrity(INTEGRITY, key);
            case 6 -> writer.messageIntegrity(INTEGRITY, key).messageIntegritySha256(INTEGRITY, key);
            case 7 -> writer.messageIntegritySha256(INTEGRITY, key, 16);
            default -> writer.messageIntegritySha256(INTEGRITY, key);
        }
    }
}
