package dev.turntable.codec;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Coverage-guided fuzzing of everything that reads bytes from strangers. In an ordinary build it runs the seeds and what
 * was found before (DecoderFuzzTestInputs). To search, from the root of the project, for as long as the annotation allows:
 *
 * <pre>JAZZER_FUZZ=1 mvn -pl bundles/codec -am test -Dtest=DecoderFuzzTest -Djazzer.hooks=true -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
class DecoderFuzzTest {
    private static final AttributeSet KNOWN = AttributeSet.of(AttributeType.USERNAME, AttributeType.LIFETIME);

    @FuzzTest(maxDuration = "30m")
    void readsAnyBytesWithoutHarm(byte[] input) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(input.length).put(input).clear();
        StunMessage message = new StunMessage(16);
        Verdict verdict = message.decode(bytes, 0, input.length);
        if (verdict.isAnswerable()) {
            Samples.readAll(message);
            Fingerprint.verify(message);
            message.unknownRequired(KNOWN, new int[4]);
            verifyAll(message);
            answer(message);
        }
        ChannelData.payloadLength(bytes, 0, input.length);
        int size = StreamFraming.frameLength(bytes, 0, input.length, 2000);
        check(size <= input.length && size >= StreamFraming.TOO_LONG, "a frame is no longer than what is there");
        check(bytes.position() == 0 && bytes.limit() == input.length, "position and limit are left alone");
        check(Arrays.equals(Samples.copy(bytes, 0, input.length), input), "the bytes are left alone");
    }

    private static void verifyAll(StunMessage message) {
        Integrity integrity = new Integrity();
        for (int i = 0; i < message.count(); i++) {
            check(!integrity.verify(message, i, new byte[] {1, 2, 3}), "nobody signs by chance");
            String text = message.string(i);
            if (text != null) {
                NonceCookie.features(text);
                OpaqueString.prepare(text);
            }
        }
    }

    private static void answer(StunMessage request) {
        ByteBuffer target = ByteBuffer.allocate(64);
        int[] unknown = new int[16];
        int count = request.unknownRequired(KNOWN, unknown);
        StunWriter writer = new StunWriter().answer(target, 0, request, MessageClass.ERROR);
        int length = writer.errorCode(ErrorCode.UNKNOWN_ATTRIBUTE)
                .unknownAttributes(unknown, count)
                .finish();
        StunMessage answer = new StunMessage();
        check(length < 0 || answer.decode(target, 0, length) == Verdict.OK, "what is written can be read");
    }

    private static void check(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}
