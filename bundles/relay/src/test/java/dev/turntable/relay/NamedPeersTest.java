package dev.turntable.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.codec.Method;
import dev.turntable.codec.StunMessage;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The peers that a CreatePermission names")
@Tag("RFC8656§10.2")
class NamedPeersTest {
    /** As many as go into a message, but for those of the credentials. */
    private static final int MOST = Desk.MAX_ATTRIBUTES;

    private final NamedPeers peers = new NamedPeers(new SplittableRandom());

    private void name(int count, IntFunction<InetSocketAddress> peer) {
        Request request =
                TestServer.start().alice().request(Method.CREATE_PERMISSION).unsigned();
        for (int i = 0; i < count; i++) {
            request.peer(peer.apply(i));
        }
        byte[] bytes = request.bytes();
        StunMessage message = new StunMessage(Desk.MAX_ATTRIBUTES);
        message.decode(ByteBuffer.wrap(bytes), 0, bytes.length);
        assertEquals(count > 0, peers.read(message));
        assertEquals(count, peers.count());
    }

    private static InetSocketAddress host(int number) {
        return TestServer.address("203." + (number >> 16) + "." + (number >> 8 & 0xFF) + "." + (number & 0xFF), 9);
    }

    @ParameterizedTest(name = "{0} different ones")
    @ValueSource(ints = {1, 2, 3, 7, 255, 1_000, 1_023, MOST})
    @DisplayName("are each met in about as many looks as there are peers, not as there are pairs")
    void areMetInAboutAsManyLooks(int count) {
        name(count, NamedPeersTest::host);
        peers.meetAnew();
        for (int i = 0; i < count; i++) {
            assertTrue(peers.meetAddress(i));
        }
        for (int i = 0; i < count; i++) {
            assertFalse(peers.meetAddress(i));
        }
        assertTrue(peers.looks() <= 8L * (count + 8), count + " peers, " + peers.looks() + " looks");
    }

    @Test
    @DisplayName(
            "are told apart as a set of addresses or of endpoints tells them apart, in many requests one after the other")
    void areToldApartAsASetTellsThem() {
        Random random = new Random(7);
        for (int request = 0; request < 200; request++) {
            int count = 1 + random.nextInt(request % 2 == 0 ? 12 : 300);
            InetSocketAddress[] named = new InetSocketAddress[count];
            for (int i = 0; i < count; i++) {
                String ip = (random.nextBoolean() ? "203.0.113." : "2001:db8::") + random.nextInt(40);
                named[i] = TestServer.address(ip, 1 + random.nextInt(3));
            }
            name(count, i -> named[i]);
            Set<Object> addresses = new HashSet<>();
            Set<Object> endpoints = new HashSet<>();
            peers.meetAnew();
            for (int i = 0; i < count; i++) {
                assertEquals(addresses.add(named[i].getAddress()), peers.meetAddress(i));
            }
            peers.meetAnew();
            for (int i = 0; i < count; i++) {
                assertEquals(endpoints.add(named[i]), peers.meetEndpoint(i));
            }
        }
    }
}
