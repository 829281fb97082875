package dev.turntable.transport;

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

        @AttributeDefinition(name = "port", description = "UDP port, 1 to 65535", min = "1", max = "65535")
        int port() default 3478;

        @AttributeDefinition(name = "protocols", description = "What is accepted there: udp")
        String[] protocols() default {"udp"};

        @AttributeDefinition(
                name = "receiveBufferBytes",
                description =
                        "Receive buffer that is asked of the kernel for each socket, in bytes; 0 for that of the server",
                min = "0")
        int receiveBufferBytes() default 0;
    }

    private final TransportComponent transport;
    private final UdpListener listener;

    @Activate
    public ListenerComponent(@Reference TransportComponent transport, Map<String, Object> properties) {
        this.transport = transport;
        listener = transport.newListener(ListenerConfiguration.nameOf(properties));
        configure(properties);
    }

    @Modified
    void configure(Map<String, Object> properties) {
        ListenerConfiguration configuration;
        try {
            configuration = ListenerConfiguration.of(properties);
        } catch (IllegalArgumentException e) {
            listener.refuse(e.getMessage());
            problem("configuration of listener " + listener.name() + " refused: " + e.getMessage());
            return;
        }
        problem("");
        listener.configure(configuration);
    }

    @Deactivate
    void close() {
        listener.close();
        problem("");
    }

    private void problem(String why) {
        boolean another = transport.server().problem(ListenerConfiguration.FACTORY_PID + ' ' + listener.name(), why);
        if (another && !why.isEmpty()) {
            LOG.error("{}; what was in force before stays", why);
        }
    }
}
