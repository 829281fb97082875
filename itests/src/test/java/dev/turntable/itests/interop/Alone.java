package dev.turntable.itests.interop;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A test that needs the machine: nothing that is {@link SideBySide} goes on meanwhile. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@ResourceLock(Alone.MACHINE)
@interface Alone {
    String MACHINE = "machine";
}
