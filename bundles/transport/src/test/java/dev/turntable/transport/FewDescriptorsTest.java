package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
class FewDescriptorsTest {
    /** Fails when {@link AcceptGate} goes on accepting: the door then takes all of a processor. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void restsWhileThereAreNoDescriptorsAndAcceptsAgainWhenThereAre(String io) throws Exception {
        Process server = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -n 160; exec \"$0\" \"$@\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-Dtransport.port=" + Rig.PORT,
                        "-cp",
                        System.getProperty("java.class.path"),
                        FewDescriptors.class.getName(),
                        io)
                .redirectErrorStream(true)
                .start();
        String output = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, server.waitFor(), output);
        Matcher percent = Pattern.compile("door: (\\d+) %").matcher(output);
        assertTrue(percent.find(), output);
        assertTrue(Integer.parseInt(percent.group(1)) < 25, output);
    }
}
