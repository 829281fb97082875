package dev.turntable.relay;

import dev.turntable.codec.TransportAddress;
import java.util.List;

/**
 * Which peer addresses a client may name (RFC 8656 §10.2, §12.2: 403 otherwise). Without a policy of the site these are refused: what
 * reaches this host or its link by itself, what reaches many hosts, the metadata services of clouds, and unique local addresses.
 */
final class PeerRules {
    /** How an address is judged. */
    enum Judgement {
        ALLOWED,
        /** Refused but for the relayed transport addresses of live allocations of this server. */
        OWN_RELAYED_PORTS_ONLY,
        DENIED
    }

    private static final AddressRange[] DENIED = {
        AddressRange.parse("0.0.0.0/8"), // this host, this network (RFC 1122 §3.2.1.3)
        AddressRange.parse("127.0.0.0/8"),
        AddressRange.parse("169.254.0.0/16"), // link-local, and most clouds' metadata service
        AddressRange.parse("100.100.100.200"), // metadata of Alibaba Cloud
        AddressRange.parse("168.63.129.16"), // host agent of Azure
        AddressRange.parse("192.0.0.192"), // metadata of Oracle Cloud
        AddressRange.parse("224.0.0.0/4"),
        AddressRange.parse("255.255.255.255"),
        AddressRange.parse("::/96"), // unspecified, loopback, and the abandoned IPv4-compatible form
        AddressRange.parse("fe80::/10"),
        AddressRange.parse("ff00::/8"),
        AddressRange.parse("fc00::/7"), // unique local: this site's own, and the metadata services of clouds
        AddressRange.parse("fec0::/10"), // site-local, which came before it (RFC 3879)
    };

    /** IPv6 addresses whose last four bytes are an IPv4 address, which is judged in their stead. */
    private static final AddressRange[] IPV4_AT_THE_END = {
        AddressRange.parse("64:ff9b::/96"), // NAT64 (RFC 6052 §2.1)
        AddressRange.parse("64:ff9b:1::/48"), // the same within a site (RFC 8215)
        AddressRange.parse("::ffff:0:0:0/96"), // IPv4-translated (RFC 2765 §2.1)
    };

    /** 6to4 (RFC 3056 §2): an IPv4 address follows the prefix. */
    private static final AddressRange SIX_TO_FOUR = AddressRange.parse("2002::/16");

    private final ExternalAddresses externalAddresses;

    PeerRules(ExternalAddresses externalAddresses) {
        this.externalAddresses = externalAddresses;
    }

    /** Judges an address as clients know it. One that was IPv4-mapped on the wire is refused before it comes here. */
    Judgement judge(RelayConfiguration configuration, long hi, long lo) {
        if (!isDeniedByDefault(hi, lo) || contains(configuration.peersAllow(), hi, lo)) {
            return Judgement.ALLOWED;
        }
        return externalAddresses.isOwn(hi, lo) ? Judgement.OWN_RELAYED_PORTS_ONLY : Judgement.DENIED;
    }

    /**
     * Judges where a connection is to go. Other services of this host may trust whoever comes from its own address: there, only
     * listeners of this server are open, unless the site says otherwise.
     */
    Judgement judgeConnection(RelayConfiguration configuration, long hi, long lo) {
        return externalAddresses.isOwnOrLocal(hi, lo) && !contains(configuration.peersAllow(), hi, lo)
                ? Judgement.OWN_RELAYED_PORTS_ONLY
                : judge(configuration, hi, lo);
    }

    private static boolean isDeniedByDefault(long hi, long lo) {
        long ipv4 = embeddedIPv4(hi, lo);
        long judgedHi = ipv4 < 0 ? hi : 0;
        long judgedLo = ipv4 < 0 ? lo : TransportAddress.ipv4((int) ipv4);
        for (AddressRange range : DENIED) {
            if (range.contains(judgedHi, judgedLo)) {
                return true;
            }
        }
        return false;
    }

    /** The IPv4 address within an IPv6 one; -1 where there is none. */
    private static long embeddedIPv4(long hi, long lo) {
        if (SIX_TO_FOUR.contains(hi, lo)) {
            return hi >>> 16 & 0xFFFF_FFFFL;
        }
        for (AddressRange range : IPV4_AT_THE_END) {
            if (range.contains(hi, lo)) {
                return lo & 0xFFFF_FFFFL;
            }
        }
        return -1;
    }

    private static boolean contains(List<AddressRange> ranges, long hi, long lo) {
        for (int i = 0; i < ranges.size(); i++) {
            if (ranges.get(i).contains(hi, lo)) {
                return true;
            }
        }
        return false;
    }
}
