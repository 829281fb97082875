package dev.turntable.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.apache.karaf.shell.api.console.CommandLine;
import org.junit.jupiter.api.Test;

class CompletersTest {
    private final Turntable turntable = Fakes.turntable();

    @Test
    void completesTheIdsOfLiveAllocations() {
        AllocationIds ids = new AllocationIds();
        ids.turntable = turntable;
        List<String> candidates = new ArrayList<>();
        ids.complete(null, typed(""), candidates);
        assertEquals(List.of("0-1f ", "1-2 "), candidates);
        candidates.clear();
        ids.complete(null, typed("1"), candidates);
        assertEquals(List.of("1-2 "), candidates);
        turntable.allocations = null;
        candidates.clear();
        assertEquals(-1, ids.complete(null, typed(""), candidates));
    }

    @Test
    void completesTheNamesOfListeners() {
        ListenerNames names = new ListenerNames();
        names.turntable = turntable;
        List<String> candidates = new ArrayList<>();
        names.complete(null, typed("u"), candidates);
        assertEquals(List.of("udp "), candidates);
        turntable.listeners = null;
        candidates.clear();
        assertEquals(-1, names.complete(null, typed("u"), candidates));
    }

    private static CommandLine typed(String argument) {
        return new CommandLine() {
            @Override
            public int getCursorArgumentIndex() {
                return 0;
            }

            @Override
            public String getCursorArgument() {
                return argument;
            }

            @Override
            public int getArgumentPosition() {
                return argument.length();
            }

            @Override
            public String[] getArguments() {
                return new String[] {argument};
            }

            @Override
            public int getBufferPosition() {
                return argument.length();
            }

            @Override
            public String getBuffer() {
                return argument;
            }
        };
    }
}
