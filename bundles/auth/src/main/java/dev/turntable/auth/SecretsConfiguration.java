package dev.turntable.auth;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Keys of {@code dev.turntable.auth.secrets}. */
@ObjectClassDefinition(
        name = "Turntable: TURN REST shared secrets",
        description = "Time-limited credentials that an application mints with a shared secret")
@interface SecretsConfiguration {
    @AttributeDefinition(
            name = "Secret file",
            description =
                    "Path of the file with the shared secrets, one a line. Made with a random secret where it does not"
                            + " exist. Empty: no credentials of this kind. The secrets themselves are never values of a key.")
    String secretFile() default "${karaf.etc}/turntable.secret";
}
