package dev.turntable.shell;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.console.Session;

/** A console that keeps what is printed, and an operator who gives prepared answers. */
final class Console {
    /** What was asked. */
    final List<String> questions = new ArrayList<>();

    /** The next answer; null for the end of the input. */
    String answer;

    /** As in {@code bin/client command}: nobody can be asked. */
    boolean headless;

    final Session session = (Session) Proxy.newProxyInstance(
            Session.class.getClassLoader(), new Class<?>[] {Session.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("get")) {
                    return arguments[0].equals("USER") ? "admin" : null;
                }
                if (!method.getName().equals("readLine") || headless) {
                    throw new UnsupportedOperationException(method.getName());
                }
                questions.add((String) arguments[0]);
                if (answer == null) {
                    throw new IOException("end of input");
                }
                return answer;
            });

    /** Runs a command; what it prints comes back, also when it fails. */
    static Ran run(Action action) {
        PrintStream before = System.out;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        Exception failure = null;
        try {
            action.execute();
        } catch (Exception e) {
            failure = e;
        } finally {
            System.setOut(before);
        }
        return new Ran(bytes.toString(StandardCharsets.UTF_8), failure);
    }

    /** Without what the table pads its last column with. */
    static String trimmed(String printed) {
        return printed.replaceAll(" +\n", "\n");
    }

    /** @param failure null where the command did its work */
    record Ran(String printed, Exception failure) {
        String succeeded() {
            if (failure != null) {
                throw new AssertionError(failure);
            }
            return printed;
        }

        /** The one line that the operator sees; the shell looks for exactly this class. */
        String refused() {
            if (failure == null || failure.getClass() != org.apache.karaf.shell.support.CommandException.class) {
                throw new AssertionError("a refusal was expected", failure);
            }
            return ((org.apache.karaf.shell.support.CommandException) failure).getNiceHelp();
        }
    }
}
