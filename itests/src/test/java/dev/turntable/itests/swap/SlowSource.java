package dev.turntable.itests.swap;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import dev.turntable.api.auth.CredentialSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A credential source that takes its time, in a bundle that the test makes. Runs in the container. */
public final class SlowSource implements CredentialSource {
    static final String USER = "sloth";
    static final String PASSWORD = "by-and-by";
    /** A little less than {@code credentialWaitMillis}. */
    static final Duration DELAY = Duration.ofMillis(4500);

    private static final String MANIFEST = """
            Manifest-Version: 1.0
            Bundle-ManifestVersion: 2
            Bundle-SymbolicName: turntable.test.slow-source
            Bundle-Version: 1.0.0
            Import-Package: dev.turntable.api.auth;version="[1.0,2)"
            Service-Component: OSGI-INF/slow.xml
            """;
    private static final String COMPONENT = """
            <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.3.0" name="slow" immediate="true">
              <service><provide interface="dev.turntable.api.auth.CredentialSource"/></service>
              <implementation class="%s"/>
            </scr:component>
            """.formatted(SlowSource.class.getName());

    @Override
    public CompletionStage<CredentialAnswer> find(CredentialQuery query) {
        if (query instanceof CredentialQuery.ByName named && named.username().equals(USER)) {
            return new CompletableFuture<CredentialAnswer>()
                    .completeOnTimeout(
                            new CredentialAnswer.Password(USER, PASSWORD, 0), DELAY.toMillis(), TimeUnit.MILLISECONDS);
        }
        return CompletableFuture.completedFuture(CredentialAnswer.UNKNOWN);
    }

    @Override
    public String name() {
        return "slow";
    }

    @Override
    public boolean supportsSha256() {
        return true;
    }

    @Override
    public boolean supportsUserhash() {
        return false;
    }

    static Path bundle(Path jar) throws IOException {
        String self = SlowSource.class.getName().replace('.', '/') + ".class";
        Manifest manifest = new Manifest(new ByteArrayInputStream(MANIFEST.getBytes(StandardCharsets.UTF_8)));
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                InputStream in = SlowSource.class.getClassLoader().getResourceAsStream(self)) {
            out.putNextEntry(new JarEntry(self));
            out.write(in.readAllBytes());
            out.putNextEntry(new JarEntry("OSGI-INF/slow.xml"));
            out.write(COMPONENT.getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }
}
