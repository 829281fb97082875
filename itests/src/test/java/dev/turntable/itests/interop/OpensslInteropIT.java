package dev.turntable.itests.interop;

import static dev.turntable.itests.interop.TurnServerUnderTest.ADDRESS;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code openssl s_client} as the client over TLS and DTLS. */
@ExtendWith(TurnServerUnderTest.Shared.class)
class OpensslInteropIT {
    private final TurnServerUnderTest server;

    OpensslInteropIT(TurnServerUnderTest server) {
        this.server = server;
    }

    @BeforeAll
    static void requirePrograms() {
        ForeignProgram.require("openssl");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_3", "-tls1_2", "-dtls1_2"})
    @Tag("RFC7443§3")
    void agreesOnTurnAndTrustsTheCertificate(String version) throws Exception {
        String output =
                connect(version + " -alpn h2,stun.turn -verify_return_error -CAfile " + TestAuthority.certificate());
        assertTrue(output.contains("ALPN protocol: stun.turn"), output);
        assertTrue(output.contains("Verify return code: 0 (ok)"), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_1", "-tls1", "-dtls1"})
    @Tag("RFC9325§3.1.1")
    void refusesOldVersions(String version) throws Exception {
        String output = connect(version + " -cipher DEFAULT@SECLEVEL=0");
        assertTrue(output.contains("alert protocol version") && output.contains("Cipher is (NONE)"), output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_2", "-dtls1_2"})
    @Tag("RFC9325§4.1")
    void refusesCipherSuitesWithoutForwardSecrecy(String version) throws Exception {
        String output = connect(version + " -cipher AES128-GCM-SHA256:AES256-SHA@SECLEVEL=0");
        assertTrue(output.contains("handshake failure") && output.contains("Cipher is (NONE)"), output);
    }

    /** Its standard input is at its end, so that it closes after the handshake. */
    private String connect(String options) throws Exception {
        String command =
                "openssl s_client -connect " + ADDRESS + ":" + server.tlsPort() + " " + options + " < /dev/null";
        return ForeignProgram.run(List.of("sh", "-c", command), TurnServerUnderTest.workDirectory(), 30)
                .output();
    }
}
