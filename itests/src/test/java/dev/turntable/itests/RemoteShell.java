package dev.turntable.itests;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumSet;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.channel.ClientChannel;
import org.apache.sshd.client.channel.ClientChannelEvent;
import org.apache.sshd.client.config.hosts.HostConfigEntryResolver;
import org.apache.sshd.client.keyverifier.AcceptAllServerKeyVerifier;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.keyprovider.KeyIdentityProvider;

/** The shell of a Karaf by ssh, as one user. */
public final class RemoteShell implements AutoCloseable {
    private static final Duration LOGIN = Duration.ofSeconds(30);
    private static final String COLOURS = "\u001b\\[[0-9;]*m";
    private static final Duration LONGEST_COMMAND = Duration.ofMinutes(2);

    private final SshClient client = SshClient.setUpDefaultClient();
    private final int port;
    private final String user;
    private final String password;
    private boolean reached;

    public RemoteShell(int port, String user, String password) {
        this.port = port;
        this.user = user;
        this.password = password;
        client.setServerKeyVerifier(AcceptAllServerKeyVerifier.INSTANCE);
        // Nothing of whoever runs the test.
        client.setHostConfigEntryResolver(HostConfigEntryResolver.EMPTY);
        client.setKeyIdentityProvider(KeyIdentityProvider.EMPTY_KEYS_PROVIDER);
        client.start();
    }

    /** What is printed, up to the first command that fails; empty while nobody can log in. There is nobody to be asked. */
    public String run(String commands) {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        // Karaf ends the whole session some time after a command, so each has one of its own.
        try (ClientSession session =
                client.connect(user, "127.0.0.1", port).verify(LOGIN).getSession()) {
            session.addPasswordIdentity(password);
            session.auth().verify(LOGIN);
            try (ClientChannel channel = session.createExecChannel(commands)) {
                channel.setIn(new ByteArrayInputStream(new byte[0]));
                channel.setOut(printed);
                channel.setErr(printed);
                channel.open().verify(LOGIN);
                channel.waitFor(EnumSet.of(ClientChannelEvent.CLOSED), LONGEST_COMMAND);
                reached = true;
                if (channel.getExitStatus() == null) {
                    complain(commands, "the session ended before it");
                }
            }
        } catch (IOException e) {
            complain(commands, e.toString());
        }
        return printed.toString(StandardCharsets.UTF_8).replaceAll(COLOURS, "");
    }

    /** So that an empty answer of a container that was there can be told from a command that prints nothing. */
    @SuppressWarnings("SystemOut")
    private void complain(String commands, String why) {
        if (reached) {
            System.err.println("SHELL " + commands + ": " + why);
        }
    }

    @Override
    public void close() {
        client.stop();
    }
}
