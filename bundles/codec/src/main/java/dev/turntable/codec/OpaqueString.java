package dev.turntable.codec;

import java.text.Normalizer;

/**
 * The OpaqueString profile (RFC 8265 §4.2) of the PRECIS FreeformClass (RFC 8264 §4.3, §8), which RFC 8489 has applied to
 * user names, realms and passwords: spaces that are not ASCII become U+0020, the text is put into normalization form C,
 * and it is refused if it is empty or has a character that the class does not have.
 *
 * <p>Character properties are those of the running Java: Unicode 13.0 on Java 17, Unicode 15.0 on Java 21. A character
 * that is newer than that is unassigned, and refused. The joiners U+200C and U+200D are always refused: Java does not
 * tell the joining types and combining classes that their rules need (RFC 5892, appendix A.1 and A.2).
 */
public final class OpaqueString {
    /** The ranges, first and last, that are ignorable by default and that no other rule here refuses (RFC 8264 §9.13). */
    private static final int[] IGNORABLE = {
        0x034F, 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x3164, 0x3164, 0xFE00, 0xFE0F, 0xFFA0, 0xFFA0,
        0xE0100, 0xE01EF
    };

    /** The ranges of Hangul jamo that modern text composes (RFC 8264 §9.9). */
    private static final int[] OLD_HANGUL_JAMO = {0x1100, 0x11FF, 0xA960, 0xA97C, 0xD7B0, 0xD7C6, 0xD7CB, 0xD7FB};

    /** The characters that are refused by name (RFC 8264 §9.6). */
    private static final int[] REFUSED = {0x0640, 0x0640, 0x07FA, 0x07FA, 0x302E, 0x302F, 0x3031, 0x3035, 0x303B, 0x303B
    };

    private OpaqueString() {}

    /** The text as the profile has it, the same object where nothing had to change; null if it is refused. */
    public static String prepare(String text) {
        if (isPrintableAscii(text)) {
            return text.isEmpty() ? null : text;
        }
        String composed = Normalizer.normalize(withAsciiSpaces(text), Normalizer.Form.NFC);
        for (int i = 0; i < composed.length(); i += Character.charCount(composed.codePointAt(i))) {
            if (!isAllowed(composed, i)) {
                return null;
            }
        }
        return composed;
    }

    private static boolean isPrintableAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < 0x20 || text.charAt(i) > 0x7E) {
                return false;
            }
        }
        return true;
    }

    private static String withAsciiSpaces(String text) {
        StringBuilder mapped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            mapped.append(Character.getType(c) == Character.SPACE_SEPARATOR ? ' ' : c);
        }
        return mapped.toString();
    }

    /** The rules of RFC 8264 §8, in their order. */
    private static boolean isAllowed(String text, int at) {
        int c = text.codePointAt(at);
        if (isIn(REFUSED, c)) {
            return false;
        }
        if (isContextual(c)) {
            return isAllowedInContext(text, at, c);
        }
        if (isIn(OLD_HANGUL_JAMO, c) || isIn(IGNORABLE, c)) {
            return false;
        }
        return switch (Character.getType(c)) {
            case Character.UNASSIGNED,
                    Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static boolean isContextual(int c) {
        return c == 0x00B7
                || c == 0x0375
                || c == 0x05F3
                || c == 0x05F4
                || c == 0x30FB
                || isArabicIndicDigit(c)
                || isExtendedArabicIndicDigit(c);
    }

    /** The rules of RFC 5892, appendix A.3 to A.9. */
    private static boolean isAllowedInContext(String text, int at, int c) {
        int before = at == 0 ? -1 : text.codePointBefore(at);
        int after = at + 1 == text.length() ? -1 : text.codePointAt(at + 1);
        return switch (c) {
            case 0x00B7 -> before == 'l' && after == 'l';
            case 0x0375 -> isScript(after, Character.UnicodeScript.GREEK);
            case 0x05F3, 0x05F4 -> isScript(before, Character.UnicodeScript.HEBREW);
            case 0x30FB -> text.codePoints().anyMatch(OpaqueString::isJapanese);
            default ->
                isArabicIndicDigit(c)
                        ? text.codePoints().noneMatch(OpaqueString::isExtendedArabicIndicDigit)
                        : text.codePoints().noneMatch(OpaqueString::isArabicIndicDigit);
        };
    }

    private static boolean isArabicIndicDigit(int c) {
        return c >= 0x0660 && c <= 0x0669;
    }

    private static boolean isExtendedArabicIndicDigit(int c) {
        return c >= 0x06F0 && c <= 0x06F9;
    }

    private static boolean isJapanese(int c) {
        return isScript(c, Character.UnicodeScript.HIRAGANA)
                || isScript(c, Character.UnicodeScript.KATAKANA)
                || isScript(c, Character.UnicodeScript.HAN);
    }

    private static boolean isScript(int c, Character.UnicodeScript script) {
        return c >= 0 && Character.UnicodeScript.of(c) == script;
    }

    private static boolean isIn(int[] ranges, int c) {
        for (int i = 0; i < ranges.length; i += 2) {
            if (c >= ranges[i] && c <= ranges[i + 1]) {
                return true;
            }
        }
        return false;
    }
}
