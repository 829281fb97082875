package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.TransportAddress;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The peers that a CreatePermission names, up to 1,024, and which of them it has named before: open addressing, a quarter to half full,
 * with secrets, so that whoever names many cannot choose collisions. Used again for the next request; a worker's thread alone.
 */
final class NamedPeers {
    private static final int FREE = -1;

    private final TransportAddress[] peers = new TransportAddress[Desk.MAX_ATTRIBUTES];
    /** Indices of those that were met. A request of few peers uses the first few. */
    private final int[] met = new int[4 * Desk.MAX_ATTRIBUTES];

    private final long[] secrets = new long[4];
    private int count;
    private int mask;
    /** Slots looked at so far, of all requests: what they have cost. */
    private long looks;

    NamedPeers(SplittableRandom random) {
        for (int i = 0; i < peers.length; i++) {
            peers[i] = new TransportAddress();
        }
        Arrays.setAll(secrets, i -> random.nextLong());
    }

    /** Takes the peers of a message; false where it names none, or one that cannot be read. */
    boolean read(StunMessage message) {
        count = 0;
        int index = message.indexOf(AttributeType.XOR_PEER_ADDRESS);
        while (index >= 0) {
            if (!message.xorAddress(index, peers[count++])) {
                return false;
            }
            index = message.indexOf(AttributeType.XOR_PEER_ADDRESS, index + 1);
        }
        return count > 0;
    }

    int count() {
        return count;
    }

    TransportAddress get(int index) {
        return peers[index];
    }

    long looks() {
        return looks;
    }

    /** No peer was met yet. */
    void meetAnew() {
        mask = Integer.highestOneBit(count) * 4 - 1;
        Arrays.fill(met, 0, mask + 1, FREE);
    }

    /** Whether no peer of the same IP address was met since {@link #meetAnew}. */
    boolean meetAddress(int index) {
        return meet(index, false);
    }

    /** Whether no peer of the same IP address and port was met since {@link #meetAnew}. */
    boolean meetEndpoint(int index) {
        return meet(index, true);
    }

    private boolean meet(int index, boolean withPort) {
        TransportAddress peer = peers[index];
        int slot = hash(peer, withPort) & mask;
        looks++;
        while (met[slot] != FREE) {
            TransportAddress other = peers[met[slot]];
            if (other.hi() == peer.hi() && other.lo() == peer.lo() && (!withPort || other.port() == peer.port())) {
                return false;
            }
            slot = slot + 1 & mask;
            looks++;
        }
        met[slot] = index;
        return true;
    }

    private int hash(TransportAddress peer, boolean withPort) {
        long address = fold(peer.hi() ^ secrets[0], peer.lo() ^ secrets[1]);
        return (int) fold(address ^ secrets[2], (withPort ? peer.port() : 0) ^ secrets[3]);
    }

    /** The two halves of the 128-bit product, one over the other. */
    private static long fold(long a, long b) {
        return a * b ^ Math.multiplyHigh(a, b);
    }
}
