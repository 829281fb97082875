package dev.turntable.api;

import java.util.OptionalInt;

/**
 * Names an allocation for people and scripts: the worker that owns it and a number that this worker never gives twice.
 * Text form: {@code 0-1f} (worker, dash, number in hexadecimal).
 *
 * @param worker index of the owning worker, 0 to 255
 * @param number serial number on that worker, 0 to 2^56 - 1
 */
public record AllocationId(int worker, long number) implements Comparable<AllocationId> {
    public AllocationId {
        if (worker < 0 || worker > 255 || number < 0 || number >= 1L << 56) {
            throw new IllegalArgumentException("no allocation id: worker " + worker + ", number " + number);
        }
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException where the text is not of that form
     */
    public static AllocationId parse(String text) {
        int dash = text.indexOf('-');
        try {
            OptionalInt worker = dash < 1 ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text, 0, dash, 10));
            return new AllocationId(worker.orElse(-1), Long.parseLong(text.substring(dash + 1), 16));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("no allocation id: " + text, e);
        }
    }

    @Override
    public int compareTo(AllocationId other) {
        int byWorker = Integer.compare(worker, other.worker);
        return byWorker != 0 ? byWorker : Long.compare(number, other.number);
    }

    @Override
    public String toString() {
        return worker + "-" + Long.toHexString(number);
    }
}
