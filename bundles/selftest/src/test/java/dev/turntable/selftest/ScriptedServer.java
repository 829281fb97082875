package dev.turntable.selftest;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ChannelData;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.Integrity;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.MessageType;
import dev.turntable.codec.Method;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.StunWriter;
import dev.turntable.codec.TransportAddress;
import dev.turntable.codec.Verdict;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A TURN server on loopback that plays a script: two clients, addresses that do not exist, and one thing that goes wrong. */
final class ScriptedServer implements AutoCloseable {
    static final String USERNAME = "1700000600:selftest";
    static final String PASSWORD = "secret";

    /** Names of the requests that came, in order, retransmissions included. */
    final List<String> heard = new CopyOnWriteArrayList<>();

    /** Methods that are not answered. */
    final List<Integer> silentAbout = new CopyOnWriteArrayList<>();

    /** Error codes by method. */
    final Map<Integer, Integer> errors = new ConcurrentHashMap<>();

    volatile boolean losesChannelData;
    volatile boolean losesIndications;
    volatile boolean signsWrong;
    volatile boolean tellsAnotherPeer;
    volatile boolean ipv6Alone;
    volatile int lossesLeft;
    volatile int channelDataLossesLeft;
    volatile String nonce = "first";

    private final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
    private final Thread thread = new Thread(this::serve, "scripted-server");
    private final List<SocketAddress> clients = new ArrayList<>();
    private final Integrity integrity = new Integrity();
    private final byte[] key = LongTermKey.md5(USERNAME, "example.org", PASSWORD);

    ScriptedServer() throws IOException {
        thread.start();
    }

    InetSocketAddress address() {
        return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    @Override
    public void close() throws InterruptedException {
        socket.close();
        thread.join(5000);
    }

    private void serve() {
        byte[] bytes = new byte[2048];
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(bytes, bytes.length);
                socket.receive(packet);
                if (lossesLeft > 0) {
                    lossesLeft--;
                } else if (ChannelData.isFirstByte(bytes[0])) {
                    channelData(packet);
                } else {
                    message(packet);
                }
            }
        } catch (IOException e) {
            if (!socket.isClosed()) {
                throw new IllegalStateException(e);
            }
        }
    }

    private void channelData(DatagramPacket packet) throws IOException {
        if (losesChannelData) {
            return;
        }
        if (channelDataLossesLeft > 0) {
            channelDataLossesLeft--;
            return;
        }
        int from = clients.indexOf(packet.getSocketAddress());
        byte[] payload = new byte[packet.getLength() - ChannelData.HEADER_LENGTH];
        System.arraycopy(packet.getData(), ChannelData.HEADER_LENGTH, payload, 0, payload.length);
        ByteBuffer out = ByteBuffer.allocate(1500);
        int length = new StunWriter()
                .begin(out, 0, MessageType.type(Method.DATA, MessageClass.INDICATION), 1, 2)
                .xorAddress(AttributeType.XOR_PEER_ADDRESS, relayed(tellsAnotherPeer ? 7 : from))
                .bytes(AttributeType.DATA, payload)
                .finish();
        socket.send(new DatagramPacket(out.array(), length, partner(packet)));
    }

    /** Clients come in pairs. */
    private SocketAddress partner(DatagramPacket packet) {
        return clients.get(clients.indexOf(packet.getSocketAddress()) ^ 1);
    }

    private void message(DatagramPacket packet) throws IOException {
        StunMessage request = new StunMessage();
        if (request.decode(ByteBuffer.wrap(packet.getData()), 0, packet.getLength()) != Verdict.OK) {
            throw new IOException("the client sent what cannot be read");
        }
        heard.add(Method.name(request.method()));
        if (silentAbout.contains(request.method())) {
            return;
        }
        if (request.method() == Method.SEND) {
            if (!losesIndications) {
                byte[] payload = request.value(request.indexOf(AttributeType.DATA));
                ByteBuffer out = ByteBuffer.allocate(1500);
                ChannelData.writeHeader(out, 0, ChannelData.MIN_CHANNEL, payload.length);
                out.put(ChannelData.HEADER_LENGTH, payload);
                socket.send(
                        new DatagramPacket(out.array(), ChannelData.HEADER_LENGTH + payload.length, partner(packet)));
            }
            return;
        }
        ByteBuffer out = ByteBuffer.allocate(1500);
        int length = answer(request, packet.getSocketAddress(), out);
        socket.send(new DatagramPacket(out.array(), length, packet.getSocketAddress()));
    }

    private int answer(StunMessage request, SocketAddress client, ByteBuffer out) {
        StunWriter writer = new StunWriter();
        if (request.method() == Method.BINDING) {
            TransportAddress reflexive = new TransportAddress();
            reflexive.set((InetSocketAddress) client);
            return writer.answer(out, 0, request, MessageClass.SUCCESS)
                    .xorAddress(AttributeType.XOR_MAPPED_ADDRESS, reflexive)
                    .finish();
        }
        int integrityAt = request.indexOf(AttributeType.MESSAGE_INTEGRITY);
        int nonceAt = request.indexOf(AttributeType.NONCE);
        if (integrityAt < 0 || !integrity.verify(request, integrityAt, key)) {
            return challenge(request, out, ErrorCode.UNAUTHENTICATED);
        }
        if (!nonce.equals(request.string(nonceAt))) {
            return challenge(request, out, ErrorCode.STALE_NONCE);
        }
        boolean ipv6Asked = request.has(AttributeType.REQUESTED_ADDRESS_FAMILY);
        Integer error = errors.get(request.method());
        if (error == null && ipv6Alone && request.method() == Method.ALLOCATE && !ipv6Asked) {
            error = ErrorCode.ADDRESS_FAMILY_NOT_SUPPORTED;
        }
        writer.answer(out, 0, request, error == null ? MessageClass.SUCCESS : MessageClass.ERROR);
        if (error != null) {
            writer.errorCode(error);
        } else if (request.method() == Method.ALLOCATE) {
            if (!clients.contains(client)) {
                clients.add(client);
            }
            writer.xorAddress(AttributeType.XOR_RELAYED_ADDRESS, relayed(clients.indexOf(client)));
        }
        byte[] signingKey = signsWrong ? new byte[16] : key;
        return writer.messageIntegrity(integrity, signingKey).finish();
    }

    private int challenge(StunMessage request, ByteBuffer out, int code) {
        return new StunWriter()
                .answer(out, 0, request, MessageClass.ERROR)
                .errorCode(code)
                .string(AttributeType.REALM, "example.org")
                .string(AttributeType.NONCE, nonce)
                .finish();
    }

    private static TransportAddress relayed(int client) {
        return new TransportAddress(0, TransportAddress.ipv4(0xC0000201), 50000 + client);
    }
}
