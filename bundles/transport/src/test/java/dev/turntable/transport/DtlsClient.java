package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Vector;
import org.bouncycastle.tls.Certificate;
import org.bouncycastle.tls.CertificateRequest;
import org.bouncycastle.tls.DTLSClientProtocol;
import org.bouncycastle.tls.DTLSTransport;
import org.bouncycastle.tls.DatagramTransport;
import org.bouncycastle.tls.DefaultTlsClient;
import org.bouncycastle.tls.ProtocolName;
import org.bouncycastle.tls.ProtocolVersion;
import org.bouncycastle.tls.ServerName;
import org.bouncycastle.tls.SignatureAlgorithm;
import org.bouncycastle.tls.TlsAuthentication;
import org.bouncycastle.tls.TlsCredentials;
import org.bouncycastle.tls.TlsServerCertificate;
import org.bouncycastle.tls.TlsUtils;
import org.bouncycastle.tls.crypto.TlsCertificate;
import org.bouncycastle.tls.crypto.TlsCryptoParameters;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaDefaultTlsCredentialedSigner;

/** A DTLS 1.2 client on the loopback, of the same library. */
final class DtlsClient implements AutoCloseable {
    private static final DtlsCrypto CRYPTO = new DtlsCrypto();

    /** What it offers besides. */
    record Offer(String serverName, List<String> protocols, TestCertificates own) {
        static final Offer NOTHING = new Offer(null, List.of(), null);
    }

    final DatagramSocket socket;
    private final InetSocketAddress server;
    DTLSTransport transport;
    X509Certificate shown;
    String protocol = "";
    volatile boolean silent;
    /** Before each datagram. */
    volatile byte[] prefix = {};

    volatile boolean closedByServer;
    /** The last datagram that it sent. */
    volatile byte[] lastSent;

    DtlsClient(InetSocketAddress server) throws IOException {
        this(server, 0);
    }

    /** @param port 0 for any */
    DtlsClient(InetSocketAddress server, int port) throws IOException {
        this.server = server;
        socket = new DatagramSocket(new InetSocketAddress(Rig.IPV4, port));
        socket.setReceiveBufferSize(1 << 20);
    }

    static DtlsClient connected(InetSocketAddress server) throws IOException {
        DtlsClient client = new DtlsClient(server);
        try {
            client.connect(Offer.NOTHING);
        } catch (IOException e) {
            client.socket.close();
            throw e;
        }
        return client;
    }

    int port() {
        return socket.getLocalPort();
    }

    void connect(Offer offer) throws IOException {
        Client client = new Client(offer);
        transport = new DTLSClientProtocol().connect(client, new Datagrams());
        protocol = client.agreed();
    }

    /** Plain bytes to the server. */
    void sendRaw(byte[] datagram) throws IOException {
        socket.send(new DatagramPacket(datagram, datagram.length, server));
    }

