package dev.turntable.relay;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ChannelData;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.Fingerprint;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.Method;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.Verdict;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.Packet;
import dev.turntable.state.PeerConnection;
import dev.turntable.state.RelayEngine;
import dev.turntable.state.RelayedConnection;
import dev.turntable.state.RelayedSocket;
import dev.turntable.state.ServerState;
import dev.turntable.state.Worker;
import java.time.Clock;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The switch of the engine: what kind of packet it is, and whose work. Behaviour is in the classes that it calls, one for each noun of
 * RFC 8656 and RFC 6062; state is elsewhere altogether.
 */
final class TurnEngine implements RelayEngine {
    private static final Logger LOG = LoggerFactory.getLogger(TurnEngine.class);
    private static final long FAULT_LOG_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final String version;
    private final boolean sweeps;
    private final Desk[] desks;
    private final Discards discards;
    private final Replies replies = new Replies();
    private final BindingRequests bindingRequests = new BindingRequests(replies);
    private final TurnRequests turnRequests;
    private final ChannelDataMessages channelDataMessages;
    private final SendIndications sendIndications;
    private final PeerDatagrams peerDatagrams;
    private final ConnectRequests connectRequests;
    private final ConnectionAttempts connectionAttempts;
    private final ExpirySweep expirySweep;
    private volatile RelayConfiguration configuration;

    /**
     * @param wallClock for the expiry of credentials alone
     * @param sweeps false leaves all that has expired where it is: for the test that has to fail then
     */
    TurnEngine(ServerState server, RelayConfiguration configuration, Clock wallClock, String version, boolean sweeps) {
        this.version = version;
        this.sweeps = sweeps;
        this.configuration = configuration;
        desks = new Desk[server.workerCount()];
        for (int i = 0; i < desks.length; i++) {
            desks[i] = new Desk(server.worker(i));
        }
        discards = new Discards(server.dropReasons());
        ExternalAddresses externalAddresses = new ExternalAddresses(server);
        PeerPermissions peerPermissions = new PeerPermissions(new PeerRules(externalAddresses), externalAddresses);
        PeerPath peerPath = new PeerPath(externalAddresses, discards);
        connectRequests = new ConnectRequests(peerPermissions, externalAddresses, replies);
        connectionAttempts = new ConnectionAttempts(peerPermissions, externalAddresses, discards);
        turnRequests = new TurnRequests(
                new Authentication(new Nonces(server.nonceKeys()), server.credentialSources(), wallClock),
                replies,
                new AllocateRequests(new NewAllocations(externalAddresses), externalAddresses),
                new CreatePermissionRequests(peerPermissions),
                new ChannelBindRequests(peerPermissions),
                connectRequests);
        channelDataMessages = new ChannelDataMessages(peerPath, discards);
        sendIndications = new SendIndications(peerPermissions, peerPath, discards);
        peerDatagrams = new PeerDatagrams(externalAddresses, discards);
        expirySweep = new ExpirySweep(server, connectRequests);
    }

    /** The values in force. Any thread. */
    RelayConfiguration configuration() {
        return configuration;
    }

