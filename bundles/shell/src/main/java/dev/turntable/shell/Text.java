package dev.turntable.shell;

import dev.turntable.api.AddressText;
import java.net.InetSocketAddress;
import java.util.Locale;

/** Values as text for a terminal. What a client chose cannot move the cursor, change colours or start a new line. */
final class Text {
    private Text() {}

    static String of(Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof InetSocketAddress address) {
            return address(address);
        }
        if (value instanceof Double number) {
            return String.format(Locale.ROOT, "%.3f", number);
        }
        return escaped(value.toString());
    }

    /** Control, formatting (such as a change of writing direction), separator and broken characters become {@code \\u001b}. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        text.codePoints().forEach(c -> {
            if (isPrintable(c)) {
                escaped.appendCodePoint(c);
            } else {
                for (char unit : Character.toChars(c)) {
                    escaped.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                }
            }
        });
        return escaped.toString();
    }

    static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    /** {@code 192.0.2.1:3478} or {@code [2001:db8::1]:3478}; asks no name server. */
    static String address(InetSocketAddress address) {
        return escaped(AddressText.of(address));
    }
}