    /** A datagram as it came, or null after the time is over. */
    byte[] receiveRaw(int millis) throws IOException {
        socket.setSoTimeout(millis);
        DatagramPacket packet = new DatagramPacket(new byte[70_000], 70_000);
        try {
            socket.receive(packet);
        } catch (SocketTimeoutException e) {
            return null;
        }
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    void send(byte[] message) throws IOException {
        transport.send(message, 0, message.length);
    }

    /** The next message, or null after the time is over. */
    byte[] receive(int millis) throws IOException {
        byte[] room = new byte[20_000];
        int length = transport.receive(room, 0, room.length, millis);
        return length < 0 ? null : Arrays.copyOf(room, length);
    }

    /** Opens a relayed socket; returns its port. */
    int allocate(int peerPort) throws IOException {
        send(new byte[] {0, 0, (byte) (peerPort >> 8), (byte) peerPort});
        byte[] answer = receive(5_000);
        assertEquals(1, answer[0]);
        return (answer[2] & 0xff) << 8 | answer[3] & 0xff;
    }

    void sendOnChannel(byte[] payload) throws IOException {
        send(ByteBuffer.allocate(4 + payload.length)
                .putShort((short) EchoDesk.CHANNEL)
                .putShort((short) payload.length)
                .put(payload)
                .array());
    }

    byte[] receiveOnChannel() throws IOException {
        ByteBuffer frame = ByteBuffer.wrap(receive(5_000));
        assertEquals(EchoDesk.CHANNEL, frame.getShort(0));
        assertEquals(frame.limit() - 4, frame.getShort(2) & 0xffff, "length in the header");
        return Arrays.copyOfRange(frame.array(), 4, frame.limit());
    }

    /** The end of what the server has to say. */
    boolean hears(int millis) throws IOException {
        receive(millis);
        return closedByServer;
    }

    /** Goes without a word. */
    void vanish() {
        silent = true;
        socket.close();
    }

    @Override
    public void close() throws IOException {
        if (transport != null && !socket.isClosed()) {
            transport.close();
        }
        socket.close();
    }

    /** The hello that it begins with, which is not answered. */
    static byte[] hello() throws IOException {
        try (DatagramSocket nobody = new DatagramSocket(new InetSocketAddress(Rig.IPV4, 0));
                DtlsClient client = new DtlsClient((InetSocketAddress) nobody.getLocalSocketAddress())) {
            Thread connecting = new Thread(() -> {
                try {
                    client.connect(Offer.NOTHING);
                } catch (IOException e) {
                    // It is closed on the way.
                }
            });
            connecting.start();
            DatagramPacket packet = new DatagramPacket(new byte[2_000], 2_000);
            nobody.setSoTimeout(5_000);
            nobody.receive(packet);
            return Arrays.copyOf(packet.getData(), packet.getLength());
        }
    }

    private final class Datagrams implements DatagramTransport {
        @Override
        public int getReceiveLimit() {
            return 20_000;
        }

        @Override
        public int getSendLimit() {
            return 20_000;
        }

        @Override
        public int receive(byte[] room, int offset, int length, int millis) throws IOException {
            byte[] datagram = receiveRaw(millis);
            if (datagram == null) {
                return -1;
            }
            System.arraycopy(datagram, 0, room, offset, datagram.length);
            return datagram.length;
        }

        @Override
        public void send(byte[] bytes, int offset, int length) throws IOException {
            lastSent = Arrays.copyOfRange(bytes, offset, offset + length);
            if (!silent) {
                byte[] datagram = Arrays.copyOf(prefix, prefix.length + length);
                System.arraycopy(bytes, offset, datagram, prefix.length, length);
                sendRaw(datagram);
            }
        }

        @Override
        public void close() {
            closedByServer = true;
        }
    }

    private final class Client extends DefaultTlsClient {
        private final Offer offer;

        Client(Offer offer) {
            super(CRYPTO);
            this.offer = offer;
        }

        String agreed() {
            ProtocolName name = context.getSecurityParametersConnection().getApplicationProtocol();
            return name == null ? "" : name.getUtf8Decoding();
        }

        @Override
        public int getHandshakeTimeoutMillis() {
            return 15_000;
        }

        @Override
        protected ProtocolVersion[] getSupportedVersions() {
            return ProtocolVersion.DTLSv12.only();
        }

        @Override
        protected Vector<ServerName> getSNIServerNames() {
            return offer.serverName() == null
                    ? null
                    : new Vector<>(
                            List.of(new ServerName((short) 0, offer.serverName().getBytes())));
        }

        @Override
        protected Vector<ProtocolName> getProtocolNames() {
            return offer.protocols().isEmpty()
                    ? null
                    : new Vector<>(offer.protocols().stream()
                            .map(ProtocolName::asUtf8Encoding)
                            .toList());
        }

        @Override
        public TlsAuthentication getAuthentication() {
            return new TlsAuthentication() {
                @Override
                public void notifyServerCertificate(TlsServerCertificate server) throws IOException {
                    try {
                        shown = (X509Certificate) CertificateFactory.getInstance("X.509")
                                .generateCertificate(new ByteArrayInputStream(server.getCertificate()
                                        .getCertificateAt(0)
                                        .getEncoded()));
                    } catch (java.security.cert.CertificateException e) {
                        throw new IOException(e);
                    }
                }

                @Override
                @SuppressWarnings("unchecked")
                public TlsCredentials getClientCredentials(CertificateRequest request) throws IOException {
                    if (offer.own() == null) {
                        return null;
                    }
                    try {
                        TlsCertificate own =
                                CRYPTO.createCertificate(offer.own().certificate.getEncoded());
                        return new JcaDefaultTlsCredentialedSigner(
                                new TlsCryptoParameters(context),
                                CRYPTO,
                                offer.own().key,
                                new Certificate(new TlsCertificate[] {own}),
                                TlsUtils.chooseSignatureAndHashAlgorithm(
                                        context, request.getSupportedSignatureAlgorithms(), SignatureAlgorithm.ecdsa));
                    } catch (java.security.cert.CertificateException e) {
                        throw new IOException(e);
                    }
                }
            };
        }
    }
}
