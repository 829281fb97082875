package dev.turntable.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * One allocation of an {@link EchoLoad} and the numbered packets that travel through it. A payload is: flow, sequence,
 * time of sending, a pattern, CRC-32 of all that.
 */
final class EchoFlow {
    static final int MIN_PAYLOAD_BYTES = 24;

    private static final int CHANNEL_NUMBER = 0x4000;

    /** Sums over all flows of a load. */
    static final class Counts {
        final Histogram latencyMicros;
        final SingleWriterRecorder recentMicros;
        long sent;
        long received;
        long duplicated;
        long corrupted;
        long misrouted;
        /** Sends that the kernel refused: not counted as sent. */
        long sendsRefused;

        Counts(Histogram latencyMicros, SingleWriterRecorder recentMicros) {
            this.latencyMicros = latencyMicros;
            this.recentMicros = recentMicros;
        }
    }

    private final int index;
    private final TurnClient client;
    private final InetSocketAddress peer;
    private final EchoLoad.Settings settings;
    private final Counts counts;
    private final Upkeep upkeep;
    private final CRC32 crc = new CRC32();
    private final BitSet seen = new BitSet();
    private int nextSequence;

    EchoFlow(
            int index,
            TurnClient client,
            InetSocketAddress peer,
            EchoLoad.Settings settings,
            Counts counts,
            Upkeep.Counts upkeepCounts) {
        this.index = index;
        this.client = client;
        this.peer = peer;
        this.settings = settings;
        this.counts = counts;
        this.upkeep = new Upkeep(client, settings.indications() ? 0 : CHANNEL_NUMBER, peer, upkeepCounts);
    }

    TurnClient client() {
        return client;
    }

    Upkeep upkeep() {
        return upkeep;
    }

    /** Opens the way to the peer; the allocation is there already. */
    void open() throws IOException {
        if (settings.indications()) {
            client.createPermission(peer.getAddress());
        } else {
            client.bindChannel(CHANNEL_NUMBER, peer);
        }
    }

    /** Ends the allocation; whether there still was one. */
    boolean end() throws IOException {
        client.wire().channel().configureBlocking(true);
        try {
            client.refresh(0);
            return true;
        } catch (TurnError e) {
            // RFC 8656 §8: 437 where there is no allocation.
            return false;
        }
    }

    void close() throws IOException {
        client.close();
    }

    void sendOne(ByteBuffer out) throws IOException {
        out.clear();
        if (settings.indications()) {
            putPayload(out);
            byte[] indication = TurnClient.sendIndication(peer, out.flip());
            out.clear().put(indication).flip();
        } else {
            out.putShort((short) CHANNEL_NUMBER).putShort((short) settings.payloadBytes());
            putPayload(out);
            out.flip();
        }
        try {
            if (!client.wire().send(out)) {
                counts.sendsRefused++;
                return;
            }
        } catch (PortUnreachableException e) {
            counts.sendsRefused++;
            return;
        }
        nextSequence++;
        counts.sent++;
    }

    void receiveAll(ByteBuffer in) {
        try {
            while (client.wire().poll(in)) {
                receive(in);
            }
        } catch (PortUnreachableException e) {
            // The server is away for the moment; what is lost by it is counted.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void receive(ByteBuffer datagram) throws IOException {
        long now = System.nanoTime();
        if (MessageReader.isStun(datagram)) {
            MessageReader message = new MessageReader(datagram);
            if (message.type() != TurnClient.DATA_INDICATION) {
                upkeep.onMessage(message, now);
            } else if (!settings.indications() || !peer.equals(message.xorAddress(Attribute.XOR_PEER_ADDRESS))) {
                counts.misrouted++;
            } else {
                receivePayload(message.find(Attribute.DATA), now);
            }
        } else if (!settings.indications()
                && datagram.remaining() >= 4
                && datagram.getShort(0) == CHANNEL_NUMBER
                && Short.toUnsignedInt(datagram.getShort(2)) <= datagram.remaining() - 4) {
            receivePayload(datagram.slice(4, Short.toUnsignedInt(datagram.getShort(2))), now);
        } else {
            counts.corrupted++;
        }
    }

    private void receivePayload(ByteBuffer payload, long now) {
        int end = settings.payloadBytes() - 4;
        if (payload == null || payload.remaining() != end + 4 || payload.getInt(end) != crcOf(payload, 0)) {
            counts.corrupted++;
            return;
        }
        int sequence = payload.getInt(4);
        if (payload.getInt(0) != index) {
            counts.misrouted++;
        } else if (seen.get(sequence)) {
            counts.duplicated++;
        } else {
            seen.set(sequence);
            counts.received++;
            long micros = Math.min(
                    TimeUnit.NANOSECONDS.toMicros(now - payload.getLong(8)),
                    counts.latencyMicros.getHighestTrackableValue());
            counts.latencyMicros.recordValue(micros);
            counts.recentMicros.recordValue(micros);
        }
    }

    private void putPayload(ByteBuffer out) {
        int start = out.position();
        out.putInt(index).putInt(nextSequence).putLong(System.nanoTime());
        while (out.position() < start + settings.payloadBytes() - 4) {
            out.put((byte) (out.position() + nextSequence));
        }
        out.putInt(crcOf(out, start));
    }

    private int crcOf(ByteBuffer buffer, int start) {
        crc.reset();
        crc.update(buffer.slice(start, settings.payloadBytes() - 4));
        return (int) crc.getValue();
    }
}
