package dev.turntable.auth;

import org.osgi.service.metatype.annotations.AttributeDefinition;
import org.osgi.service.metatype.annotations.ObjectClassDefinition;

/** Keys of {@code dev.turntable.auth.users}. */
@ObjectClassDefinition(name = "Turntable: users file", description = "Users with long-term credentials in a file")
@interface UsersConfiguration {
    @AttributeDefinition(
            name = "Users file",
            description =
                    "Path of the file with one user a line, name:password or name:{MD5}…:realm. A missing file: no users."
                            + " Empty: no credentials of this kind.")
    String usersFile() default "${karaf.etc}/turntable.users";
}
