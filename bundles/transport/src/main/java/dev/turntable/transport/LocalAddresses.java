package dev.turntable.transport;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The addresses of this host that a listener means. A wildcard stands for each address of its family, because an answer must leave
 * from the address that was asked. Link-local ones are left out: they need an interface beside them.
 */
final class LocalAddresses {
    private LocalAddresses() {}

    static Set<InetSocketAddress> meant(Collection<InetAddress> configured, int port) throws IOException {
        Set<InetSocketAddress> meant = new LinkedHashSet<>();
        for (InetAddress address : configured) {
            if (address.isAnyLocalAddress()) {
                for (InetAddress local : ofThisHost(address instanceof Inet6Address)) {
                    meant.add(new InetSocketAddress(local, port));
                }
            } else {
                meant.add(new InetSocketAddress(address, port));
            }
        }
        return meant;
    }

    private static List<InetAddress> ofThisHost(boolean ipv6) throws IOException {
        List<InetAddress> addresses = new ArrayList<>();
        for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
            if (!network.isUp()) {
                continue;
            }
            for (InetAddress address : network.inetAddresses().toList()) {
                if (ipv6 == !(address instanceof Inet4Address) && !address.isLinkLocalAddress()) {
                    // Made anew without the interface, which would make two of one address.
                    addresses.add(InetAddress.getByAddress(address.getAddress()));
                }
            }
        }
        addresses.sort(Comparator.comparing(InetAddress::getHostAddress));
        return addresses;
    }
}
