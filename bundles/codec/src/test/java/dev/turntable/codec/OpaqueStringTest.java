package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The examples of RFC 8265 §4.3 and the rules of RFC 8264 §8, one by one. */
@Tag("RFC8265§4.2")
class OpaqueStringTest {
    @Test
    void textThatNeedsNoChangeIsReturnedAsItIs() {
        for (String text : new String[] {"correct horse battery staple", "Correct Horse Battery Staple", "~!\" #'"}) {
            assertSame(text, OpaqueString.prepare(text));
        }
        assertEquals("πß\u00e5", OpaqueString.prepare("πß\u00e5"));
        assertEquals("Jack of ♦s", OpaqueString.prepare("Jack of ♦s"));
        assertEquals(Samples.MATRIX, OpaqueString.prepare(Samples.MATRIX));
    }

    @Test
    void otherSpacesBecomeAsciiSpaces() {
        assertEquals("foo bar", OpaqueString.prepare("foo\u1680bar"));
        assertEquals(" a  b ", OpaqueString.prepare("\u00A0a\u3000\u2003b\u202F"));
    }

    @Test
    void textIsComposedButCaseWidthAndCompatibilityFormsAreKept() {
        assertEquals("\u00C5", OpaqueString.prepare("A\u030A"));
        assertEquals("\u03A9", OpaqueString.prepare("\u2126"));
        assertEquals("\u2168 \uFF21 \u00AA \uFB01", OpaqueString.prepare("\u2168 \uFF21 \u00AA \uFB01"));
        assertEquals("\uAC01", OpaqueString.prepare("\u1100\u1161\u11A8"), "jamo that compose");
        assertEquals("\uD834\uDD2A 😀", OpaqueString.prepare("\uD834\uDD2A 😀"));
    }

    @Test
    void nothingAndWhatTheClassDoesNotHaveIsRefused() {
        String[] refused = {
            "",
            "my cat is a \u0009by",
            "\u0000",
            "\u007F",
            "\u0085",
            "\u200B",
            "\u00AD",
            "\u2028",
            "\uE000",
            "\uFDD0",
            "\uFFFF",
            "\u0378",
            "\u0640",
            "\u07FA",
            "\u302E",
            "\u3031",
            "\u303B",
            "\u115F",
            "\u034F",
            "\uFE0F",
            "\u3164",
            "\uFFA0",
            "\u1100",
            "\u200C",
            "\u200D",
            "\uFEFF",
            "\uD800",
            "\uDC00",
            "\uDB40\uDD00"
        };
        for (String text : refused) {
            assertNull(
                    OpaqueString.prepare(text.isEmpty() ? text : "é" + text),
                    () -> Integer.toHexString(text.codePointAt(0)));
        }
    }

    @Test
    void charactersWithAContextAreAllowedInItOnly() {
        assertEquals("l\u00B7l", OpaqueString.prepare("l\u00B7l"));
        assertNull(OpaqueString.prepare("l\u00B7"));
        assertNull(OpaqueString.prepare("\u00B7l"));
        assertEquals("\u0375\u03B1", OpaqueString.prepare("\u0375\u03B1"));
        assertNull(OpaqueString.prepare("\u0375a"));
        assertNull(OpaqueString.prepare("\u03B1\u0375"));
        assertEquals("\u05D0\u05F3", OpaqueString.prepare("\u05D0\u05F3"));
        assertNull(OpaqueString.prepare("\u05F4"));
        assertEquals("ア\u30FB", OpaqueString.prepare("ア\u30FB"));
        assertNull(OpaqueString.prepare("a\u30FB"));
        assertEquals("\u0660\u0669", OpaqueString.prepare("\u0660\u0669"));
        assertEquals("\u06F0\u06F9", OpaqueString.prepare("\u06F0\u06F9"));
        assertNull(OpaqueString.prepare("\u0660\u06F0"));
    }
}
