package dev.turntable.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CredentialCommandsTest {
    private final Turntable turntable = Fakes.turntable();
    private final Console console = new Console();

    @Test
    void credentialsCreateGivesWhatABrowserNeeds() {
        CredentialsCreateCommand create = new CredentialsCreateCommand();
        create.name = "alice";
        create.lifetimeSeconds = 600;
        String ice = "{\"iceServers\":[{\"urls\":[\"turn:192.0.2.1:3478?transport=udp\","
                + "\"turn:[2001:db8::2]:3478?transport=udp\"],"
                + "\"username\":\"1700000600:alice\",\"credential\":\"cGFzc3dvcmQ=\"}]}\n";
        assertEquals("""
                Username  1700000600:alice
                Password  cGFzc3dvcmQ=
                Expires   2023-11-14T22:23:20Z

                """ + ice, run(create).succeeded());
        JsonReader.read(ice);
        create.urls = List.of("turn:turn.example.org");
        Map<?, ?> all = (Map<?, ?>) json(create);
        assertEquals("1700000600:alice", all.get("username"));
        assertEquals("cGFzc3dvcmQ=", all.get("password"));
        assertEquals("2023-11-14T22:23:20Z", all.get("expiresAt"));
        assertEquals(
                List.of("turn:turn.example.org"), ((Map<?, ?>) ((List<?>) all.get("iceServers")).get(0)).get("urls"));
    }

    @Test
    void credentialsCreateSaysThatItKnowsNoAddress() {
        turntable.listeners = null;
        CredentialsCreateCommand create = new CredentialsCreateCommand();
        assertTrue(
                run(create).succeeded().endsWith("No address is known to be reached by clients: name it with --url\n"));
    }

    @Test
    void credentialsCreateSaysWhyItCannot() {
        CredentialsCreateCommand create = new CredentialsCreateCommand();
        create.name = "a:b";
        assertEquals(
                "No credentials were made: name: no colon may be in it",
                run(create).refused());
        turntable.credentials = (name, lifetime) -> {
            throw new IllegalStateException("no shared secret is configured");
        };
        assertEquals(
                "No credentials were made: no shared secret is configured",
                run(create).refused());
    }

    @Test
    @Tag("RFC8489§18.5.1")
    void userHashMakesALineWithoutThePassword() {
        UserHashCommand hash = userHash("alice", "example.org");
        console.answer = "secret";
        String line =
                "alice:{MD5}543e1aec5d3614f03141652d6ada51b2:{SHA256}d1659fff7a501be15962adc35514ca6a5868905695f2dd1093741f931e000a1f:example.org\n";
        assertEquals(line, Console.run(hash).succeeded());
        assertEquals(List.of("Password: "), console.questions);
        hash.password = "secret";
        assertEquals(line, Console.run(hash).succeeded());
        assertEquals(1, console.questions.size(), "not asked where it was said");
    }

    @Test
    @Tag("RFC8265§4.2")
    void userHashTakesTwoSpellingsForOne() {
        UserHashCommand composed = userHash("Ren\u00e9", "example.org");
        composed.password = "a b";
        UserHashCommand decomposed = userHash("Rene\u0301", "example.org");
        decomposed.password = "a\u00a0b";
        assertEquals(Console.run(composed).succeeded(), Console.run(decomposed).succeeded());
    }

    @Test
    void userHashRefusesWhatTheFileCannotHold() {
        console.answer = "secret";
        for (String name : List.of("a:b", "#a", "", " a", "a\nb", "a\u200b")) {
            assertTrue(Console.run(userHash(name, "example.org")).refused().startsWith("name: "), name);
        }
        assertEquals("realm: it is empty", Console.run(userHash("alice", "")).refused());
        console.answer = "";
        assertEquals(
                "password: it is empty",
                Console.run(userHash("alice", "example.org")).refused());
        console.headless = true;
        assertEquals(
                "Nobody is there to be asked: say the password with -p",
                Console.run(userHash("alice", "example.org")).refused());
    }

    @Test
    void theDefaultLifetimeIsADay() {
        assertEquals(Duration.ofDays(1).getSeconds(), new CredentialsCreateCommand().lifetimeSeconds);
    }

    private Console.Ran run(Output command) {
        command.turntable = turntable;
        return Console.run(command);
    }

    private Object json(Output command) {
        command.json = true;
        return JsonReader.read(run(command).succeeded());
    }

    private UserHashCommand userHash(String name, String realm) {
        UserHashCommand hash = new UserHashCommand();
        hash.session = console.session;
        hash.name = name;
        hash.realm = realm;
        return hash;
    }
}
