package dev.turntable.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.turntable.api.SelfTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerCommandsTest {
    private final Turntable turntable = Fakes.turntable();

    @Test
    void infoShowsTheServerInAFewLines() {
        assertEquals("""
                Version             1.0.0
                Uptime [s]          3600
                Engine              1.2.0 of bundle 77 since 2025-03-01T10:00:00Z
                Listeners           2, 1 of them listening
                Workers             2
                I/O                 epoll
                Relayed sockets     one per allocation
                Relayed addresses   10.0.0.1 → 203.0.113.1
                Relayed ports       49152-65535, 4 in use
                Allocations         2
                Permissions         3
                Channel bindings    1
                Credential sources  shared-secrets, users-file
                """, run(new InfoCommand()).succeeded());
    }

    @Test
    void infoSaysWhatAnOperatorShouldLookAt() {
        turntable.server = Fakes.server(null, "The relayed address 10.0.0.1 is private and no mapping is configured");
        turntable.listeners = null;
        InfoCommand info = new InfoCommand();
        info.noFormat = true;
        String printed = run(info).succeeded();
        assertTrue(printed.contains("Engine\tnone: reading is paused, clients wait\n"), printed);
        assertTrue(
                printed.contains("Listeners\tnone: the service of bundle dev.turntable.transport is away\n"), printed);
        assertTrue(printed.contains("Credential sources\tnone: TURN is refused, Binding is served\n"), printed);
        assertTrue(printed.endsWith("WARNING\tThe relayed address 10.0.0.1 is private and no mapping is configured\n"));
    }

    @Test
    void infoSaysWhyTheServerDoesNotRun() {
        turntable.server = Fakes.refusedServer("configuration dev.turntable.server refused: workers: -1");
        assertEquals("""
                Version  1.0.0
                Server   not running
                WARNING  configuration dev.turntable.server refused: workers: -1
                """, run(new InfoCommand()).succeeded());
    }

    @Test
    void infoIsJsonWithTheNamesOfTheService() {
        Map<?, ?> info = (Map<?, ?>) json(new InfoCommand());
        assertEquals("1.0.0", info.get("version"));
        assertEquals(List.of("10.0.0.1 → 203.0.113.1"), info.get("relayedAddresses"));
        assertEquals("2025-03-01T10:00:00Z", ((Map<?, ?>) info.get("engine")).get("since"));
        turntable.server = Fakes.server(null);
        assertEquals(null, ((Map<?, ?>) json(new InfoCommand())).get("engine"));
    }

    @Test
    void listenerListShowsWhatListensAndWhatDoesNot() {
        assertEquals("""
                Name | Protocols | Address      | State     | Sockets | I/O   | Receive buffer [bytes] | Client packets | Connections | Certificate [days left] | Problem
                -----+-----------+--------------+-----------+---------+-------+------------------------+----------------+-------------+-------------------------+--------------------
                tls  | tls       | 0.0.0.0:5349 | FAILED    |       0 | epoll |                      0 |              0 |           0 |                      89 | port 5349 is in use
                udp  | udp       | *:3478       | LISTENING |       4 | epoll |                4194304 |         123456 |           0 |                         |
                """, Console.trimmed(run(new ListenerListCommand()).succeeded()));
        assertEquals(2, ((List<?>) json(new ListenerListCommand())).size());
    }

    @Test
    void selftestShowsEachStepWithItsTime() {
        turntable.selfTest = listener -> List.of(new SelfTest.Result(
                "udp",
                "udp",
                "192.0.2.1:3478",
                SelfTest.Outcome.PASSED,
                List.of(new SelfTest.Step("Binding", 0.5), new SelfTest.Step("Allocate", 1.25)),
                ""));
        assertEquals("""
                Listener | Protocol | Server address | Step     | Time [ms] | Result
                ---------+----------+----------------+----------+-----------+-------
                udp      | udp      | 192.0.2.1:3478 | Binding  |     0.500 | ok
                udp      | udp      | 192.0.2.1:3478 | Allocate |     1.250 | ok
                """, Console.trimmed(run(new SelftestCommand()).succeeded()));
        Map<?, ?> result = (Map<?, ?>) ((List<?>) json(new SelftestCommand())).get(0);
        assertEquals("PASSED", result.get("outcome"));
        assertEquals("udp", result.get("protocol"));
        assertEquals(Map.of("name", "Allocate", "millis", 1.25), ((List<?>) result.get("steps")).get(1));
    }

    @Test
    void selftestFailsForAScriptWhenAListenerFailed() {
        turntable.selfTest = listener -> List.of(
                new SelfTest.Result(
                        "udp",
                        "udp",
                        "192.0.2.1:3478",
                        SelfTest.Outcome.FAILED,
                        List.of(new SelfTest.Step("Binding", 2000)),
                        "no answer to Binding"),
                new SelfTest.Result(
                        "tls", "tls, dtls", "", SelfTest.Outcome.FAILED, List.of(), "it is FAILED: port in use"),
                untested());
        SelftestCommand selftest = new SelftestCommand();
        selftest.noFormat = true;
        Console.Ran ran = run(selftest);
        assertEquals(
                "udp\tudp\t192.0.2.1:3478\tBinding\t2000.000\tFAILED: no answer to Binding\n"
                        + "tls\ttls, dtls\t\t\t\tFAILED: it is FAILED: port in use\n"
                        + "tls\tdtls\t\t\t\tnot tested: this client does not speak dtls\n",
                ran.printed());
        assertEquals("2 of 2 self-tests failed", ran.refused());
        turntable.selfTest = listener -> List.of();
        assertEquals(
                "Nothing was tested: no listener is configured", run(selftest).refused());
    }

    @Test
    void selftestFailsWhereNothingCouldBeTested() {
        turntable.selfTest = listener -> List.of(untested());
        assertEquals(
                "Nothing was tested: this client does not speak dtls",
                run(new SelftestCommand()).refused());
    }

    private static SelfTest.Result untested() {
        return new SelfTest.Result(
                "tls", "dtls", "", SelfTest.Outcome.NOT_TESTED, List.of(), "this client does not speak dtls");
    }

    @Test
    void sweepShowIsSortedByWorker() {
        SweepShowCommand sweep = new SweepShowCommand();
        sweep.noFormat = true;
        String rest = "\t2\t3\t1\t60\t61\t360\t5\t6\t7\t8\t20.500\t31.000\t20.500\t31.000\t990.000\t1010.250\n";
        assertEquals("0" + rest + "1" + rest, run(sweep).succeeded());
        assertTrue(run(new SweepShowCommand()).succeeded().contains("Late p99 [ms]"));
        assertEquals(
                1010.25,
                ((Map<?, ?>) ((Map<?, ?>) ((List<?>) json(new SweepShowCommand())).get(0)).get("latenessMillis"))
                        .get("max"));
    }

    @Test
    void engineListShowsTheSwaps() {
        assertEquals("""
                Version | Bundle | Since                | Current | Swaps | Gap [ms]
                --------+--------+----------------------+---------+-------+---------
                1.2.0   |     77 | 2025-03-01T10:00:00Z | yes     |     1 |    0.000
                1.1.0   |     70 | 2025-02-01T10:00:00Z | no      |     0 |   12.500
                """, Console.trimmed(run(new EngineListCommand()).succeeded()));
        assertEquals(2, ((List<?>) json(new EngineListCommand())).size());
    }

    @Test
    void statsShowsTheCounters() {
        assertEquals("""
                Counter          | Value
                -----------------+------
                binding.requests |  1000
                drop.bad-cookie  |     3
                """, Console.trimmed(run(new StatsCommand()).succeeded()));
        assertEquals(Map.of("binding.requests", 1000.0, "drop.bad-cookie", 3.0), json(new StatsCommand()));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                InfoCommand.class,
                ListenerListCommand.class,
                AllocationListCommand.class,
                AllocationShowCommand.class,
                CredentialsCreateCommand.class,
                SelftestCommand.class,
                SweepShowCommand.class,
                EngineListCommand.class,
                StatsCommand.class
            })
    void everyCommandSaysWhichPartIsAway(Class<? extends Output> type) throws ReflectiveOperationException {
        Output command = type.getConstructor().newInstance();
        if (command instanceof AllocationShowCommand show) {
            show.id = "0-1";
        }
        command.turntable = new Turntable();
        Console.Ran ran = Console.run(command);
        assertTrue(ran.refused().contains("the service of bundle dev.turntable."), ran.refused());
        assertEquals("", ran.printed());
    }

    private Console.Ran run(Output command) {
        command.turntable = turntable;
        return Console.run(command);
    }

    private Object json(Output command) {
        command.json = true;
        return JsonReader.read(run(command).succeeded());
    }
}
