package dev.turntable.shell;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.karaf.shell.support.table.ShellTable;

/**
 * Rows for people (a table with headers) or for scripts (values between tabs, no header, nothing cut). The shell's own plain form
 * is not used: where the console is not Unicode it puts other characters than tabs between padded values.
 */
final class Listing {
    private final ShellTable table = new ShellTable();
    private final List<List<String>> rows = new ArrayList<>();

    Listing text(String header) {
        table.column(header);
        return this;
    }

    Listing number(String header) {
        table.column(header).alignRight();
        return this;
    }

    void row(Object... values) {
        rows.add(Arrays.stream(values).map(Text::of).collect(Collectors.toList()));
    }

    void print(PrintStream out, boolean noFormat, String whenEmpty) {
        if (noFormat) {
            rows.forEach(row -> out.println(String.join("\t", row)));
            return;
        }
        rows.forEach(row -> table.addRow().addContent(row.toArray()));
        table.emptyTableText(whenEmpty).print(out, true);
    }
}