    /** Puts others in force, from the next packet of each worker on. Any thread. */
    void configure(RelayConfiguration changed) {
        configuration = changed;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public void fromClient(Worker worker, ClientPath path, Allocation allocation, Packet packet) {
        Desk desk = desks[worker.index()];
        try {
            int header = packet.length() < ChannelData.HEADER_LENGTH ? 0 : packet.getInt(0);
            // RFC 8656 §12 leaves the numbers from 0x5000 on alone, RFC 5766 §11.4 goes by these two bits.
            if (header >>> 30 == 1) {
                channelDataMessages.handle(desk, allocation, packet, header);
            } else {
                stun(desk, path, allocation, packet, null);
            }
        } catch (RuntimeException e) {
            fault(desk, e);
        }
    }

    @Override
    public void fromPeer(Worker worker, RelayedSocket socket, long hi, long lo, int port, Packet packet) {
        Desk desk = desks[worker.index()];
        try {
            peerDatagrams.handle(desk, socket, hi, lo, port, packet);
        } catch (RuntimeException e) {
            fault(desk, e);
        }
    }

    @Override
    public void fromIcmp(
            Worker worker, RelayedSocket socket, long hi, long lo, int port, int type, int code, int data) {
        Desk desk = desks[worker.index()];
        try {
            peerDatagrams.handleIcmp(desk, socket, hi, lo, port, type, code, data);
        } catch (RuntimeException e) {
            fault(desk, e);
        }
    }

    @Override
    public void peerConnected(
            Worker worker, RelayedSocket listener, long hi, long lo, int port, RelayedConnection connection) {
        Desk desk = desks[worker.index()];
        try {
            connectionAttempts.handle(desk, listener, hi, lo, port, connection, configuration);
        } catch (RuntimeException e) {
            connection.close();
            fault(desk, e);
        }
    }

    @Override
    public void connectEnded(Worker worker, PeerConnection connection) {
        Desk desk = desks[worker.index()];
        try {
            connectRequests.ended(desk, connection, configuration);
        } catch (RuntimeException e) {
            fault(desk, e);
        }
    }

    @Override
    public void answered(
            Worker worker, ClientPath path, Allocation allocation, Packet request, CredentialAnswer answer) {
        Desk desk = desks[worker.index()];
        try {
            stun(desk, path, allocation, request, answer);
        } catch (RuntimeException e) {
            fault(desk, e);
        }
    }

    @Override
    public boolean sweep(Worker worker) {
        try {
            return sweeps && expirySweep.slice(desks[worker.index()], configuration);
        } catch (RuntimeException e) {
            fault(desks[worker.index()], e);
            return false;
        }
    }

    /** A STUN message, or what should be one (RFC 8489 §6.3). */
    private void stun(Desk desk, ClientPath path, Allocation allocation, Packet packet, CredentialAnswer answer) {
        StunMessage message = desk.message;
        Verdict verdict = message.decode(packet.memory(), packet.start(), packet.length());
        try {
            int discard = discard(message, verdict);
            if (discard >= 0) {
                desk.worker.drops().add(discard);
            } else if (verdict != Verdict.OK) {
                replies.send(desk, path, configuration, Reply.error(ErrorCode.BAD_REQUEST));
            } else if (message.messageClass() == MessageClass.INDICATION) {
                indication(desk, path, allocation, packet);
            } else if (message.method() == Method.BINDING) {
                bindingRequests.handle(desk, path, configuration);
            } else {
                turnRequests.handle(desk, path, allocation, packet, configuration, answer);
            }
        } finally {
            message.clear();
        }
    }

    /** Why the message is discarded; -1 where it is not, or is a request that can be answered 400. */
    private int discard(StunMessage message, Verdict verdict) {
        if (!verdict.isAnswerable()) {
            return discards.malformed;
        }
        int method = message.method();
        int messageClass = message.messageClass();
        boolean indication = messageClass == MessageClass.INDICATION;
        if (method != Method.BINDING && method != Method.SEND && !TurnRequests.isServed(method)) {
            return discards.unknownMethod;
        }
        if (!Method.allows(method, messageClass) || !(indication || messageClass == MessageClass.REQUEST)) {
            return discards.unexpectedClass;
        }
        if (verdict != Verdict.OK) {
            return indication ? discards.malformed : -1;
        }
        return message.has(AttributeType.FINGERPRINT) && !Fingerprint.verify(message)
                ? discards.fingerprintMismatch
                : -1;
    }

    private void indication(Desk desk, ClientPath path, Allocation allocation, Packet packet) {
        if (desk.message.method() == Method.SEND) {
            sendIndications.handle(desk, path, allocation, packet, configuration);
        }
        // A Binding indication keeps a NAT's binding open, and has done so by now.
    }

    /** A fault of this engine costs the packet, not the worker. */
    private void fault(Desk desk, RuntimeException e) {
        desk.worker.drops().add(discards.engineFault);
        long now = desk.worker.now();
        if (desk.faultLoggedNanos < 0 || now - desk.faultLoggedNanos >= FAULT_LOG_NANOS) {
            desk.faultLoggedNanos = now;
            LOG.error("a packet could not be handled; more of the kind are counted, and logged once a minute", e);
        }
    }
}
