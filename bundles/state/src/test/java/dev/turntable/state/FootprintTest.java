package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;
import org.openjdk.jol.info.ClassLayout;
import org.openjdk.jol.vm.VM;

/** What an entry costs when its table is full: all columns and the index, without the allocation they belong to. */
class FootprintTest {
    private static final int ENTRIES = 100_000;

    @Test
    void aPermissionTakesAtMost64Bytes() throws ReflectiveOperationException {
        Permissions permissions = new Permissions(ENTRIES, new SharedPeers(1));
        assertAtMost(64, "permission", columnBytes(permissions));
    }

    @Test
    void aChannelBindingTakesAtMost56Bytes() throws ReflectiveOperationException {
        ChannelBindings bindings = new ChannelBindings(ENTRIES, new Permissions(1, new SharedPeers(1)));
        assertAtMost(56, "channel binding", columnBytes(bindings));
    }

    @Test
    void anAllocationTakesAtMost256BytesWithoutWhatItRefersTo() throws ReflectiveOperationException {
        long bytes = ClassLayout.parseClass(Allocation.class).instanceSize() * ENTRIES
                + columnBytes(new Allocations(ENTRIES, new Platter().worker));
        assertAtMost(256, "allocation", bytes);
    }

    private static void assertAtMost(int most, String what, long bytes) {
        double each = (double) bytes / ENTRIES;
        System.out.printf("%s: %.1f bytes%n", what, each);
        assertTrue(each <= most, what + ": " + each + " bytes");
    }

    /** Arrays of the table, of its rows and of its indexes. */
    private static long columnBytes(Object table) throws ReflectiveOperationException {
        long bytes = 0;
        for (Field field : table.getClass().getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())) {
                continue;
            }
            field.setAccessible(true);
            Object value = field.get(table);
            if (field.getType().isArray()) {
                bytes += VM.current().sizeOf(value);
            } else if (value instanceof DeadlineRows || value instanceof HandleIndex) {
                bytes += columnBytes(value);
            }
        }
        return bytes;
    }
}
