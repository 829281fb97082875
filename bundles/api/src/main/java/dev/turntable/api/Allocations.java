package dev.turntable.api;

import java.util.List;
import java.util.Optional;

/** The live allocations, for management. Any thread; a call waits at most two seconds for the workers. */
public interface Allocations {
    /** All allocations, sorted by id, without permissions and channel bindings. */
    List<AllocationInfo> list();

    /** One allocation, with its permissions and channel bindings. */
    Optional<AllocationInfo> find(AllocationId id);

    /** Ends an allocation at once, as a Refresh with lifetime 0 would. False where there is none. */
    boolean delete(AllocationId id);

    /** How many there are now. Costs nothing. */
    int count();
}
