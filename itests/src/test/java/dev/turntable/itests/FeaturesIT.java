package dev.turntable.itests;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.inject.Inject;
import org.apache.karaf.features.Feature;
import org.apache.karaf.features.FeaturesService;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.junit.PaxExam;
import org.ops4j.pax.exam.spi.reactors.ExamReactorStrategy;
import org.ops4j.pax.exam.spi.reactors.PerClass;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;

/** The features in a stock Karaf. */
@RunWith(PaxExam.class)
@ExamReactorStrategy(PerClass.class)
public class FeaturesIT {
    private static final String VERSION = System.getProperty("turntable.version");
    private static final URI FEATURES = URI.create("mvn:dev.turntable/turntable-features/" + VERSION + "/xml/features");
    private static final Path ETC = Path.of(System.getProperty("karaf.etc", "etc"));
    private static final Path LISTENER = ETC.resolve("dev.turntable.listener-udp.cfg");
    private static final Path TCP_LISTENER = ETC.resolve("dev.turntable.listener-tcp.cfg");

    private static final List<String> PARTS = List.of(
            "turntable-api",
            "turntable-scr",
            "turntable-state",
            "turntable-transport",
            "turntable-listener-udp",
            "turntable-listener-tcp",
            "turntable-listener-tls",
            "turntable-relay",
            "turntable-auth",
            "turntable-selftest",
            "turntable-shell");

    @Inject
    private FeaturesService features;

    @Inject
    private BundleContext context;

    @Configuration
    public Option[] configuration() throws IOException {
        return StockKaraf.options();
    }

    @Before
    public void addRepository() throws Exception {
        if (!features.isRepositoryUriBlacklisted(FEATURES)) {
            features.addRepository(FEATURES);
        }
    }

    @After
    public void removeFeatures() throws Exception {
        for (Feature feature : features.listRequiredFeatures()) {
            if (feature.getName().startsWith("turntable")) {
                features.uninstallFeature(feature.getName(), feature.getVersion());
            }
        }
    }

    @Test
    public void allBundlesOfFeatureTurntableAreActive() throws Exception {
        features.installFeature("turntable");
        assertEquals(KarIT.BUNDLES, active());
        assertTrue(Files.exists(LISTENER));
        assertTrue(Files.exists(TCP_LISTENER));
    }

    @Test
    public void eachFeatureStartsAlone() throws Exception {
        for (String part : PARTS) {
            features.installFeature(part);
            assertTrue(part, features.isInstalled(features.getFeature(part)));
            String bundle = part.replace("turntable-", "dev.turntable.");
            if (KarIT.BUNDLES.contains(bundle)) {
                assertTrue(part + ": " + active(), active().contains(bundle));
            }
            removeFeatures();
            assertEquals(Set.of(), active());
        }
    }

    /** Seen to fail: when the version of {@code turntable-listener-udp} follows the release, the file is written again. */
    @Test
    public void aListenerFileThatTheOperatorDeletedDoesNotComeBackWithAnUpgrade() throws Exception {
        features.installFeature("turntable");
        Files.delete(LISTENER);
        Files.delete(TCP_LISTENER);
        String next = Files.readString(feature())
                .replace("<features name=\"turntable-", "<features name=\"turntable-next-")
                .replace("name=\"turntable\" version=\"" + VERSION + "\"", "name=\"turntable\" version=\"1.0.1\"");
        Path file = Files.createTempFile("features", ".xml");
        Files.writeString(file, next);
        features.addRepository(file.toUri());
        features.installFeature("turntable", "1.0.1", EnumSet.of(FeaturesService.Option.Upgrade));
        assertTrue(features.isInstalled(features.getFeature("turntable", "1.0.1")));
        assertEquals(KarIT.BUNDLES, active());
        assertFalse(Files.exists(LISTENER));
        assertFalse(Files.exists(TCP_LISTENER));
    }

    private static Path feature() {
        return Path.of(
                System.getProperty("build.directory"),
                "features-repo/dev/turntable/turntable-features",
                VERSION,
                "turntable-features-" + VERSION + "-features.xml");
    }

    /** Names of our active bundles; fails on one that is installed and not active. */
    private Set<String> active() {
        Set<String> names = new TreeSet<>();
        for (Bundle bundle : context.getBundles()) {
            String name = bundle.getSymbolicName();
            if (name != null && name.startsWith("dev.turntable.")) {
                assertEquals(name, Bundle.ACTIVE, bundle.getState());
                names.add(name);
            }
        }
        return names;
    }
}
