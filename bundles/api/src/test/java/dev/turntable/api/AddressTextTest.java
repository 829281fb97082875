package dev.turntable.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("RFC5952§4")
class AddressTextTest {
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "0:0:0:0:0:0:0:0, ::",
        "0:0:0:0:0:0:0:1, ::1",
        "1:0:0:0:0:0:0:0, 1::",
        "2001:0DB8:0:0:0:0:0:1, 2001:db8::1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "2001:0:0:1:0:0:0:1, 2001:0:0:1::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
        "0:0:2:3:4:5:0:0, ::2:3:4:5:0:0"
    })
    void anAddressHasOneSpelling(String address, String spelled) throws UnknownHostException {
        assertEquals(spelled, AddressText.of(InetAddress.getByName(address)));
    }

    @Test
    void aPortStandsBehindBracketsWhereTheAddressHasColons() {
        assertEquals("[2001:db8::1]:3478", AddressText.of(new InetSocketAddress("2001:db8:0::1", 3478)));
        assertEquals("192.0.2.1:3478", AddressText.of(new InetSocketAddress("192.0.2.1", 3478)));
        assertEquals("turn.invalid:1", AddressText.of(InetSocketAddress.createUnresolved("turn.invalid", 1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "256.0.0.1",
                "1.2",
                "1.2.3",
                "1.2.3.4.",
                "999",
                "",
                ".::1",
                ":",
                "::g",
                "localhost",
                "[::1]",
                "1::2::3"
            })
    void whatIsNoLiteralIsNotLookedUp(String text) {
        assertNull(AddressText.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "0.0.0.0", "255.255.255.255", "2001:db8::1", "::", "::1"})
    void aLiteralIsItsAddress(String text) {
        assertEquals(text, AddressText.of(AddressText.parse(text)));
    }

    @Test
    void aZoneStays() throws UnknownHostException {
        InetAddress zoned = java.net.Inet6Address.getByAddress(
                null, new byte[] {(byte) 0xFE, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 3);
        assertEquals("fe80::1%3", AddressText.of(zoned));
    }

    @Test
    void theZoneThatIsNoneIsNotShown() throws UnknownHostException {
        byte[] loopback = new byte[16];
        loopback[15] = 1;
        assertEquals("::1", AddressText.of(java.net.Inet6Address.getByAddress(null, loopback, 0)));
    }
}
