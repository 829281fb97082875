package dev.turntable.transport;

import dev.turntable.api.ClientTransport;
import java.util.EnumMap;
import java.util.Map;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.ConfigurationPolicy;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Modified;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.Designate;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One listener for each configuration of the factory. */
@Component(
        service = {},
        immediate = true,
        configurationPid = ListenerConfiguration.FACTORY_PID,
        configurationPolicy = ConfigurationPolicy.REQUIRE)
@Designate(ocd = ListenerComponent.Keys.class, factory = true)
public final class ListenerComponent {
    private static final Logger LOG = LoggerFactory.getLogger(ListenerComponent.class);

    /** The keys, for configuration tools; they are read by {@link ListenerConfiguration}, which names a bad one. */
    @ObjectClassDefinition(name = "Turntable listener", description = "Where clients reach the server")
    @interface Keys {
        @AttributeDefinition(
                name = "address",
                description = "Local addresses, separated by commas. 0.0.0.0 and :: mean every address of their family"
                        + " that the host has, now or later; link-local ones excepted")
        String[] address() default {"0.0.0.0", "::"};

        @AttributeDefinition(name = "port", description = "UDP or TCP port, 1 to 65535", min = "1", max = "65535")
        int port() default 3478;

        @AttributeDefinition(name = "protocols", description = "What is accepted there: udp, tcp, or both")
        String[] protocols() default {"udp"};

        @AttributeDefinition(
                name = "receiveBufferBytes",
                description =
                        "Receive buffer that is asked of the kernel for each UDP socket, in bytes; 0 for that of the server",
                min = "0")
        int receiveBufferBytes() default 0;

        @AttributeDefinition(
                name = "maxConnections",
                description = "TCP connections at one time; further ones are closed",
                min = "1")
        int maxConnections() default 20_000;

        @AttributeDefinition(
                name = "maxConnectionsPerSource",
                description = "Of these from one IPv4 address, or one IPv6 network of 64 bits",
                min = "1")
        int maxConnectionsPerSource() default 1_000;

        @AttributeDefinition(
                name = "unauthenticatedIdleSeconds",
                description =
                        "A connection without an allocation is closed after this time, in seconds, whatever it sends",
                min = "1")
        int unauthenticatedIdleSeconds() default 60;

        @AttributeDefinition(
                name = "streamQueueBytes",
                description =
                        "What may wait for a client that does not read, in bytes; datagrams beyond it are dropped",
                min = "131072")
        int streamQueueBytes() default 262_144;

        @AttributeDefinition(
                name = "frameLimitBytes",
                description =
                        "The longest frame that is taken from a client with an allocation, in bytes (4096 from others)",
                min = "4096",
                max = "65552")
        int frameLimitBytes() default 65_552;
    }

    private final TransportComponent transport;
    private final String name;
    private final Map<ClientTransport, Listener> parts = new EnumMap<>(ClientTransport.class);

    @Activate
    public ListenerComponent(@Reference TransportComponent transport, Map<String, Object> properties) {
        this.transport = transport;
        name = ListenerConfiguration.nameOf(properties);
        configure(properties);
    }

    @Modified
    void configure(Map<String, Object> properties) {
        ListenerConfiguration configuration;
        try {
            configuration = ListenerConfiguration.of(properties);
        } catch (IllegalArgumentException e) {
            if (parts.isEmpty()) {
                // One that is listed with what is wrong.
                part(ClientTransport.UDP);
            }
            parts.values().forEach(listener -> listener.refuse(e.getMessage()));
            problem("configuration of listener " + name + " refused: " + e.getMessage());
            return;
        }
        problem("");
        for (ClientTransport protocol : ClientTransport.values()) {
            if (configuration.protocols().contains(protocol)) {
                part(protocol).configure(configuration);
            } else if (parts.containsKey(protocol)) {
                parts.remove(protocol).close();
            }
        }
    }

    private Listener part(ClientTransport protocol) {
        return parts.computeIfAbsent(protocol, key -> transport.newListener(name, key));
    }

    @Deactivate
    void close() {
        parts.values().forEach(Listener::close);
        problem("");
    }

    private void problem(String why) {
        boolean another = transport.server().problem(ListenerConfiguration.FACTORY_PID + ' ' + name, why);
        if (another && !why.isEmpty()) {
            LOG.error("{}; what was in force before stays", why);
        }
    }
}
