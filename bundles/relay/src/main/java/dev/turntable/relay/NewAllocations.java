package dev.turntable.relay;

import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.TransportAddress;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.PortPool;
import dev.turntable.state.ReapReason;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.Reservations;
import dev.turntable.state.ServerConfiguration;
import dev.turntable.state.Worker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes allocations (RFC 8656 §7.2) out of counts, ports and sockets; whatever fails on the way, all that was taken is given back. */
final class NewAllocations {
    private static final Logger LOG = LoggerFactory.getLogger(NewAllocations.class);

    /** How long a reserved port waits for its token. */
    private static final int RESERVATION_SECONDS = 30;

    /** Which relayed transport addresses are wanted. */
    sealed interface Plan {}

    /** Any of these families that can be had, of ports that are like the wish, for TCP or for UDP. */
    record Choose(boolean ipv4, boolean ipv6, RelayedPorts.Wish wish, boolean tcp) implements Plan {}

    /** The one that a token stands for. */
    record Redeem(long token) implements Plan {}

    /** A family's way to a socket: a port of the pool, a socket that is shared already, or an error. */
    private record Source(int port, RelayedSocket shared, int error) {
        static Source none(int error) {
            return new Source(PortPool.NONE, null, error);
        }

        boolean isNone() {
            return error != 0;
        }
    }

    private final RelayedPorts ports = new RelayedPorts();
    private final ExternalAddresses externalAddresses;

    NewAllocations(ExternalAddresses externalAddresses) {
        this.externalAddresses = externalAddresses;
    }

    Reply make(
            Desk desk,
            ClientPath path,
            RelayConfiguration configuration,
            Authentication.Passed by,
            Plan plan,
            long lifetimeSeconds) {
        Worker worker = desk.worker;
        ServerConfiguration server = worker.server().configuration();
        if (worker.allocations().size() >= server.maxAllocationsPerWorker()) {
            return Reply.error(ErrorCode.INSUFFICIENT_CAPACITY);
        }
        // Check 10: the quota is the user's, server-wide.
        if (!worker.server().userCounts().take(by.username(), configuration.allocationsPerUser())) {
            return Reply.error(ErrorCode.ALLOCATION_QUOTA_REACHED);
        }
        Choose choice = null;
        Source ipv4 = null;
        Source ipv6 = null;
        if (plan instanceof Redeem redeem) {
            Reservations.Reservation reserved = worker.server().reservations().take(redeem.token(), worker.now());
            if (reserved != null) {
                choice = new Choose(!reserved.ipv6(), reserved.ipv6(), RelayedPorts.Wish.RESERVED, false);
                Source source = new Source(reserved.port(), null, 0);
                ipv4 = reserved.ipv6() ? null : source;
                ipv6 = reserved.ipv6() ? source : null;
            }
        } else if (plan instanceof Choose chosen) {
            choice = chosen;
            ipv4 = chosen.ipv4() ? source(worker, server, false, chosen) : null;
            ipv6 = chosen.ipv6() ? source(worker, server, true, chosen) : null;
        }
        if ((ipv4 == null || ipv4.isNone()) && (ipv6 == null || ipv6.isNone())) {
            worker.server().userCounts().free(by.username());
            return Reply.error(ErrorCode.INSUFFICIENT_CAPACITY);
        }
        return add(desk, path, by, choice, ipv4, ipv6, lifetimeSeconds);
    }

    private Source source(Worker worker, ServerConfiguration server, boolean isIPv6, Choose choice) {
        if (!externalAddresses.serves(isIPv6)) {
            return Source.none(ErrorCode.ADDRESS_FAMILY_NOT_SUPPORTED);
        }
        if (server.sharedSockets() && !choice.tcp()) {
            RelayedSocket shared = worker.sharedPeers().leastLoaded(isIPv6);
            return shared == null ? Source.none(ErrorCode.INSUFFICIENT_CAPACITY) : new Source(PortPool.NONE, shared, 0);
        }
        int port = ports.take(worker, isIPv6, choice.wish());
        return port == PortPool.NONE ? Source.none(ErrorCode.INSUFFICIENT_CAPACITY) : new Source(port, null, 0);
    }

    private Reply add(
            Desk desk,
            ClientPath path,
            Authentication.Passed by,
            Choose choice,
            Source ipv4,
            Source ipv6,
            long lifetimeSeconds) {
        Worker worker = desk.worker;
        StunMessage message = desk.message;
        Allocation allocation = worker.allocations()
                .add(
                        path.lasting(),
                        by.username(),
                        by.realm(),
                        by.key(),
                        by.algorithm(),
                        by.expiresAtEpochSecond(),
                        message.transactionIdLow(),
                        message.transactionIdHigh());
        long deadline = Lifetimes.deadlineNanos(worker.now(), lifetimeSeconds);
        RelayedSocket first = socket(worker, allocation, false, choice, ipv4, deadline);
        RelayedSocket second = socket(worker, allocation, true, choice, ipv6, deadline);
        if (first == null && second == null) {
            worker.delete(allocation, ReapReason.SHUTDOWN);
            return Reply.error(ErrorCode.INSUFFICIENT_CAPACITY);
        }
        int missingFamily = 0;
        int missingCode = 0;
        if (choice.ipv4() && choice.ipv6() && (first == null || second == null)) {
            Source missing = first == null ? ipv4 : ipv6;
            missingFamily = first == null ? TransportAddress.FAMILY_IPV4 : TransportAddress.FAMILY_IPV6;
            missingCode = missing.isNone() ? missing.error() : ErrorCode.INSUFFICIENT_CAPACITY;
        }
        boolean isIPv6 = first == null;
        Reply.RelayedAddress told = told(isIPv6, isIPv6 ? second : first);
        Reply.RelayedAddress other = isIPv6 || second == null ? null : told(true, second);
        Long token = choice.wish() == RelayedPorts.Wish.PAIR ? reserve(worker, isIPv6, told.port() + 1) : null;
        if (LOG.isDebugEnabled()) {
            LOG.debug("allocation {}: made for {} s, relayed port {}", allocation.id(), lifetimeSeconds, told.port());
        }
        return new Reply.Allocated(allocation, told, other, lifetimeSeconds, token, missingFamily, missingCode);
    }

    /** The allocation's relayed socket of a family, or null. */
    private RelayedSocket socket(
            Worker worker, Allocation allocation, boolean isIPv6, Choose choice, Source source, long deadline) {
        if (source == null || source.isNone()) {
            return null;
        }
        RelayedSocket socket = source.shared() != null
                ? source.shared()
                : ports.bind(worker, allocation, isIPv6, choice, source.port());
        if (socket != null) {
            worker.allocations().addRelayed(allocation, socket, isIPv6, deadline);
        }
        return socket;
    }

    private static long reserve(Worker worker, boolean isIPv6, int port) {
        long deadline = Lifetimes.deadlineNanos(worker.now(), RESERVATION_SECONDS);
        return worker.server().reservations().add(isIPv6, port, deadline);
    }

    private Reply.RelayedAddress told(boolean isIPv6, RelayedSocket socket) {
        return new Reply.RelayedAddress(
                externalAddresses.toldHi(isIPv6),
                externalAddresses.toldLo(isIPv6),
                socket.localAddress().getPort());
    }
}
