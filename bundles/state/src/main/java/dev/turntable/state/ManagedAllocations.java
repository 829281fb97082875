package dev.turntable.state;

import dev.turntable.api.AllocationId;
import dev.turntable.api.AllocationInfo;
import dev.turntable.api.Allocations;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** The live allocations, for management. Each worker looks into its own tables, on its own loop. */
@Component
public final class ManagedAllocations implements Allocations {
    private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(2);
    /** Allocations that a listing describes before packets have their turn. */
    private static final int SLICE = 256;

    private final ServerState server;

    @Activate
    public ManagedAllocations(@Reference ServerState server) {
        this.server = server;
    }

    @Override
    public List<AllocationInfo> list() {
        List<CompletableFuture<List<AllocationInfo>>> asked = new ArrayList<>();
        for (int i = 0; i < server.workerCount(); i++) {
            Worker worker = server.worker(i);
            CompletableFuture<List<AllocationInfo>> listing = new CompletableFuture<>();
            runOn(worker, () -> describe(worker, worker.allocations().toArray(), 0, new ArrayList<>(), listing));
            if (worker.loop() != null) {
                asked.add(listing);
            }
        }
        List<AllocationInfo> all = new ArrayList<>();
        long untilNanos = System.nanoTime() + WAIT_NANOS;
        for (CompletableFuture<List<AllocationInfo>> listing : asked) {
            List<AllocationInfo> ofWorker = await(listing, untilNanos);
            if (ofWorker != null) {
                all.addAll(ofWorker);
            }
        }
        all.sort(Comparator.comparing(AllocationInfo::id));
        return List.copyOf(all);
    }

    private static void describe(
            Worker worker,
            Allocation[] allocations,
            int first,
            List<AllocationInfo> described,
            CompletableFuture<List<AllocationInfo>> listing) {
        int end = Math.min(allocations.length, first + SLICE);
        for (int i = first; i < end; i++) {
            if (!allocations[i].isEnded()) {
                described.add(AllocationDescription.of(allocations[i], false));
            }
        }
        if (end == allocations.length) {
            listing.complete(described);
        } else {
            runOn(worker, () -> describe(worker, allocations, end, described, listing));
        }
    }

    @Override
    public Optional<AllocationInfo> find(AllocationId id) {
        return onAllocation(id, allocation -> AllocationDescription.of(allocation, true));
    }

    @Override
    public boolean delete(AllocationId id) {
        return onAllocation(id, allocation -> {
                    allocation.worker().delete(allocation, ReapReason.MANAGEMENT);
                    return true;
                })
                .orElse(false);
    }

    @Override
    public int count() {
        int count = 0;
        for (int i = 0; i < server.workerCount(); i++) {
            count += server.worker(i).allocations().size();
        }
        return count;
    }

    private <T> Optional<T> onAllocation(AllocationId id, Function<Allocation, T> task) {
        if (id.worker() >= server.workerCount() || server.worker(id.worker()).loop() == null) {
            return Optional.empty();
        }
        Worker worker = server.worker(id.worker());
        CompletableFuture<T> result = new CompletableFuture<>();
        runOn(worker, () -> {
            Allocation allocation = worker.allocations().byNumber(id.number());
            result.complete(allocation == null ? null : task.apply(allocation));
        });
        return Optional.ofNullable(await(result, System.nanoTime() + WAIT_NANOS));
    }

    private static void runOn(Worker worker, Runnable task) {
        WorkerLoop loop = worker.loop();
        if (loop == null) {
            return;
        }
        if (loop.inLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    /** Null where it takes too long. */
    private static <T> T await(CompletableFuture<T> result, long untilNanos) {
        try {
            return result.get(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
