package dev.turntable.shell;

import dev.turntable.api.CertificateInfo;
import java.io.PrintStream;
import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;

/** The certificates that clients are shown now. */
@Service
@Command(
        scope = "turn",
        name = "certificate-show",
        description = "Shows the certificates that TLS clients are shown now, and how long they are good for")
public final class CertificateShowCommand extends Output {
    @Argument(name = "listener", description = "Name of a listener; all where there is none")
    @Completion(ListenerNames.class)
    String listener;

    @Override
    void show(PrintStream out) throws Exception {
        if (listener != null
                && turntable.listeners().list().stream()
                        .noneMatch(one -> one.name().equals(listener))) {
            throw Turntable.refusal("there is no listener of that name");
        }
        List<CertificateInfo> certificates = turntable.certificates().certificates().stream()
                .filter(one -> listener == null || one.listener().equals(listener))
                .toList();
        if (json) {
            out.println(Json.of(certificates));
            return;
        }
        Listing listing = new Listing()
                .text("Listener")
                .text("Names")
                .text("Subject")
                .text("Issuer")
                .text("Key")
                .text("Not before")
                .text("Not after")
                .number("Days left")
                .text("SHA-256")
                .number("Chain")
                .text("Preferred")
                .text("Problem");
        for (CertificateInfo one : certificates) {
            listing.row(
                    one.listener(),
                    String.join(" ", one.names()),
                    one.subject(),
                    one.issuer(),
                    one.keyType(),
                    one.notBefore(),
                    one.notAfter(),
                    one.daysLeft(),
                    one.sha256(),
                    one.chainLength(),
                    one.preferred(),
                    one.problem());
        }
        listing.print(out, noFormat, "No certificate is in use");
    }
}
