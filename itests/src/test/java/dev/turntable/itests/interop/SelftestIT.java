package dev.turntable.itests.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code turn:selftest} in the ready distribution, with a certificate that it does not know. */
@ExtendWith(TurnServerUnderTest.Shared.class)
class SelftestIT {
    private final TurnServerUnderTest server;

    SelftestIT(TurnServerUnderTest server) {
        this.server = server;
    }

    @Test
    void callsOverUdpTcpAndTlsAtEachAddress() {
        assumeTrue(server instanceof TurntableAssembly, "not run: a command of Turntable");
        String said = ((TurntableAssembly) server).shell("turn:selftest --no-format");
        List<String[]> rows = said.lines()
                .map(line -> line.split("\t", -1))
                .filter(row -> row.length == 6)
                .toList();
        Set<String> called = new TreeSet<>();
        for (String[] row : rows) {
            boolean dtls = row[1].equals("dtls");
            assertEquals(dtls ? "not tested: this client does not speak dtls" : "ok", row[5].strip(), said);
            if (row[3].equals("Round trip")) {
                called.add(row[1] + " " + row[2]);
            }
        }
        Set<String> addresses = new TreeSet<>();
        for (String protocol : List.of("udp", "tcp", "tls")) {
            int port = protocol.equals("tls") ? server.tlsPort() : server.port();
            addresses.addAll(List.of(protocol + " 127.0.0.1:" + port, protocol + " [::1]:" + port));
        }
        assertEquals(addresses, called, said);
        assertTrue(rows.stream().anyMatch(row -> row[1].equals("dtls")), said);
    }
}
