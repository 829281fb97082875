package dev.turntable.transport;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A server that runs out of descriptors, in a process of its own: prints the percentage of a processor that its door takes then. */
final class FewDescriptors {
    private FewDescriptors() {}

    public static void main(String[] arguments) throws Exception {
        InetSocketAddress server = Rig.at(Rig.IPV4, Rig.PORT);
        try (Rig rig = new Rig(arguments[0], 1)) {
            rig.streamListener("tcp", Rig.PORT, StreamLimits.DEFAULTS, Rig.IPV4);
            StreamClient first = new StreamClient(server);
            first.allocate(9);
            // While there are descriptors left to load what it needs.
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long door = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("turntable-door-0"))
                    .findFirst()
                    .orElseThrow()
                    .getId();
            threads.getThreadCpuTime(door);
            List<StreamClient> clients = new ArrayList<>();
            try {
                while (clients.size() < 5_000) {
                    clients.add(new StreamClient(server));
                }
                throw new AssertionError("there are too many descriptors");
            } catch (IOException e) {
                // There are none left, while connections wait to be accepted.
            }
            Thread.sleep(1_500);
            long before = threads.getThreadCpuTime(door);
            Thread.sleep(2_000);
            long percent = (threads.getThreadCpuTime(door) - before) / 20_000_000;
            for (StreamClient client : clients) {
                client.close();
            }
            // Those that exist have gone on, and others come in again.
            first.send(StreamClient.channelData(new byte[10]));
            try (StreamClient next = new StreamClient(server)) {
                next.socket.setSoTimeout(20_000);
                next.allocate(9);
            }
            first.allocate(9);
            first.close();
            print("door: " + percent + " %");
        }
    }

    @SuppressWarnings("SystemOut")
    private static void print(String line) {
        System.out.println(line);
    }
}
