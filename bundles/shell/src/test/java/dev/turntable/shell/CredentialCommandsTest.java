package dev.turntable.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.ListenerInfo;
import dev.turntable.api.Listeners;
import java.net.InetSocketAddress;
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
    @Tag("RFC7065§3.1")
    void credentialsCreateNamesWhatListensOverEachTransportInTheOrderOfItsCost() {
        InetSocketAddress plain = new InetSocketAddress("192.0.2.1", 3478);
        InetSocketAddress secured = new InetSocketAddress("2001:db8::2", 5349);
        InetSocketAddress elsewhere = new InetSocketAddress("192.0.2.9", 3478);
        InetSocketAddress loopback = new InetSocketAddress("127.0.0.1", 5349);
        Map<String, List<InetSocketAddress>> reachable = Map.of(
                "all",
                List.of(plain),
                "bare",
                List.of(elsewhere),
                "away",
                List.of(elsewhere),
                "dtls",
                List.of(secured),
                "tls",
                List.of(loopback, secured));
        turntable.listeners = new Listeners() {
            @Override
            public List<ListenerInfo> list() {
                return List.of(
                        listener("all", "tcp, tls", ListenerInfo.State.LISTENING, 89),
                        listener("all", "udp, dtls", ListenerInfo.State.LISTENING, 89),
                        listener("away", "udp", ListenerInfo.State.FAILED, ListenerInfo.NO_CERTIFICATE),
                        listener("bare", "tls", ListenerInfo.State.LISTENING, ListenerInfo.NO_CERTIFICATE),
                        listener("dtls", "dtls", ListenerInfo.State.LISTENING, 89),
                        listener("tls", "tls", ListenerInfo.State.LISTENING, 89));
            }

            @Override
            public List<InetSocketAddress> reachableAt(String name) {
                return reachable.get(name);
            }
        };
        Map<?, ?> ice =
                (Map<?, ?>) ((List<?>) ((Map<?, ?>) json(new CredentialsCreateCommand())).get("iceServers")).get(0);
        assertEquals(
                List.of(
                        "turn:192.0.2.1:3478?transport=udp",
                        "turn:192.0.2.1:3478?transport=tcp",
                        "turns:192.0.2.1:3478?transport=tcp",
                        "turns:[2001:db8::2]:5349?transport=tcp"),
                ice.get("urls"));
    }

    private static ListenerInfo listener(String name, String protocols, ListenerInfo.State state, int daysLeft) {
        return new ListenerInfo(name, protocols, "", state, "", 1, "epoll", 0, 0, 0, daysLeft);
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
