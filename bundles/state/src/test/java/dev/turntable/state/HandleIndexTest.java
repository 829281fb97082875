package dev.turntable.state;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class HandleIndexTest {
    private static final int CAPACITY = 16;

    /** Hashes that meet, and that wrap around the end of the table: what a good hash hardly ever shows. */
    @Property(tries = 500)
    void findsExactlyWhatIsInItHoweverHashesMeet(
            @ForAll @Size(max = 200) List<@IntRange(min = 0, max = CAPACITY - 1) Integer> handles,
            @ForAll @Size(value = CAPACITY) List<@IntRange(min = 0, max = 7) Integer> homes) {
        HandleIndex index = new HandleIndex(CAPACITY, handle -> hash(homes, handle));
        Set<Integer> model = new HashSet<>();
        for (int handle : handles) {
            if (model.remove(handle)) {
                index.remove(handle);
            } else {
                model.add(handle);
                index.put(handle);
            }
            for (int sought = 0; sought < CAPACITY; sought++) {
                assertEquals(model.contains(sought), find(index, hash(homes, sought), sought));
            }
        }
    }

    /** Homes 0 to 3 are at the begin of the table, 4 to 7 at its end. */
    private static int hash(List<Integer> homes, int handle) {
        int home = homes.get(handle);
        long slot = home < 4 ? home : 2 * CAPACITY - 8 + home;
        return (int) ((slot << 32) / (2 * CAPACITY) + 1);
    }

    private static boolean find(HandleIndex index, int hash, int sought) {
        int slot = index.home(hash);
        while (index.at(slot) != HandleIndex.NONE && index.at(slot) != sought) {
            slot = index.after(slot);
        }
        return index.at(slot) == sought;
    }
}
