package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.Integrity;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.MessageType;
import dev.turntable.codec.PasswordAlgorithms;
import dev.turntable.codec.StunWriter;
import dev.turntable.codec.Userhash;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;

/**
 * A message that a {@link TestClient} is about to send: attributes in the order they are named, then credentials. By default it is signed
 * as RFC 5389 has it, with the client's name, password and the nonce it has; each of that can be put wrong.
 */
final class Request {
    private static final ByteBuffer SCRATCH = ByteBuffer.allocate(70_000);
    private static final Integrity INTEGRITY = new Integrity();

    private final TestClient client;
    private final int type;
    private final List<Consumer<StunWriter>> attributes = new ArrayList<>();
    private int idHigh = ThreadLocalRandom.current().nextInt();
    private long idLow = ThreadLocalRandom.current().nextLong();
    private boolean signed = true;
    private boolean fingerprint;
    private boolean userhash;
    private int algorithm;
    private String username;
    private String password;
    private String realm;
    private byte[] nonce;
    private byte[] offered;

    Request(TestClient client, int method, int messageClass) {
        this.client = client;
        type = MessageType.type(method, messageClass);
        signed = messageClass == MessageClass.REQUEST;
        username = client.username;
        password = client.password;
        realm = client.realm;
        nonce = client.nonce;
        offered = client.passwordAlgorithms;
    }

    /** Any attribute. */
    Request with(Consumer<StunWriter> attribute) {
        attributes.add(attribute);
        return this;
    }

    Request transport(int protocol) {
        return with(writer -> writer.uint32(AttributeType.REQUESTED_TRANSPORT, (long) protocol << 24));
    }

    Request lifetime(long seconds) {
        return with(writer -> writer.uint32(AttributeType.LIFETIME, seconds));
    }

    /** REQUESTED-ADDRESS-FAMILY. */
    Request family(int family) {
        return with(writer -> writer.uint32(AttributeType.REQUESTED_ADDRESS_FAMILY, (long) family << 24));
    }

    Request additionalFamily(int family) {
        return with(writer -> writer.uint32(AttributeType.ADDITIONAL_ADDRESS_FAMILY, (long) family << 24));
    }

    /** EVEN-PORT, with the R bit or without. */
    Request evenPort(boolean reserve) {
        return with(writer -> writer.uint8(AttributeType.EVEN_PORT, reserve ? 0x80 : 0));
    }

    Request token(byte[] token) {
        return with(writer -> writer.bytes(AttributeType.RESERVATION_TOKEN, token));
    }

    Request dontFragment() {
        return with(writer -> writer.empty(AttributeType.DONT_FRAGMENT));
    }

    Request peer(InetSocketAddress address) {
        byte[] ip = address.getAddress().getAddress();
        long hi = dev.turntable.codec.TransportAddress.hi(ip);
        long lo = dev.turntable.codec.TransportAddress.lo(ip);
        return with(writer -> writer.xorAddress(AttributeType.XOR_PEER_ADDRESS, hi, lo, address.getPort()));
    }

    Request connectionId(long id) {
        return with(writer -> writer.uint32(AttributeType.CONNECTION_ID, id));
    }

    Request channel(int number) {
        return with(writer -> writer.uint32(AttributeType.CHANNEL_NUMBER, (long) number << 16));
    }

    Request data(byte[] payload) {
        return with(writer -> writer.bytes(AttributeType.DATA, payload));
    }

    Request unsigned() {
        signed = false;
        return this;
    }

    Request as(String name, String secret) {
        username = name;
        password = secret;
        return this;
    }

    Request realm(String other) {
        realm = other;
        return this;
    }

    Request nonce(byte[] other) {
        nonce = other;
        return this;
    }

    /** Leaves out what is null of USERNAME, REALM and NONCE, and signs all the same. */
    Request without(int attribute) {
        switch (attribute) {
            case AttributeType.USERNAME -> username = null;
            case AttributeType.REALM -> realm = null;
            case AttributeType.NONCE -> nonce = null;
            default -> throw new IllegalArgumentException("not left out: " + attribute);
        }
        return this;
    }

    /** As RFC 8489 has it: PASSWORD-ALGORITHMS as offered, this one of them, MESSAGE-INTEGRITY-SHA256. */
    Request algorithm(int chosen) {
        algorithm = chosen;
        return this;
    }

    /** Sends back another PASSWORD-ALGORITHMS than was offered. */
    Request offered(byte[] list) {
        offered = list;
        return this;
    }

    Request userhash() {
        userhash = true;
        return this;
    }

    Request fingerprint() {
        fingerprint = true;
        return this;
    }

    Request transaction(int high, long low) {
        idHigh = high;
        idLow = low;
        return this;
    }

    /** The bytes as they go onto the wire. */
    byte[] bytes() {
        StunWriter writer = new StunWriter().begin(SCRATCH, 0, type, idHigh, idLow);
        attributes.forEach(attribute -> attribute.accept(writer));
        if (signed) {
            sign(writer);
        }
        if (fingerprint) {
            writer.fingerprint();
        }
        int length = writer.finish();
        return Arrays.copyOf(SCRATCH.array(), length);
    }

    private void sign(StunWriter writer) {
        String keyRealm = realm == null ? client.realm : realm;
        String keyName = username == null ? client.username : username;
        if (userhash) {
            writer.bytes(AttributeType.USERHASH, Userhash.of(username, keyRealm));
        } else if (username != null) {
            writer.string(AttributeType.USERNAME, username);
        }
        if (realm != null) {
            writer.string(AttributeType.REALM, realm);
        }
        if (nonce != null) {
            writer.bytes(AttributeType.NONCE, nonce);
        }
        if (algorithm == 0) {
            writer.messageIntegrity(INTEGRITY, LongTermKey.md5(keyName, keyRealm, password));
            return;
        }
        if (offered != null) {
            writer.bytes(AttributeType.PASSWORD_ALGORITHMS, offered);
        }
        writer.bytes(AttributeType.PASSWORD_ALGORITHM, PasswordAlgorithms.value(algorithm));
        byte[] key = LongTermKey.of(algorithm, keyName, keyRealm, password);
        // An algorithm that does not exist has no key; the server has to refuse it before it looks.
        writer.messageIntegritySha256(INTEGRITY, key == null ? new byte[32] : key);
    }

    /** Sends it; the only answer, or null where the server is silent. */
    Answer send() {
        return client.send(bytes());
    }
}
