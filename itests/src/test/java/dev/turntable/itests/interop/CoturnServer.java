package dev.turntable.itests.interop;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Debian's coturn as the control. It takes either users or a secret: two processes, the second with few ports. */
final class CoturnServer implements TurnServerUnderTest {
    private static final int LAST_OF_USERS = Ports.RELAYED_MAX - 50;

    private final List<Process> processes = new ArrayList<>();

    private CoturnServer() {}

    static CoturnServer start() throws IOException, InterruptedException {
        ForeignProgram.require("turnserver");
        CoturnServer server = new CoturnServer();
        try {
            server.start(
                    "users",
                    Ports.STUN,
                    Ports.RELAYED_MIN,
                    LAST_OF_USERS,
                    List.of("--lt-cred-mech", "-u", USER + ":" + PASSWORD));
            server.start(
                    "rest",
                    Ports.STUN_REST,
                    LAST_OF_USERS + 1,
                    Ports.RELAYED_MAX,
                    List.of("--use-auth-secret", "--static-auth-secret=" + SECRET));
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
        return server;
    }

    @Override
    public int port() {
        return Ports.STUN;
    }

    @Override
    public int tlsPort() {
        return abort("not run: coturn is started without certificates");
    }

    @Override
    public int restPort() {
        return Ports.STUN_REST;
    }

    @Override
    public void offerLegacyChannelNumbers(boolean offered) {
        abort("not run: coturn has them always");
    }

    @Override
    public void close() {
        processes.forEach(ForeignProgram::stop);
    }

    private void start(String name, int port, int relayedMin, int relayedMax, List<String> credentials)
            throws IOException, InterruptedException {
        Path directory = TurnServerUnderTest.workDirectory().resolve("coturn-" + name);
        List<String> command = new ArrayList<>(List.of("turnserver", "-n", "-r", REALM, "-p", Integer.toString(port)));
        for (String address : List.of(ADDRESS, ADDRESS_IPV6)) {
            command.addAll(List.of("-L", address, "-E", address));
        }
        command.addAll(List.of("--min-port", Integer.toString(relayedMin), "--max-port", Integer.toString(relayedMax)));
        // No second port for RFC 5780, which would be the next one.
        command.addAll(List.of("--allow-loopback-peers", "--no-rfc5780", "--no-tls", "--no-dtls", "--no-cli"));
        command.addAll(List.of("--userdb=" + directory.resolve("db"), "--pidfile=" + directory.resolve("pid")));
        command.addAll(List.of("--log-file=stdout", "--simple-log"));
        command.addAll(credentials);
        Process process = ForeignProgram.start(command, directory, "turnserver");
        processes.add(process);
        TurnServerUnderTest.awaitAnswer(port, process, Duration.ofSeconds(10));
    }
}
