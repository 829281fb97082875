package dev.turntable.shell;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.text.Normalizer;
import java.util.HexFormat;
import org.apache.karaf.shell.api.action.Action;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.CommandException;

/** A line for the users file that holds no password (RFC 8489 §9.2.2, §18.5.1). Needs no part of the server. */
@Service
@Command(
        scope = "turn",
        name = "user-hash",
        description = "Makes a line for the users file that does not hold the password, for one realm")
public final class UserHashCommand implements Action {
    @Reference
    Session session;

    @Argument(index = 0, name = "name", description = "Name of the user, without a colon", required = true)
    String name;

    @Argument(index = 1, name = "realm", description = "Realm of the server, as configured", required = true)
    String realm;

    @Option(
            name = "-p",
            aliases = "--password",
            description = "The password, for scripts; asked for without, and then in no history",
            censor = true)
    String password;

    @Override
    public Object execute() throws Exception {
        String user = checked("name", name);
        if (user.indexOf(':') >= 0 || user.startsWith("#")) {
            throw Turntable.refusal("name: it may not begin with # and not hold a colon");
        }
        String place = checked("realm", realm);
        String secret = checked("password", password == null ? asked() : password);
        byte[] text = (user + ":" + place + ":" + secret).getBytes(StandardCharsets.UTF_8);
        System.out.println(user + ":{MD5}" + hash("MD5", text) + ":{SHA256}" + hash("SHA-256", text) + ":" + place);
        return null;
    }

    private String asked() throws CommandException {
        String answer;
        try {
            answer = session.readLine("Password: ", '*');
        } catch (IOException | UnsupportedOperationException e) {
            answer = null;
        }
        if (answer == null) {
            throw Turntable.refusal("Nobody is there to be asked: say the password with -p");
        }
        return answer;
    }

    /** As OpaqueString (RFC 8265 §4.2) has it; a text that it or the users file cannot hold is refused. */
    private static String checked(String what, String text) throws CommandException {
        StringBuilder spaced = new StringBuilder(text);
        for (int i = 0; i < spaced.length(); i++) {
            if (Character.getType(spaced.charAt(i)) == Character.SPACE_SEPARATOR) {
                spaced.setCharAt(i, ' ');
            }
        }
        String prepared = Normalizer.normalize(spaced, Normalizer.Form.NFC);
        if (prepared.isEmpty()) {
            throw Turntable.refusal(what + ": it is empty");
        }
        if (!prepared.codePoints().allMatch(Text::isPrintable)) {
            throw Turntable.refusal(what + ": it holds a control character or another one that cannot be seen");
        }
        // The file's lines are stripped. A password does not get into one, only its hash.
        if (!what.equals("password") && !prepared.equals(prepared.strip())) {
            throw Turntable.refusal(what + ": it begins or ends with a space");
        }
        return prepared;
    }

    private static String hash(String algorithm, byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(algorithm + " is missing in this Java", e);
        }
    }
}
