package dev.turntable.relay;

import java.util.List;

/**
 * Which peer addresses a client may name (RFC 8656 §10.2, §12.2: 403 otherwise). Without a policy of the site these are refused: what
 * reaches this host or its link by itself, what reaches many hosts, and the metadata services of clouds.
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
        AddressRange.parse("fd00:ec2::254"), // metadata of AWS
        AddressRange.parse("fd20:ce::254"), // metadata of Google Cloud
        AddressRange.parse("fd00:c1::a9fe:a9fe"), // metadata of Oracle Cloud
        AddressRange.parse("fd00:42::42"), // metadata of Scaleway
    };

    /** NAT64 (RFC 6052 §2.1): the last four bytes are an IPv4 address, which is judged in its stead. */
    private static final AddressRange NAT64 = AddressRange.parse("64:ff9b::/96");

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

    private static boolean isDeniedByDefault(long hi, long lo) {
        boolean translated = NAT64.contains(hi, lo);
        long judgedHi = translated ? 0 : hi;
        long judgedLo = translated ? 0xFFFFL << 32 | (lo & 0xFFFF_FFFFL) : lo;
        for (AddressRange range : DENIED) {
            if (range.contains(judgedHi, judgedLo)) {
                return true;
            }
        }
        return false;
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
