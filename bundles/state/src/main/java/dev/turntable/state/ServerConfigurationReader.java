package dev.turntable.state;

import java.net.InetAddress;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Checks each key of PID {@code dev.turntable.server} once. What is bad is refused with an exception that names the key. */
final class ServerConfigurationReader {
    private static final int HIGHEST_PORT = 65535;

    private ServerConfigurationReader() {}

    static ServerConfiguration read(ServerKeys keys) {
        int workers = integer("workers", keys::workers, 0, 256);
        int workersOrAuto = workers == 0 ? Math.min(256, Runtime.getRuntime().availableProcessors()) : workers;
        InetAddress relayedIPv4 = relayed("relayedAddressIPv4", keys::relayedAddressIPv4, false);
        InetAddress relayedIPv6 = relayed("relayedAddressIPv6", keys::relayedAddressIPv6, true);
        if (relayedIPv4 == null && relayedIPv6 == null) {
            throw bad("relayedAddressIPv4", "none, as is relayedAddressIPv6: nothing could be relayed");
        }
        int portMin = integer("relayedPortMin", keys::relayedPortMin, 1024, HIGHEST_PORT);
        int portMax = integer("relayedPortMax", keys::relayedPortMax, portMin, HIGHEST_PORT);
        boolean shared = oneOf("relayedSockets", keys::relayedSockets, List.of("dedicated", "shared"))
                .equals("shared");
        int sharedPerWorker = integer("sharedSocketsPerWorker", keys::sharedSocketsPerWorker, 1, 16);
        int sharedPorts = 2 * workersOrAuto * sharedPerWorker;
        int sharedBase = integer(
                "sharedPortBase", keys::sharedPortBase, 1024, shared ? HIGHEST_PORT + 1 - sharedPorts : HIGHEST_PORT);
        return new ServerConfiguration(
                workersOrAuto,
                relayedIPv4,
                relayedIPv6,
                external("externalAddressIPv4", keys::externalAddressIPv4, false),
                external("externalAddressIPv6", keys::externalAddressIPv6, true),
                portMin,
                portMax,
                shared,
                sharedPerWorker,
                sharedBase,
                integer("maxAllocationsPerWorker", keys::maxAllocationsPerWorker, 1, 10_000_000),
                integer("receiveBufferBytes", keys::receiveBufferBytes, 0, 1 << 30),
                integer("relayedReceiveBufferBytes", keys::relayedReceiveBufferBytes, 0, 1 << 30),
                oneOf("ioTransport", keys::ioTransport, List.of("auto", "epoll", "nio")),
                oneOf("udpSegmentation", keys::udpSegmentation, List.of("auto", "off"))
                        .equals("auto"),
                integer("swapWaitMillis", keys::swapWaitMillis, 0, 60_000),
                integer("engineAbsentWarnSeconds", keys::engineAbsentWarnSeconds, 1, 3_600),
                integer("credentialWaitMillis", keys::credentialWaitMillis, 1, 60_000),
                integer("maxWaitingRequests", keys::maxWaitingRequests, 0, 100_000),
                integer("peerQueueBytes", keys::peerQueueBytes, 1_024, 16_777_216));
    }

    private static int integer(String key, IntSupplier value, int least, int most) {
        int number;
        try {
            number = value.getAsInt();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(key + ": not a whole number", e);
        }
        if (number < least || number > most) {
            throw bad(key, number + " is not within " + least + " to " + most);
        }
        return number;
    }

    private static String text(String key, Supplier<String> value) {
        try {
            String text = value.get();
            return text == null ? "" : text.trim();
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(key + ": not one text", e);
        }
    }

    private static String oneOf(String key, Supplier<String> value, List<String> choices) {
        String text = text(key, value);
        if (!choices.contains(text)) {
            throw bad(key, "'" + text + "' is none of " + String.join(", ", choices));
        }
        return text;
    }

    /** {@code auto} is null where the host has no address of the family, not even loopback. */
    private static InetAddress relayed(String key, Supplier<String> value, boolean ipv6) {
        String text = text(key, value);
        return switch (text) {
            case "none" -> null;
            case "auto" -> LocalAddresses.bestOf(ipv6);
            default -> literal(key, text, ipv6);
        };
    }

    private static InetAddress external(String key, Supplier<String> value, boolean ipv6) {
        String text = text(key, value);
        return text.isEmpty() || text.equals("none") ? null : literal(key, text, ipv6);
    }

    private static InetAddress literal(String key, String text, boolean ipv6) {
        InetAddress address = LocalAddresses.parse(text, ipv6);
        if (address == null) {
            throw bad(key, "'" + text + "' is not an " + (ipv6 ? "IPv6" : "IPv4") + " address");
        }
        if (address.isAnyLocalAddress() || address.isMulticastAddress()) {
            throw bad(key, "'" + text + "' is not the address of one host");
        }
        return address;
    }

    private static IllegalArgumentException bad(String key, String problem) {
        return new IllegalArgumentException(key + ": " + problem);
    }
}
