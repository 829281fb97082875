package dev.turntable.transport;

import dev.turntable.api.AddressText;
import dev.turntable.api.ClientTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Immutable values of one configuration of factory PID {@code dev.turntable.listener}.
 *
 * @param addresses local addresses; wildcards mean all of their family
 * @param port 1 to 65535
 * @param receiveBufferBytes asked for each UDP socket; 0 for the server's value
 * @param protocols what is accepted there
 * @param limits of the connections
 * @param tls certificates
 * @param proxies where a PROXY header is believed, and needed
 */
record ListenerConfiguration(
        Set<InetAddress> addresses,
        int port,
        int receiveBufferBytes,
        Set<ClientTransport> protocols,
        StreamLimits limits,
        TlsSettings tls,
        SourceNetworks proxies) {
    static final String FACTORY_PID = "dev.turntable.listener";

    private static final List<String> DEFAULT_ADDRESSES = List.of("0.0.0.0", "::");
    private static final Set<ClientTransport> ALL = EnumSet.allOf(ClientTransport.class);
    private static final int DEFAULT_PORT = 3478;
    private static final String FILE_NAME = "felix.fileinstall.filename";

    /** @throws IllegalArgumentException that names the key with the bad value */
    static ListenerConfiguration of(Map<String, ?> properties) {
        Set<ClientTransport> protocols = EnumSet.noneOf(ClientTransport.class);
        for (String protocol : words(properties, "protocols", List.of("udp"))) {
            switch (protocol) {
                case "udp" -> protocols.add(ClientTransport.UDP);
                case "tcp" -> protocols.add(ClientTransport.TCP);
                case "tls" -> protocols.add(ClientTransport.TLS);
                case "dtls" -> protocols.add(ClientTransport.DTLS);
                case "auto" -> protocols.addAll(ALL);
                default -> throw bad("protocols", protocol, "udp, tcp, tls, dtls and auto are offered");
            }
        }
        Set<InetAddress> addresses = new LinkedHashSet<>();
        for (String word : words(properties, "address", DEFAULT_ADDRESSES)) {
            addresses.add(literal(word));
        }
        int port = number(properties, "port", DEFAULT_PORT, 1, 65_535);
        int receiveBufferBytes = number(properties, "receiveBufferBytes", 0, 0, 1 << 30);
        return new ListenerConfiguration(
                addresses,
                port,
                receiveBufferBytes,
                protocols,
                limits(properties),
                TlsSettings.of(properties),
                SourceNetworks.of("proxyFrom", texts(properties.get("proxyFrom"))));
    }

    private static StreamLimits limits(Map<String, ?> properties) {
        StreamLimits defaults = StreamLimits.DEFAULTS;
        return new StreamLimits(
                number(properties, "maxConnections", defaults.maxConnections(), 1, 1_000_000),
                number(properties, "maxConnectionsPerSource", defaults.maxConnectionsPerSource(), 1, 1_000_000),
                number(properties, "unauthenticatedIdleSeconds", defaults.unauthenticatedIdleSeconds(), 1, 3_600),
                number(properties, "streamQueueBytes", defaults.streamQueueBytes(), 131_072, 1 << 28),
                number(
                        properties,
                        "frameLimitBytes",
                        defaults.frameLimitBytes(),
                        StreamLimits.UNAUTHENTICATED_FRAME_BYTES,
                        FrameCutter.LONGEST));
    }

    /** What the operator called it: {@code udp} of {@code dev.turntable.listener~udp} or {@code dev.turntable.listener-udp.cfg}. */
    static String nameOf(Map<String, ?> properties) {
        String pid = String.valueOf(properties.get("service.pid"));
        String name = afterFactoryPid(pid, "~-");
        if (name != null) {
            return name;
        }
        // Older installers of files give a random PID, and the file's name beside it.
        if (properties.get(FILE_NAME) instanceof String file) {
            name = afterFactoryPid(
                    file.substring(file.lastIndexOf('/') + 1).replaceFirst("\\.(cfg|config)$", ""), "~-");
        }
        if (name == null) {
            name = afterFactoryPid(pid, ".");
        }
        return name == null ? pid : name;
    }

    private static String afterFactoryPid(String text, String separators) {
        int length = FACTORY_PID.length();
        boolean fits = text.startsWith(FACTORY_PID)
                && text.length() > length + 1
                && separators.indexOf(text.charAt(length)) >= 0;
        return fits ? text.substring(length + 1) : null;
    }

    private static InetAddress literal(String word) {
        InetAddress address = address("address", word);
        if (address.isMulticastAddress() || address.isLinkLocalAddress()) {
            throw bad("address", word, "multicast and link-local addresses are not served");
        }
        return address;
    }

    static InetAddress address(String key, String word) {
        String bare = word.startsWith("[") && word.endsWith("]") ? word.substring(1, word.length() - 1) : word;
        InetAddress address = AddressText.parse(bare);
        if (address == null) {
            throw bad(key, word, "not an IPv4 or IPv6 address");
        }
        return address;
    }

    static List<String> words(Map<String, ?> properties, String key, List<String> otherwise) {
        Object value = properties.get(key);
        if (value == null) {
            return otherwise;
        }
        List<String> words = texts(value).stream()
                .flatMap(text -> Arrays.stream(text.split("\\s+")))
                .filter(word -> !word.isEmpty())
                .toList();
        if (words.isEmpty()) {
            throw bad(key, value.toString(), "at least one is needed");
        }
        return words;
    }

    /** What stands between the commas of a value, or is an element of it; blanks inside stay. None where the value is null. */
    static List<String> texts(Object value) {
        List<Object> elements = new ArrayList<>();
        if (value instanceof Object[] several) {
            elements.addAll(Arrays.asList(several));
        } else if (value instanceof Iterable<?> some) {
            some.forEach(elements::add);
        } else if (value != null) {
            elements.add(value);
        }
        return elements.stream()
                .flatMap(element -> Arrays.stream(String.valueOf(element).split(",")))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .toList();
    }

    static <T> T oneOf(Map<String, ?> properties, String key, String otherwise, Map<String, T> meanings) {
        Object value = properties.get(key);
        String word = value == null ? otherwise : value.toString().strip();
        T meaning = meanings.get(word);
        if (meaning == null) {
            throw bad(key, word, String.join(", ", new TreeSet<>(meanings.keySet())) + " are offered");
        }
        return meaning;
    }

    private static int number(Map<String, ?> properties, String key, int otherwise, int least, int most) {
        Object value = properties.get(key);
        if (value == null) {
            return otherwise;
        }
        String text = value.toString().trim();
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw bad(key, text, "a whole number from " + least + " to " + most + " is needed");
    }

    static IllegalArgumentException bad(String key, String value, String why) {
        return new IllegalArgumentException(key + " = " + value + ": " + why);
    }

    /** Whether certificates are needed. */
    boolean offersSecured() {
        return protocols.contains(ClientTransport.TLS) || protocols.contains(ClientTransport.DTLS);
    }

    boolean hasWildcard() {
        return addresses.stream().anyMatch(InetAddress::isAnyLocalAddress);
    }

    /** As one writes it: addresses and port. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (InetAddress address : addresses) {
            text.append(text.isEmpty() ? "" : ", ");
            text.append(AddressText.of(new InetSocketAddress(address, port)));
        }
        return text.toString();
    }
}
