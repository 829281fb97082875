package dev.turntable.state;

import dev.turntable.api.AddressText;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.List;

/** Addresses of this host, and what kind of address one is. */
final class LocalAddresses {
    private LocalAddresses() {}

    /** The address of that text, never asking a name server; null where it is none of that family. */
    static InetAddress parse(String text, boolean ipv6) {
        InetAddress address = AddressText.parse(text);
        return address != null && AddressBits.isIPv6(address) == ipv6 ? address : null;
    }

    /**
     * The address to relay from where none is named: a global one before a private one before loopback, of the first interface that is
     * up and has one; null where the host has none of that family.
     */
    static InetAddress bestOf(boolean ipv6) {
        try {
            return NetworkInterface.networkInterfaces()
                    .filter(LocalAddresses::isUp)
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> AddressBits.isIPv6(address) == ipv6)
                    .filter(address -> !address.isLinkLocalAddress())
                    .min(Comparator.comparingInt(LocalAddresses::distance))
                    .map(LocalAddresses::withoutScope)
                    .orElse(null);
        } catch (SocketException e) {
            return null;
        }
    }

    /** Whether nobody outside reaches it: loopback, link-local, RFC 1918, RFC 4193. */
    static boolean isPrivate(InetAddress address) {
        return address.isLinkLocalAddress() || distance(address) > 0;
    }

    private static int distance(InetAddress address) {
        if (address.isLoopbackAddress()) {
            return 2;
        }
        boolean uniqueLocal = AddressBits.isIPv6(address) && (address.getAddress()[0] & 0xFE) == 0xFC;
        return address.isSiteLocalAddress() || uniqueLocal ? 1 : 0;
    }

    private static boolean isUp(NetworkInterface candidate) {
        try {
            return candidate.isUp();
        } catch (SocketException e) {
            return false;
        }
    }

    private static InetAddress withoutScope(InetAddress address) {
        try {
            return InetAddress.getByAddress(address.getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 and 16 bytes are always an address", e);
        }
    }

    /** For a listing: the address, and the one told to clients where it differs. */
    static List<String> described(InetAddress local, InetAddress external) {
        if (local == null) {
            return List.of();
        }
        String text = AddressText.of(local);
        return List.of(external == null ? text : text + " → " + AddressText.of(external));
    }
}
