package dev.turntable.shell;

import dev.turntable.api.Allocations;
import dev.turntable.api.Certificates;
import dev.turntable.api.Listeners;
import dev.turntable.api.SelfTest;
import dev.turntable.api.Server;
import dev.turntable.api.auth.TurnCredentials;
import org.apache.karaf.shell.support.CommandException;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.osgi.service.component.annotations.ReferencePolicyOption;

/**
 * What the commands reach of the server. Always there, so that no command vanishes with a part of the server: each part may be
 * away, and then the command says which.
 */
@Component(service = Turntable.class, immediate = true)
public final class Turntable {
    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Server server;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Allocations allocations;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Listeners listeners;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile Certificates certificates;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile SelfTest selfTest;

    @Reference(
            cardinality = ReferenceCardinality.OPTIONAL,
            policy = ReferencePolicy.DYNAMIC,
            policyOption = ReferencePolicyOption.GREEDY)
    volatile TurnCredentials credentials;

    Server server() throws CommandException {
        return present(server, "The server is not running", "dev.turntable.state", "");
    }

    Allocations allocations() throws CommandException {
        return present(allocations, "The server is not running", "dev.turntable.state", "turn:info, ");
    }

    Listeners listeners() throws CommandException {
        return present(listeners, "There are no listeners", "dev.turntable.transport", "turn:info, ");
    }

    Certificates certificates() throws CommandException {
        return present(certificates, "There are no listeners", "dev.turntable.transport", "turn:info, ");
    }

    SelfTest selfTest() throws CommandException {
        return present(selfTest, "There is no self-test", "dev.turntable.selftest", "");
    }

    TurnCredentials credentials() throws CommandException {
        return present(credentials, "Nothing mints credentials", "dev.turntable.auth", "turn:info, ");
    }

    private static <T> T present(T service, String problem, String bundle, String look) throws CommandException {
        if (service == null) {
            throw refusal(
                    problem + ": the service of bundle " + bundle + " is away (see " + look + "bundle:list, scr:list)");
        }
        return service;
    }

    /** Ends a command with one line to the operator. The shell shows a stack trace for any other type, subtypes included. */
    static CommandException refusal(String message) {
        return new CommandException(message, message);
    }
}
