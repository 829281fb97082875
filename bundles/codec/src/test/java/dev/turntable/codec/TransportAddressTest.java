package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class TransportAddressTest {
    @Test
    void holdsAnIpv4AddressAsAMappedOne() {
        TransportAddress address = new TransportAddress();
        address.set(new InetSocketAddress("192.0.2.255", 65535));
        assertEquals(0, address.hi());
        assertEquals(0x0000_FFFF_C000_02FFL, address.lo());
        assertEquals(TransportAddress.FAMILY_IPV4, address.family());
        assertEquals(new InetSocketAddress("192.0.2.255", 65535), address.toInetSocketAddress());
        assertEquals("192.0.2.255:65535", address.toString());
        assertEquals(TransportAddress.ipv4(0xC00002FF), address.lo());
    }

    @Test
    void holdsAnIpv6AddressInItsTwoHalves() {
        TransportAddress address = new TransportAddress();
        address.set(new InetSocketAddress("2001:db8:ffff::8899:aabb:ccdd:eeff", 3478));
        assertEquals(0x20010db8ffff0000L, address.hi());
        assertEquals(0x8899aabbccddeeffL, address.lo());
        assertEquals(TransportAddress.FAMILY_IPV6, address.family());
        assertEquals(new InetSocketAddress("2001:db8:ffff::8899:aabb:ccdd:eeff", 3478), address.toInetSocketAddress());
        assertEquals("[2001:db8:ffff:0:8899:aabb:ccdd:eeff]:3478", address.toString());
    }

    @Test
    void convertsToAndFromBytesAndTheJdk() throws UnknownHostException {
        for (String text :
                new String[] {"0.0.0.0", "127.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "::1:0:0", "::fffe:1:2"
                }) {
            InetAddress ip = InetAddress.getByName(text);
            byte[] bytes = ip.getAddress();
            long hi = TransportAddress.hi(ip);
            long lo = TransportAddress.lo(ip);
            assertArrayEquals(bytes, TransportAddress.toBytes(hi, lo), text);
            assertEquals(ip, TransportAddress.toInetAddress(hi, lo));
            assertEquals(bytes.length == 4, TransportAddress.isIPv4(hi, lo));
        }
        assertThrows(IllegalArgumentException.class, () -> TransportAddress.hi(new byte[5]));
        TransportAddress address = new TransportAddress();
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("example.org", 1);
        assertThrows(IllegalArgumentException.class, () -> address.set(unresolved));
    }

    @Test
    void isEqualByAddressAndPortAndForgetsHowItWasWrittenWhenSetAnew() {
        TransportAddress onWire = new TransportAddress();
        onWire.setFromIPv6(0, TransportAddress.ipv4(1), 2);
        TransportAddress copy = new TransportAddress();
        copy.set(onWire);
        assertTrue(copy.mappedOnWire());
        assertEquals(new TransportAddress(0, TransportAddress.ipv4(1), 2), copy);
        assertEquals(onWire.hashCode(), copy.hashCode());
        assertNotEquals(new TransportAddress(0, TransportAddress.ipv4(1), 3), copy);
        copy.set(0, TransportAddress.ipv4(1), 2);
        assertFalse(copy.mappedOnWire());
        onWire.setFromIPv6(1, TransportAddress.ipv4(1), 2);
        assertFalse(onWire.mappedOnWire());
    }
}
