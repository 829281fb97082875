package dev.turntable.shell;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Named values, one a line: aligned for people, between tabs for scripts. */
final class Fields {
    private record Field(String name, String value) {}

    private final List<Field> fields = new ArrayList<>();

    Fields add(String name, Object value) {
        fields.add(new Field(name, Text.of(value)));
        return this;
    }

    void print(PrintStream out, boolean noFormat) {
        int width = fields.stream().mapToInt(field -> field.name.length()).max().orElse(0);
        for (Field field : fields) {
            String gap = noFormat ? "\t" : " ".repeat(width - field.name.length() + 2);
            out.println((field.name + gap + field.value).stripTrailing());
        }
    }
}
