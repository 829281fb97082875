package dev.turntable.transport;

import dev.turntable.state.UnknownKeys;
import java.util.HashMap;
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

        @AttributeDefinition(
                name = "protocols",
                description =
                        "What is accepted there: udp, tcp, tls, dtls, several of them, or auto for all. What comes to one port is told apart by its first byte")
        String[] protocols() default {"udp"};

        @AttributeDefinition(
                name = "receiveBufferBytes",
                description =
                        "Receive buffer that is asked of the kernel for each UDP socket, in bytes; 0 for that of the server",
                min = "0")
        int receiveBufferBytes() default 0;

        @AttributeDefinition(
                name = "maxConnections",
                description = "TCP connections at one time, and as many DTLS associations; further ones are refused",
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
                        "A connection or DTLS association without an allocation is closed after this time, in seconds, whatever it sends",
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

        @AttributeDefinition(
                name = "proxyFrom",
                description =
                        "Networks of proxies, separated by commas: a connection from there begins with a PROXY header, version 1"
                                + " or 2, and each datagram with one of version 2, which names the client; from elsewhere none is"
                                + " believed")
        String[] proxyFrom() default {};

        @AttributeDefinition(
                name = "certificateFile",
                description =
                        "PEM file with the certificate for TLS and DTLS and the chain behind it; several, separated by commas, are"
                                + " chosen from by the name that the client asks for. Watched; ${karaf.etc} may stand in it")
        String[] certificateFile() default {};

        @AttributeDefinition(
                name = "keyFile",
                description =
                        "PEM file with the key of the certificate, one for each; none where it is in the same file")
        String[] keyFile() default {};

        @AttributeDefinition(name = "keyStoreFile", description = "PKCS12 file with keys and their certificates")
        String keyStoreFile() default "";

        @AttributeDefinition(
                name = "passwordFile",
                description = "File whose first line opens the keys; none where they are not encrypted")
        String passwordFile() default "";

        @AttributeDefinition(
                name = "clientCertificates",
                description = "Whether TLS and DTLS clients are asked for a certificate: none, optional or required")
        String clientCertificates() default "none";

        @AttributeDefinition(
                name = "trustFile",
                description = "PEM file with the issuers of certificates of clients; none for those that Java trusts")
        String trustFile() default "";

        @AttributeDefinition(name = "tlsVersions", description = "TLSv1.2, TLSv1.3, or both. DTLS is always 1.2")
        String[] tlsVersions() default {"TLSv1.2", "TLSv1.3"};

        @AttributeDefinition(
                name = "tlsLibrary",
                description = "auto: BoringSSL, or the JDK where it does not load; openssl: the same; jdk")
        String tlsLibrary() default "auto";
    }

    private final TransportComponent transport;
    private final String name;
    private final CertificateWatch certificates;
    /** Datagrams under false, streams under true. */
    private final Map<Boolean, Listener> parts = new HashMap<>();

    @Activate
    public ListenerComponent(@Reference TransportComponent transport, Map<String, Object> properties) {
        this.transport = transport;
        name = ListenerConfiguration.nameOf(properties);
        certificates = transport.newCertificateWatch(name);
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
                part(false);
            }
            parts.values().forEach(listener -> listener.refuse(e.getMessage()));
            refused("configuration of listener " + name + " refused: " + e.getMessage());
            return;
        }
        String unknown = UnknownKeys.problem(Keys.class, properties);
        if (tell(unknown)) {
            LOG.warn("listener {}: {}", name, unknown);
        }
        try {
            certificates.configure(configuration.offersSecured() ? configuration.tls() : TlsSettings.NONE);
            for (boolean stream : new boolean[] {false, true}) {
                if (configuration.protocols().stream().anyMatch(protocol -> protocol.isStream() == stream)) {
                    part(stream).configure(configuration);
                } else if (parts.containsKey(stream)) {
                    parts.remove(stream).close();
                }
            }
        } finally {
            EventLoops.leaveThread();
        }
    }

    private Listener part(boolean stream) {
        return parts.computeIfAbsent(stream, key -> transport.newListener(name, key, certificates));
    }

    @Deactivate
    void close() {
        try {
            parts.values().forEach(Listener::close);
            transport.close(certificates);
        } finally {
            EventLoops.leaveThread();
        }
        tell("");
    }

    private void refused(String why) {
        if (tell(why)) {
            LOG.error("{}; what was in force before stays", why);
        }
    }

    /** Shows what is wrong, or that nothing is; whether that is something, and new. */
    private boolean tell(String problem) {
        return transport.server().problem(ListenerConfiguration.FACTORY_PID + ' ' + name, problem)
                && !problem.isEmpty();
    }
}
