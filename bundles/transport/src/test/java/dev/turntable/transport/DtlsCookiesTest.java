package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import org.bouncycastle.tls.DatagramSender;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("RFC6347§4.2.1")
class DtlsCookiesTest {
    private static final byte[] CLIENT = new DtlsTuple(0).set(1, 0, 5, 6).toBytes();
    private static byte[] hello;

    private final DtlsCookies cookies = new DtlsCookies(new DtlsCrypto(), 0);
    private byte[] answer;
    private final DatagramSender answers = new DatagramSender() {
        @Override
        public int getSendLimit() {
            return 1_200;
        }

        @Override
        public void send(byte[] bytes, int offset, int length) {
            answer = java.util.Arrays.copyOfRange(bytes, offset, offset + length);
        }
    };

    @BeforeAll
    static void takeAHello() throws IOException {
        hello = DtlsClient.hello();
    }

    private byte[] helloWithCookie(byte[] client, long nowNanos) {
        assertNull(cookies.verify(client, hello, hello.length, answers, nowNanos));
        byte[] whole = DtlsTest.withCookie(hello, answer);
        answer = null;
        return whole;
    }

    private boolean isLetIn(byte[] client, byte[] whole, long nowNanos) {
        answer = null;
        return cookies.verify(client, whole, whole.length, answers, nowNanos) != null;
    }

    @Test
    void aCookieIsGoodUntilItsKeyHasBeenReplacedTwice() {
        byte[] whole = helloWithCookie(CLIENT, 0);
        assertEquals(true, isLetIn(CLIENT, whole, 0));
        assertNull(answer);
        assertEquals(true, isLetIn(CLIENT, whole, DtlsCookies.KEY_NANOS - 1));
        assertEquals(true, isLetIn(CLIENT, whole, DtlsCookies.KEY_NANOS));
        assertEquals(true, isLetIn(CLIENT, whole, 2 * DtlsCookies.KEY_NANOS - 1));
        assertEquals(false, isLetIn(CLIENT, whole, 2 * DtlsCookies.KEY_NANOS));
        assertNotNull(answer, "it is sent another one");
    }

    @Test
    void aCookieIsForOneAddressOnePortAndOneEndOfTheServer() {
        byte[] whole = helloWithCookie(CLIENT, 0);
        assertEquals(false, isLetIn(new DtlsTuple(0).set(1, 0, 5, 7).toBytes(), whole, 0));
        assertEquals(false, isLetIn(new DtlsTuple(0).set(1, 0, 6, 6).toBytes(), whole, 0));
        assertEquals(false, isLetIn(new DtlsTuple(0).set(1, 1, 5, 6).toBytes(), whole, 0));
        assertEquals(false, isLetIn(new DtlsTuple(0).set(2, 0, 5, 6).toBytes(), whole, 0));
        assertEquals(true, isLetIn(CLIENT, whole, 0));
    }

    @Test
    void aCookieIsForOneHello() {
        byte[] whole = helloWithCookie(CLIENT, 0);
        whole[30] ^= 1;
        assertEquals(false, isLetIn(CLIENT, whole, 0));
        whole[30] ^= 1;
        // The last byte of the last extension.
        whole[whole.length - 1] ^= 1;
        assertEquals(false, isLetIn(CLIENT, whole, 0));
    }
}
