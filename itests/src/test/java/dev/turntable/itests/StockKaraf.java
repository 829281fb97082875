package dev.turntable.itests;

import static org.ops4j.pax.exam.CoreOptions.systemProperty;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.configureConsole;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.editConfigurationFilePut;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.karafDistributionConfiguration;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.logLevel;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.karaf.options.LogLevelOption.LogLevel;
import org.ops4j.pax.exam.options.extra.VMOption;

/** Options of a Pax Exam container: the distribution as Apache ships it, and what was built here in a repository. */
final class StockKaraf {
    private StockKaraf() {}

    static Option[] options() throws IOException {
        File build = new File(System.getProperty("build.directory"));
        String karaf = System.getProperty("karaf.version");
        String mvn = "etc/org.ops4j.pax.url.mvn.cfg";
        String management = "etc/org.apache.karaf.management.cfg";
        List<Option> options = new ArrayList<>(List.of(
                karafDistributionConfiguration()
                        .frameworkUrl(new File(build, "containers/apache-karaf.tar.gz")
                                .toURI()
                                .toString())
                        .karafVersion(karaf)
                        .name("Apache Karaf")
                        .unpackDirectory(new File(build, "exam"))
                        .useDeployFolder(false),
                configureConsole().ignoreLocalConsole(),
                logLevel(LogLevel.INFO),
                // defaultRepositories, because the others keep a copy of a snapshot that is stale at the next build.
                editConfigurationFilePut(
                        mvn,
                        "org.ops4j.pax.url.mvn.defaultRepositories",
                        "${karaf.home.uri}system@id=system.repository@snapshots, "
                                + new File(build, "features-repo").toURI() + "@id=reactor@snapshots"),
                editConfigurationFilePut(mvn, "org.ops4j.pax.url.mvn.repositories", ""),
                editConfigurationFilePut(
                        mvn,
                        "org.ops4j.pax.url.mvn.localRepository",
                        new File(build, "exam-repository").getAbsolutePath()),
                editConfigurationFilePut("etc/org.apache.karaf.shell.cfg", "sshHost", "127.0.0.1"),
                editConfigurationFilePut("etc/org.apache.karaf.shell.cfg", "sshPort", freePort()),
                editConfigurationFilePut(management, "rmiRegistryPort", freePort()),
                editConfigurationFilePut(management, "rmiServerPort", freePort()),
                systemProperty("turntable.version").value(System.getProperty("turntable.version")),
                systemProperty("build.directory").value(build.getAbsolutePath())));
        // As bin/karaf starts a JVM from 9 on.
        for (String option : List.of(
                "--add-reads=java.xml=java.logging",
                "--add-exports=java.base/org.apache.karaf.specs.locator=java.xml,ALL-UNNAMED",
                "--patch-module=java.base=lib/endorsed/org.apache.karaf.specs.locator-" + karaf + ".jar",
                "--patch-module=java.xml=lib/endorsed/org.apache.karaf.specs.java.xml-" + karaf + ".jar",
                "--add-opens=java.base/java.security=ALL-UNNAMED",
                "--add-opens=java.base/java.net=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.naming/javax.naming.spi=ALL-UNNAMED",
                "--add-opens=java.rmi/sun.rmi.transport.tcp=ALL-UNNAMED",
                "--add-exports=java.base/sun.net.www.protocol.file=ALL-UNNAMED",
                "--add-exports=java.base/sun.net.www.protocol.http=ALL-UNNAMED",
                "--add-exports=java.base/sun.net.www.protocol.https=ALL-UNNAMED",
                "--add-exports=java.base/sun.net.www.protocol.jar=ALL-UNNAMED",
                "--add-exports=jdk.naming.rmi/com.sun.jndi.url.rmi=ALL-UNNAMED",
                "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
                "-classpath",
                "lib/jdk9plus/*" + File.pathSeparator + "lib/boot/*")) {
            options.add(new VMOption(option));
        }
        return options.toArray(Option[]::new);
    }

    private static String freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return String.valueOf(socket.getLocalPort());
        }
    }
}
