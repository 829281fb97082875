package dev.turntable.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AllocationCommandsTest {
    private final Turntable turntable = Fakes.turntable();
    private final Console console = new Console();

    @Test
    void allocationListIsATableWithUnitsInItsHeader() {
        turntable.allocations = Fakes.allocations(List.of(Fakes.allocation("0-1f", "alice")));
        List<String> lines =
                run(new AllocationListCommand()).succeeded().lines().toList();
        assertEquals(3, lines.size());
        assertEquals(
                "ID | User | Transport | Client address | Relayed addresses | Lifetime [s] | Age [s] | Permissions"
                        + " | Channel bindings | From client [packets] | From client [bytes] | From peers [packets]"
                        + " | From peers [bytes]",
                lines.get(0).replaceAll(" +", " "));
        assertEquals(
                "0-1f | alice | UDP | 198.51.100.7:40000 | 203.0.113.1:50000, [2001:db8::1]:50001 | 600 | 12"
                        + " | 2 | 1 | 10 | 1000 | 20 | 2000",
                lines.get(2).replaceAll(" +", " "));
    }

    @Test
    void allocationListWithoutFormatHasTabsAndCutsNothing() {
        String name = "n".repeat(500);
        turntable.allocations = Fakes.allocations(List.of(Fakes.allocation("0-1f", name)));
        AllocationListCommand list = new AllocationListCommand();
        list.noFormat = true;
        assertEquals(
                "0-1f\t" + name + "\tUDP\t198.51.100.7:40000\t203.0.113.1:50000, [2001:db8::1]:50001"
                        + "\t600\t12\t2\t1\t10\t1000\t20\t2000\n",
                run(list).succeeded());
    }

    @Test
    void aUserNameCannotMoveTheCursorNorMakeAColumnOrALine() {
        for (Output command : List.of(new AllocationListCommand(), show("1-2"))) {
            for (boolean noFormat : new boolean[] {true, false}) {
                command.noFormat = noFormat;
                String printed = run(command).succeeded();
                assertTrue(printed.contains("eve\\u001b[2J\\u0009\"\\\\u000a\\u202eadmin"), printed);
                assertFalse(printed.contains("\u001b"));
                assertFalse(printed.contains("\u202e"));
            }
        }
    }

    @Test
    void aUserNameComesBackWholeFromJson() {
        AllocationListCommand list = new AllocationListCommand();
        list.json = true;
        String printed = run(list).succeeded();
        assertFalse(printed.contains("\u001b"));
        Map<?, ?> second = (Map<?, ?>) ((List<?>) JsonReader.read(printed)).get(1);
        assertEquals(Fakes.HOSTILE, second.get("username"));
        assertEquals("1-2", second.get("id"));
        assertEquals("198.51.100.7:40000", second.get("clientAddress"));
        assertEquals(Map.of("packets", 10.0, "bytes", 1000.0), second.get("fromClient"));
    }

    @Test
    void allocationListSaysThatThereIsNone() {
        turntable.allocations = Fakes.allocations(List.of());
        assertTrue(run(new AllocationListCommand()).succeeded().endsWith("There is no allocation\n"));
        assertEquals(List.of(), json(new AllocationListCommand()));
    }

    @Test
    void allocationShowHasPermissionsAndChannelBindingsInOrder() {
        assertEquals("""
                ID               0-1f
                User             1700000600:alice
                Realm            example.org
                Transport        UDP
                Client address   198.51.100.7:40000
                Server address   192.0.2.1:3478
                Relayed address  203.0.113.1:50000, bound to 10.0.0.1:50000, lifetime 600 s
                Relayed address  [2001:db8::1]:50001, bound to [2001:db8::1]:50001, lifetime 600 s
                Age [s]          12
                From client      10 packets, 1000 bytes
                From peers       20 packets, 2000 bytes

                Permission for peer | Lifetime [s]
                --------------------+-------------
                198.51.100.8        |          300
                198.51.100.9        |          280

                Channel number | Peer address      | Lifetime [s]
                ---------------+-------------------+-------------
                0x4001         | 198.51.100.8:6000 |          590
                """, Console.trimmed(run(show("0-1f")).succeeded()));
        assertEquals(2, ((List<?>) ((Map<?, ?>) json(show("0-1f"))).get("permissions")).size());
    }

    @Test
    void allocationShowSaysThatThereIsNoSuchAllocation() {
        assertEquals("There is no allocation 3-1", run(show("3-1")).refused());
        assertEquals(
                "Not an allocation id: \\u001b[2J (such as 0-1f, see turn:allocation-list)",
                run(show("\u001b[2J")).refused());
    }

    @Test
    void allocationDeleteAsksFirst() {
        console.answer = "no";
        assertEquals("Nothing was deleted", Console.run(delete("0-1f")).refused());
        assertEquals(2, turntable.allocations.count());
        console.answer = " Yes ";
        assertEquals("Deleted 0-1f\n", Console.run(delete("0-1f")).succeeded());
        assertEquals(1, turntable.allocations.count());
        assertEquals("End allocation 0-1f and the calls over it (yes/no)? ", console.questions.get(1));
    }

    @Test
    void allocationDeleteRefusesWhereNobodyCanBeAsked() {
        console.headless = true;
        assertEquals(
                "Nobody is there to be asked: say -f to delete 2 allocations",
                Console.run(delete("0-1f", "1-2")).refused());
        console.headless = false;
        assertEquals(
                "Nobody is there to be asked: say -f to delete allocation 1-2",
                Console.run(delete("1-2")).refused());
        assertEquals(2, turntable.allocations.count());
    }

    @Test
    void allocationDeleteDoesNotAskWithForce() {
        console.headless = true;
        AllocationDeleteCommand delete = delete("0-1f", "9-9", "1-2");
        delete.force = true;
        Console.Ran ran = Console.run(delete);
        assertEquals("Deleted 0-1f\nDeleted 1-2\n", ran.printed());
        assertEquals("There is no allocation 9-9", ran.refused());
        assertEquals(0, turntable.allocations.count());
    }

    @Test
    void allocationDeleteDeletesNothingWhenOneIdIsNone() {
        AllocationDeleteCommand delete = delete("0-1f", "x");
        delete.force = true;
        assertTrue(Console.run(delete).refused().startsWith("Not an allocation id: x"));
        assertEquals(2, turntable.allocations.count());
    }

    private Console.Ran run(Output command) {
        command.turntable = turntable;
        return Console.run(command);
    }

    private Object json(Output command) {
        command.json = true;
        return JsonReader.read(run(command).succeeded());
    }

    private static AllocationShowCommand show(String id) {
        AllocationShowCommand show = new AllocationShowCommand();
        show.id = id;
        return show;
    }

    private AllocationDeleteCommand delete(String... ids) {
        AllocationDeleteCommand delete = new AllocationDeleteCommand();
        delete.turntable = turntable;
        delete.session = console.session;
        delete.ids = List.of(ids);
        return delete;
    }
}
