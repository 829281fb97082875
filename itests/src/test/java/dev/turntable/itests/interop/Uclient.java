package dev.turntable.itests.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** coturn's {@code turnutils_uclient}: its command line and its totals. Its exit status says nothing about losses. */
final class Uclient {
    static final int MESSAGE_BYTES = 170;

    private static final int SECONDS = 120;
    private static final int MOST_TOSSES = 300;
    private static final int MOST_DRAWS = 3;
    /**
     * It draws its channel numbers by chance from 0x4000 to 0x7FFF: one of 16,384 is 0x7FFF, which RFC 5766 §11.2 has refused, and as
     * rarely an allocation's two are the same, which is to be refused too (RFC 8656 §12.2). It ends there, before it relays.
     */
    private static final String CHANNEL_REFUSED = "channel bind: error 400";

    /** With {@code -v}, at the end of what it prints: what befalls its first, which it gives up at once, it does not mind. */
    private static final Pattern NO_EVEN_PORT =
            Pattern.compile("allocate response received:[^\\n]*\\n[^\\n]*error 508[^\\n]*\\s*$");

    private static final Pattern MESSAGES =
            Pattern.compile("start_mclient: tot_send_msgs=(\\d+), tot_recv_msgs=(\\d+)");
    private static final Pattern BYTES =
            Pattern.compile("start_mclient: tot_send_bytes ~ (\\d+), tot_recv_bytes ~ (\\d+)");
    private static final Pattern LOSS = Pattern.compile("Total lost packets (\\d+) \\(.*total send dropped (\\d+)");

    /** The totals that it prints when it ends. */
    record Totals(long sent, long received, long sentBytes, long receivedBytes, long lost, long dropped) {
        static Totals allBack(long messages) {
            long bytes = messages * MESSAGE_BYTES;
            return new Totals(messages, messages, bytes, bytes, 0, 0);
        }
    }

    private Uclient() {}

    /** @param options what goes before the address of the server, parted by blanks */
    static Totals run(String server, int port, String options) throws IOException, InterruptedException {
        List<String> command = command(server, port, options);
        ForeignProgram.Outcome outcome;
        int draws = 0;
        do {
            outcome = ForeignProgram.run(command, TurnServerUnderTest.workDirectory(), SECONDS);
        } while (outcome.status() != 0 && outcome.output().contains(CHANNEL_REFUSED) && ++draws < MOST_DRAWS);
        return totals(command, outcome);
    }

    /**
     * As {@link #run}, where relayed sockets are shared. Half of the client's Allocates ask for an even port, by the toss of a coin, and
     * are refused: it is run anew until that has not happened.
     */
    static Totals runOnSharedSocket(String server, int port, String options) throws IOException, InterruptedException {
        List<String> command = command(server, port, "-v " + options);
        return totals(command, runUntilAllocated(command));
    }

    /** As {@link #runOnSharedSocket} where it gets an allocation, and must be refused later; what it printed. */
    static String runOnSharedSocketInVain(String server, int port, String options)
            throws IOException, InterruptedException {
        ForeignProgram.Outcome outcome = runUntilAllocated(command(server, port, "-v " + options));
        assertTrue(outcome.status() != 0, outcome::output);
        return outcome.output();
    }

    private static ForeignProgram.Outcome runUntilAllocated(List<String> command)
            throws IOException, InterruptedException {
        ForeignProgram.Outcome outcome;
        int tries = 0;
        do {
            outcome = ForeignProgram.run(command, TurnServerUnderTest.workDirectory(), SECONDS);
        } while (outcome.status() != 0 && tossedOrDrewBadly(outcome.output()) && ++tries < MOST_TOSSES);
        return outcome;
    }

    private static boolean tossedOrDrewBadly(String output) {
        return NO_EVEN_PORT.matcher(output).find() || output.contains(CHANNEL_REFUSED);
    }

    private static Totals totals(List<String> command, ForeignProgram.Outcome outcome) {
        assertEquals(0, outcome.status(), () -> command + "\n" + outcome.output());
        Matcher messages = last(MESSAGES, outcome);
        Matcher bytes = last(BYTES, outcome);
        Matcher loss = last(LOSS, outcome);
        Totals totals = new Totals(
                Long.parseLong(messages.group(1)),
                Long.parseLong(messages.group(2)),
                Long.parseLong(bytes.group(1)),
                Long.parseLong(bytes.group(2)),
                Long.parseLong(loss.group(1)),
                Long.parseLong(loss.group(2)));
        say(String.join(" ", command) + ": " + totals);
        return totals;
    }

    /** A run that must not get an allocation; what it printed. */
    static String runInVain(String server, int port, String options) throws IOException, InterruptedException {
        ForeignProgram.Outcome outcome =
                ForeignProgram.run(command(server, port, options), TurnServerUnderTest.workDirectory(), SECONDS);
        assertTrue(outcome.status() != 0, outcome::output);
        return outcome.output();
    }

    private static List<String> command(String server, int port, String options) {
        List<String> command = new ArrayList<>(List.of("turnutils_uclient"));
        command.addAll(List.of("-p", Integer.toString(port), "-l", Integer.toString(MESSAGE_BYTES)));
        command.addAll(List.of(options.trim().split(" +")));
        command.add(server);
        return command;
    }

    private static Matcher last(Pattern pattern, ForeignProgram.Outcome outcome) {
        Matcher matcher = pattern.matcher(outcome.output());
        Matcher last = null;
        while (matcher.find()) {
            last = pattern.matcher(matcher.group());
        }
        assertTrue(last != null && last.find(), () -> "no " + pattern + " in:\n" + outcome.output());
        return last;
    }

    @SuppressWarnings("SystemOut")
    private static void say(String message) {
        System.out.println(message);
    }
}
