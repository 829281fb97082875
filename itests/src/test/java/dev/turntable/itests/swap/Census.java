package dev.turntable.itests.swap;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;

/**
 * What there is in a server after full collections.
 *
 * @param engineClasses class loaders that have loaded the engine: one for each bundle that is still reachable
 * @param codecClasses the same of the codec
 * @param bundleLoaders class loaders of all bundles
 * @param engines engine components in the heap histogram
 * @param workerThreads threads whose name begins with {@code turntable}
 * @param threads the others, without those of the shell (one for each command, a minute long) and of remote management
 */
record Census(
        long engineClasses,
        long codecClasses,
        long bundleLoaders,
        long engines,
        long workerThreads,
        long threads,
        long descriptors,
        long mbeans,
        long metaspaceBytes) {
    private static final String ENGINE = "dev.turntable.relay.RelayEngineComponent";
    private static final String CODEC = "dev.turntable.codec.StunMessage";

    static Census of(LiveServer server) throws IOException, InterruptedException {
        // Twice: what a finalizer or a reference queue lets go of goes with the second.
        server.jcmd("GC.run");
        Thread.sleep(500);
        server.jcmd("GC.run");
        String histogram = server.jcmd("GC.class_histogram");
        String loaders = server.jcmd("VM.classloaders", "show-classes=true", "verbose=true");
        try (JMXConnector connector = server.karaf().jmx()) {
            MBeanServerConnection mbeans = connector.getMBeanServerConnection();
            ThreadMXBean threads = ManagementFactory.getPlatformMXBean(mbeans, ThreadMXBean.class);
            long metaspace = ManagementFactory.getPlatformMXBeans(mbeans, MemoryPoolMXBean.class).stream()
                    .filter(pool -> pool.getName().equals("Metaspace"))
                    .mapToLong(pool -> pool.getUsage().getUsed())
                    .sum();
            List<String> names = Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                    .filter(Objects::nonNull)
                    .map(ThreadInfo::getThreadName)
                    .filter(name -> !name.startsWith("session-") && !name.startsWith("RMI "))
                    .toList();
            long ours =
                    names.stream().filter(name -> name.startsWith("turntable")).count();
            return new Census(
                    classes(loaders, ENGINE),
                    classes(loaders, CODEC),
                    instances(histogram, "org.apache.felix.framework.BundleWiringImpl$BundleClassLoader"),
                    instances(histogram, ENGINE),
                    ours,
                    names.size() - ours,
                    server.descriptors(),
                    mbeans.getMBeanCount(),
                    metaspace);
        }
    }

    private static long classes(String loaders, String name) {
        return loaders.lines()
                .filter(line -> line.endsWith(" " + name) || line.endsWith("|" + name))
                .count();
    }

    private static long instances(String histogram, String name) {
        return histogram
                .lines()
                .map(line -> line.trim().split("\\s+"))
                .filter(columns -> columns.length >= 4 && columns[3].equals(name))
                .mapToLong(columns -> Long.parseLong(columns[1]))
                .sum();
    }
}
