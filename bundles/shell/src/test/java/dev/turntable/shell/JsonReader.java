package dev.turntable.shell;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON strictly: maps, lists, strings, doubles, booleans, null. Throws where a text is no JSON. */
final class JsonReader {
    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    static Object read(String text) {
        JsonReader reader = new JsonReader(text.strip());
        Object value = reader.value();
        if (reader.at != reader.text.length()) {
            throw new IllegalArgumentException("more than one value: " + text);
        }
        return value;
    }

    private Object value() {
        char c = text.charAt(at);
        if (c == '{') {
            return map();
        }
        if (c == '[') {
            return list();
        }
        if (c == '"') {
            return string();
        }
        int start = at;
        while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> {
                if (!word.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?")) {
                    throw new IllegalArgumentException("no JSON: " + word);
                }
                yield Double.parseDouble(word);
            }
        };
    }

    private Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        at++;
        while (text.charAt(at) != '}') {
            String name = string();
            expect(':');
            map.put(name, value());
            if (text.charAt(at) != '}') {
                expect(',');
            }
        }
        at++;
        return map;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        at++;
        while (text.charAt(at) != ']') {
            list.add(value());
            if (text.charAt(at) != ']') {
                expect(',');
            }
        }
        at++;
        return list;
    }

    private String string() {
        expect('"');
        StringBuilder string = new StringBuilder();
        while (text.charAt(at) != '"') {
            char c = text.charAt(at++);
            if (c < ' ') {
                throw new IllegalArgumentException("a control character in a string");
            }
            if (c == '\\') {
                char escape = text.charAt(at++);
                if (escape == 'u') {
                    string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else if (escape == '"' || escape == '\\') {
                    string.append(escape);
                } else {
                    throw new IllegalArgumentException("no escape: " + escape);
                }
            } else {
                string.append(c);
            }
        }
        at++;
        return string.toString();
    }

    private void expect(char c) {
        if (text.charAt(at++) != c) {
            throw new IllegalArgumentException("no " + c + " at " + at + " of " + text);
        }
    }
}
