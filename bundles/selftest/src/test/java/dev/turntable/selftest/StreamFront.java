package dev.turntable.selftest;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ServerSocketFactory;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A scripted server's TCP or TLS side: each connection is a client of its own to the server behind, which speaks UDP. */
final class StreamFront implements AutoCloseable {
    private static final char[] PASSWORD = "the-tone-arm".toCharArray();

    /** What arrived that is not padded to four bytes, and the like. */
    final List<String> faults = new CopyOnWriteArrayList<>();

    /** The names that TLS clients asked for (SNI), and the application protocol that was agreed. */
    final List<String> greetings = new CopyOnWriteArrayList<>();

    /** Every byte goes out in a segment of its own. */
    volatile boolean trickles;

    /** Each client is closed after so many messages; -1: never. */
    volatile int endsAfter = -1;

    private final ScriptedServer behind;
    private final ServerSocket accepting;
    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    private StreamFront(ScriptedServer behind, ServerSocketFactory sockets) throws IOException {
        this.behind = behind;
        accepting = sockets.createServerSocket(0, 10, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    static StreamFront tcp(ScriptedServer behind) throws IOException {
        return new StreamFront(behind, ServerSocketFactory.getDefault());
    }

    /** With a certificate that signs itself, for a name that is not the address. */
    static StreamFront tls(ScriptedServer behind) throws Exception {
        Path store = Files.createTempDirectory("turntable-test").resolve("store.p12");
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        String options =
                " -genkeypair -alias own -keyalg EC -dname CN=elsewhere.example.org -validity 2 -storetype PKCS12"
                        + " -storepass " + new String(PASSWORD) + " -keystore " + store;
        Process process = new ProcessBuilder((keytool + options).split(" "))
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(store.toFile(), PASSWORD), PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return new StreamFront(behind, context.getServerSocketFactory());
    }

    InetSocketAddress address() {
        return (InetSocketAddress) accepting.getLocalSocketAddress();
    }

    @Override
    public void close() throws Exception {
        accepting.close();
        for (AutoCloseable socket : open) {
            socket.close();
        }
        for (Thread thread : threads) {
            thread.join(5000);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (SocketException e) {
                        // The end of the client or of the test.
                    } catch (IOException e) {
                        faults.add(e.toString());
                    }
                },
                "stream-front");
        threads.add(thread);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = accepting.accept();
            client.setTcpNoDelay(true);
            DatagramSocket server = new DatagramSocket();
            server.connect(behind.address());
            open.add(client);
            open.add(server);
            start(() -> there(client, server));
        }
    }

    private void there(Socket client, DatagramSocket server) throws IOException {
        try (client;
                server) {
            if (client instanceof SSLSocket secured) {
                secured.setSSLParameters(withAlpn(secured));
                secured.startHandshake();
                greetings.add(((ExtendedSSLSession) secured.getSession()).getRequestedServerNames() + " "
                        + secured.getApplicationProtocol());
            }
            start(() -> back(client, server));
            DataInputStream in = new DataInputStream(client.getInputStream());
            int left = endsAfter;
            for (int first = in.read(); first >= 0 && left != 0; first = in.read()) {
                ByteArrayOutputStream message = new ByteArrayOutputStream();
                message.write(first);
                message.write(in.readNBytes(3));
                byte[] head = message.toByteArray();
                int length = (head[2] & 0xFF) << 8 | head[3] & 0xFF;
                boolean channelData = first >= 0x40;
                message.write(in.readNBytes(channelData ? length : length + 16));
                for (byte pad : in.readNBytes(-message.size() & 3)) {
                    if (pad != 0) {
                        faults.add("padding of " + pad);
                    }
                }
                server.send(new DatagramPacket(message.toByteArray(), message.size()));
                left--;
            }
        }
    }

    private void back(Socket client, DatagramSocket server) throws IOException {
        OutputStream out = client.getOutputStream();
        byte[] bytes = new byte[2048];
        while (true) {
            DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
            server.receive(packet);
            byte[] padded = new byte[packet.getLength() + 3 & ~3];
            System.arraycopy(bytes, 0, padded, 0, packet.getLength());
            if (!trickles) {
                out.write(padded);
                continue;
            }
            for (byte one : padded) {
                out.write(one);
            }
        }
    }

    private static SSLParameters withAlpn(SSLSocket socket) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"stun.turn"});
        return parameters;
    }
}
