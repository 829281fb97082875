package dev.turntable.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import org.apache.karaf.shell.api.action.Command;
import org.junit.jupiter.api.Test;

/** The shipped file that says who may run which command. */
class AccessTest {
    private static final Path FILE =
            Path.of("../../features/turntable/src/main/etc/org.apache.karaf.command.acl.turn.cfg");

    private static final List<Class<?>> COMMANDS = List.of(
            AllocationDeleteCommand.class,
            AllocationListCommand.class,
            AllocationShowCommand.class,
            CertificateShowCommand.class,
            CredentialsCreateCommand.class,
            EngineListCommand.class,
            InfoCommand.class,
            ListenerListCommand.class,
            SelftestCommand.class,
            StatsCommand.class,
            SweepShowCommand.class,
            UserHashCommand.class);

    @Test
    void namesEveryCommandAndLeavesTheRestToTheAdministrator() throws IOException {
        TreeSet<String> expected = new TreeSet<>(List.of("*"));
        COMMANDS.forEach(
                command -> expected.add(command.getAnnotation(Command.class).name()));
        assertEquals(expected, new TreeSet<>(roles().stringPropertyNames()));
        assertEquals("admin", roles().getProperty("*"));
    }

    @Test
    void letsAViewerNeitherEndACallNorGetACredential() throws IOException {
        for (String command : List.of("allocation-delete", "credentials-create", "selftest", "*")) {
            assertFalse(roles().getProperty(command).contains("viewer"), command);
        }
    }

    @Test
    void isTheFileOfTheScopeOfAllCommands() {
        COMMANDS.forEach(command ->
                assertEquals("turn", command.getAnnotation(Command.class).scope()));
    }

    private static Properties roles() throws IOException {
        Properties roles = new Properties();
        try (InputStream file = Files.newInputStream(FILE)) {
            roles.load(file);
        }
        return roles;
    }
}
