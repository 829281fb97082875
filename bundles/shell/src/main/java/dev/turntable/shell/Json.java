package dev.turntable.shell;

import java.lang.reflect.RecordComponent;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;

/**
 * JSON of the values that the commands show: records by the names of their components, maps, lists, numbers, booleans, null;
 * everything else as text.
 */
final class Json {
    private final StringBuilder json = new StringBuilder();

    private Json() {}

    static String of(Object value) {
        Json writer = new Json();
        writer.value(value);
        return writer.json.toString();
    }

    private void value(Object value) {
        if (value == null || value instanceof Boolean) {
            json.append(value);
        } else if (value instanceof Number number) {
            number(number);
        } else if (value instanceof InetSocketAddress address) {
            text(Text.address(address));
        } else if (value instanceof Map<?, ?> map) {
            map(map);
        } else if (value instanceof Iterable<?> list) {
            list(list);
        } else if (value instanceof Record && !(value instanceof Comparable)) {
            members((Record) value);
        } else {
            // Such as an allocation id, which is a record with a text form of its own.
            text(value.toString());
        }
    }

    private void number(Number number) {
        if (number instanceof Double d) {
            // There is no infinity in JSON.
            json.append(Double.isFinite(d) ? String.format(Locale.ROOT, "%.3f", d) : "null");
        } else {
            json.append(number);
        }
    }

    private void map(Map<?, ?> map) {
        char before = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            json.append(before);
            member(entry.getKey().toString(), entry.getValue());
            before = ',';
        }
        json.append(before == '{' ? "{}" : "}");
    }

    private void list(Iterable<?> list) {
        char before = '[';
        for (Object element : list) {
            json.append(before);
            value(element);
            before = ',';
        }
        json.append(before == '[' ? "[]" : "]");
    }

    private void members(Record value) {
        char before = '{';
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            json.append(before);
            try {
                member(component.getName(), component.getAccessor().invoke(value));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(component + " cannot be read", e);
            }
            before = ',';
        }
        json.append('}');
    }

    private void member(String name, Object value) {
        text(name);
        json.append(':');
        value(value);
    }

    private void text(String text) {
        json.append('"');
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (Text.isPrintable(c)) {
                json.appendCodePoint(c);
            } else {
                for (char unit : Character.toChars(c)) {
                    json.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
                }
            }
        });
        json.append('"');
    }
}
