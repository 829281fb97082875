package dev.turntable.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The numbers of the code are those of the IANA registry, no more and no fewer; see stun-parameters.csv. */
class RegistryTest {
    @Test
    @Tag("RFC8489§18.2")
    void methodsAreThoseOfTheRegistry() throws IllegalAccessException {
        assertSame("method", Method.class, Method::name);
    }

    @Test
    @Tag("RFC8489§18.3")
    void attributesAreThoseOfTheRegistry() throws IllegalAccessException {
        assertSame("attribute", AttributeType.class, AttributeType::name);
    }

    @Test
    @Tag("RFC8489§18.4")
    void errorCodesAndTheirReasonsAreThoseOfTheRegistry() throws IllegalAccessException {
        assertSame("error", ErrorCode.class, ErrorCode::reason);
    }

    @Test
    @Tag("RFC8489§18.1")
    @Tag("RFC8489§18.5")
    void passwordAlgorithmsAndSecurityFeaturesAreThoseOfTheRegistry() {
        assertEquals(
                Map.of(PasswordAlgorithms.MD5, "MD5", PasswordAlgorithms.SHA256, "SHA-256"), registry("algorithm"));
        Map<Integer, String> features = registry("feature");
        assertEquals(Map.of(0, "Password algorithms", 1, "Username anonymity"), features);
        assertEquals(1 << 0, NonceCookie.PASSWORD_ALGORITHMS);
        assertEquals(1 << 1, NonceCookie.USERNAME_ANONYMITY);
    }

    @Test
    @Tag("RFC8489§14")
    void typesBelow8000HaveToBeUnderstood() {
        assertTrue(AttributeType.isComprehensionRequired(0x0000));
        assertTrue(AttributeType.isComprehensionRequired(0x7FFF));
        assertEquals(false, AttributeType.isComprehensionRequired(0x8000));
        assertEquals("0x7F01", AttributeType.name(0x7F01));
        assertEquals("0x7FF", Method.name(0x7FF));
        assertEquals("", ErrorCode.reason(499));
    }

    @Test
    @Tag("RFC8489§5")
    void putsTheBitsOfTheClassBetweenThoseOfTheMethod() {
        assertEquals(0x0113, MessageType.type(Method.ALLOCATE, MessageClass.ERROR));
        assertEquals(0x0017, MessageType.type(Method.DATA, MessageClass.INDICATION));
        assertEquals("Allocate error response", MessageType.name(0x0113));
        for (int method = 0; method <= 0xFFF; method++) {
            for (int messageClass = 0; messageClass <= 3; messageClass++) {
                int type = MessageType.type(method, messageClass);
                assertEquals(0, type >>> 14);
                assertEquals(method, MessageType.method(type));
                assertEquals(messageClass, MessageType.messageClass(type));
            }
        }
    }

    @Test
    @Tag("RFC8489§6.3")
    void sendAndDataAreIndicationsOnlyAndAllocateIsNone() {
        assertTrue(Method.allows(Method.BINDING, MessageClass.REQUEST));
        assertTrue(Method.allows(Method.BINDING, MessageClass.INDICATION));
        assertTrue(Method.allows(Method.SEND, MessageClass.INDICATION));
        assertEquals(false, Method.allows(Method.SEND, MessageClass.REQUEST));
        assertEquals(false, Method.allows(Method.ALLOCATE, MessageClass.INDICATION));
        assertEquals(false, Method.allows(0x0FF, MessageClass.REQUEST));
    }

    private static void assertSame(String kind, Class<?> constants, IntFunction<String> name)
            throws IllegalAccessException {
        Map<Integer, String> named = new TreeMap<>();
        for (Field field : constants.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers()) && field.getType() == int.class) {
                int value = field.getInt(null);
                named.put(value, name.apply(value));
                assertEquals(field.getName(), constantName(name.apply(value)), "the constant is called like its value");
            }
        }
        assertEquals(registry(kind), named);
    }

    private static String constantName(String registered) {
        return registered
                .replaceAll("(?<=[a-z])(?=[A-Z])", "_")
                .replace('-', '_')
                .replace(' ', '_')
                .toUpperCase(java.util.Locale.ROOT);
    }

    private static Map<Integer, String> registry(String kind) {
        Map<Integer, String> values = new TreeMap<>();
        for (String line : Samples.lines("stun-parameters.csv")) {
            String[] columns = line.split(",", -1);
            if (columns[0].equals(kind)) {
                values.put(Integer.decode(columns[1]), columns[2]);
            }
        }
        return values;
    }
}
