package dev.turntable.relay;

import dev.turntable.codec.DataIndication;
import dev.turntable.codec.Integrity;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.StunWriter;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Worker;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.SplittableRandom;

/**
 * What one worker's thread writes on while it handles a packet: decoder, writer and scratch memory, used again for the next. Owns
 * nothing that has to outlive a packet.
 */
final class Desk {
    /** Room for the longest answer: realm, nonce and SOFTWARE in UTF-8, or 64 unknown attributes. */
    private static final int ANSWER_BYTES = 2048;

    /** In one message: a CreatePermission for a full datagram or frame of peers has many, and more than 370 fit in no 1,500 bytes. */
    static final int MAX_ATTRIBUTES = 1_024;

    /** That one answer names; a client that has more wrong is told the rest when it has mended these. */
    private static final int MAX_UNKNOWN = 64;

    final Worker worker;
    final StunMessage message = new StunMessage(MAX_ATTRIBUTES);
    final StunWriter writer = new StunWriter();
    final Integrity integrity = new Integrity();

    /** On the heap, where the digests read it without a copy. */
    final ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);

    /** In front of a payload: ChannelData or Data indication. */
    final ByteBuffer header = ByteBuffer.allocate(DataIndication.HEADER_LENGTH_IPV6);

    final TransportAddress peer = new TransportAddress();

    final int[] unknownTypes = new int[MAX_UNKNOWN];

    final Nonces.Seal seal = new Nonces.Seal();

    /** Makes transaction IDs of indications, which have to be different but guard nothing. */
    final SplittableRandom transactionIds = new SplittableRandom(new SecureRandom().nextLong());

    /** The peers of a CreatePermission. */
    final NamedPeers peers = new NamedPeers(transactionIds.split());

    /** When a fault was logged last, in the worker's time; negative for never. */
    long faultLoggedNanos = -1;

    Desk(Worker worker) {
        this.worker = worker;
    }

    /** The first {@code length} bytes of {@link #header}, ready to be sent. */
    ByteBuffer header(int length) {
        return header.clear().limit(length);
    }
}
