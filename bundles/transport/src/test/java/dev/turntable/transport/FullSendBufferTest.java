package dev.turntable.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Datagrams to a neighbour that does not answer to ARP wait in the kernel and fill the socket's send buffer: the only way to fill one
 * without a slow network. It runs in a process and a network of its own, and is skipped where none can be made.
 */
class FullSendBufferTest {
    private static final String NETWORK = "ip link set lo up && ip link add near type veth peer name far"
            + " && ip addr add 10.9.9.1/24 dev near && ip link set near up && ip link set far up";

    /** Fails when {@link UdpSocket} leaves no mark in the queue (the loop spins), and when it leaves what was not taken. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void dropsAndCountsWhatTheKernelDoesNotTakeAndGoesOnWhenItDoes(String io) throws Exception {
        assumeTrue(run(List.of("unshare", "-rn", "sh", "-c", NETWORK)) == 0, "no network of its own can be made here");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String command = NETWORK + " && exec " + java + " -cp '" + System.getProperty("java.class.path") + "' "
                + FullSendBufferTest.class.getName() + " " + io;
        assertEquals(0, run(List.of("unshare", "-rn", "sh", "-c", command)), "see the output of the process");
    }

    private static int run(List<String> command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command).inheritIO().start();
            if (process.waitFor(60, TimeUnit.SECONDS)) {
                return process.exitValue();
            }
            process.destroyForcibly();
            return -1;
        } catch (IOException e) {
            return -1;
        }
    }

    /** In the network of its own. */
    public static void main(String... arguments) throws Exception {
        Leaks.detect();
        try (Rig rig = new Rig(arguments[0], 1);
                TestClient peer = new TestClient(InetAddress.getByName("10.9.9.1"))) {
            NettyLoop loop = rig.loops.all().get(0);
            long unanswered = 0xffff_0a09_0902L;
            long here = 0xffff_0a09_0901L;
            ReceivedPacket packet = new ReceivedPacket();
            ByteBuf memory = loop.call(() -> loop.allocator().directBuffer(1000).writeZero(1000));
            packet.set(memory, memory.nioBuffer(0, 1000), 0, 1000, false);
            PeerSocket socket = loop.call(() -> {
                PeerSocket made = new PeerSocket(loop, Rig.at(InetAddress.getByName("10.9.9.1"), 25_150), null);
                made.open(new UdpSocket.Options(false, 0, 4_608), false);
                return made;
            });
            int accepted = loop.call(() -> {
                int sent = 0;
                for (int i = 0; i < 400; i++) {
                    sent += socket.send(0, unanswered, 9, packet, 0, 1000) ? 1 : 0;
                }
                return sent;
            });
            long dropped = rig.drops("send-buffer-full");
            check(accepted < 400 && dropped > 300, accepted + " accepted, " + dropped + " dropped");

            long before = processor(loop);
            Thread.sleep(500);
            long spun = processor(loop) - before;
            check(spun < TimeUnit.MILLISECONDS.toNanos(100), spun + " ns of processor time while it waits");

            // The kernel gives up on the neighbour after three seconds.
            boolean again = false;
            for (int i = 0; i < 100 && !again; i++) {
                Thread.sleep(100);
                again = loop.call(() -> socket.send(0, here, peer.port(), packet, 0, 1000));
            }
            check(again, "it goes on");
            check(peer.receive().length == 1000, "whole");
            loop.call(() -> {
                socket.close();
                memory.release();
                return null;
            });
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(1);
        }
        System.exit(0);
    }

    private static long processor(NettyLoop loop) throws IOException {
        long id = loop.call(() -> Thread.currentThread().getId());
        return ManagementFactory.getThreadMXBean().getThreadCpuTime(id);
    }

    private static void check(boolean right, String what) {
        System.out.println(what);
        if (!right) {
            throw new AssertionError(what);
        }
    }
}
