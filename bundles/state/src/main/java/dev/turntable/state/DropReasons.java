package dev.turntable.state;

/** Names of silent discards. An engine registers its own; the same name gives the same number for ever. Any thread. */
public final class DropReasons {
    /** At most 256 names of lower-case words and dashes. */
    public int register(String name) {
        throw new UnsupportedOperationException();
    }

    public String name(int reason) {
        throw new UnsupportedOperationException();
    }

    public int size() {
        throw new UnsupportedOperationException();
    }
}
