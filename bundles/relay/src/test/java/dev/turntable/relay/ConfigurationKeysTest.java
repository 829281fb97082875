package dev.turntable.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.codec.TransportAddress;
import dev.turntable.state.UnknownKeys;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The configuration of the relay")
class ConfigurationKeysTest {
    @Test
    @DisplayName("has a default for every key")
    void hasDefaults() {
        RelayConfiguration defaults = ConfigurationKeys.read(Map.of());
        assertEquals("turntable", defaults.realm());
        assertEquals(600, defaults.allocationLifetimeSeconds());
        assertEquals(3_600, defaults.maxAllocationLifetimeSeconds());
        assertEquals(300, defaults.permissionLifetimeSeconds());
        assertEquals(600, defaults.channelLifetimeSeconds());
        assertTrue(defaults.channelHoldsPermission());
        assertFalse(defaults.legacyChannelNumbers());
        assertEquals(0x4FFF, defaults.maxChannelNumber());
        assertFalse(defaults.strictCredentialExpiry());
        assertEquals(List.of(), defaults.peersAllow());
        assertEquals("", defaults.software());
    }

    @Test
    @DisplayName("takes values as text, as a file has them, or of their own type")
    void takesTextAndTypes() {
        RelayConfiguration fromText = ConfigurationKeys.read(
                Map.of("allocationsPerUser", " 7 ", "strictCredentialExpiry", "true", "peersAllow", "10.0.0.0/8, ::1"));
        RelayConfiguration fromTypes = ConfigurationKeys.read(Map.of(
                "allocationsPerUser", 7, "strictCredentialExpiry", true, "peersAllow", new String[] {"10.0.0.0/8", "::1"
                }));
        assertEquals(fromText, fromTypes);
        assertEquals(7, fromText.allocationsPerUser());
        assertEquals(2, fromText.peersAllow().size());
    }

    @ParameterizedTest
    @CsvSource({
        "realm, ''",
        "allocationLifetimeSeconds, 0",
        "allocationLifetimeSeconds, ten",
        "maxAllocationLifetimeSeconds, 599",
        "permissionLifetimeSeconds, -1",
        "channelLifetimeSeconds, 86401",
        "channelHoldsPermission, yes",
        "legacyChannelNumbers, yes",
        "permissionsPerAllocation, 0",
        "channelsPerAllocation, 4097",
        "connectionsPerAllocation, 0",
        "allocationsPerUser, -1",
        "sharedPeersPerAllocation, 0",
        "peersAllow, 10.0.0.0-",
        "nonceLifetimeSeconds, 3601",
        "strictCredentialExpiry, 1",
        "sweepBudgetMicros, 9"
    })
    @DisplayName("refuses a bad value and names its key first")
    void refusesABadValue(String key, String value) {
        String message = assertThrows(IllegalArgumentException.class, () -> ConfigurationKeys.read(Map.of(key, value)))
                .getMessage();
        assertTrue(message.startsWith(key + ":"), message);
    }

    @Test
    @DisplayName("tells keys that mean nothing, but for the container's own")
    void tellsUnknownKeys() {
        Map<String, Object> properties =
                Map.of("realm", "a", "relm", "b", "service.pid", "c", "felix.fileinstall.filename", "d");
        assertEquals("configuration key that means nothing: relm", UnknownKeys.problem(RelayKeys.class, properties));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "abc",
                "10.0.0.0/33",
                "10.0.0.1/8",
                "::/129",
                "10.0.0",
                "10.0.0.0/",
                "10.0.0.0-10.0.0.9",
                "::ffff:1.2.3.4",
                "localhost",
                "1.2.3.4/8/8",
                "256.0.0.1",
                "010.0.0.1",
                ".::1",
                "fe80::1%eth0"
            })
    @DisplayName("refuses what is no address and no CIDR block, without asking a name service")
    void refusesWhatIsNoRange(String text) {
        assertThrows(IllegalArgumentException.class, () -> AddressRange.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "0.0.0.0/0, 255.1.2.3, true",
        "0.0.0.0/0, ::1, false",
        "::/0, 2001:db8::1, true",
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "192.0.2.7, 192.0.2.7, true",
        "192.0.2.7, 192.0.2.6, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "2001:db8::/64, 2001:db8::ffff:1, true",
        "2001:db8::/65, 2001:db8::8000:0:0:1, false",
        "2001:db8::/127, 2001:db8::1, true",
        "2001:db8::/127, 2001:db8::2, false"
    })
    @DisplayName("has CIDR blocks that contain what they should")
    void containsWhatItShould(String range, String ip, boolean contained) throws UnknownHostException {
        byte[] bytes = InetAddress.getByName(ip).getAddress();
        assertEquals(
                contained, AddressRange.parse(range).contains(TransportAddress.hi(bytes), TransportAddress.lo(bytes)));
    }

    @Test
    @DisplayName("tells what changed by key, addresses as one writes them")
    void tellsWhatChanged() {
        RelayConfiguration before = ConfigurationKeys.read(Map.of("channelsPerAllocation", 7));
        RelayConfiguration after = ConfigurationKeys.read(
                Map.of("realm", "example.org", "peersAllow", "127.0.0.0/8, 2001:db8::/32, 10.1.2.3"));
        assertEquals(
                "realm = example.org, channelsPerAllocation = 1024,"
                        + " peersAllow = [127.0.0.0/8, 2001:db8::/32, 10.1.2.3/32]",
                after.changesSince(before));
        assertEquals("", after.changesSince(after));
    }
}
