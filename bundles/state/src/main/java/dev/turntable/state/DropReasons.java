package dev.turntable.state;

import java.util.Arrays;
import java.util.regex.Pattern;

/** Names of silent discards. An engine registers its own; the same name gives the same number for ever. Any thread. */
public final class DropReasons {
    static final int MOST = 256;

    /** What the names are counted as for which there is no room. */
    private static final String OTHER = "other";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    private volatile String[] names = {OTHER};

    DropReasons() {}

    /**
     * At most 256 names of lower-case words and dashes; those beyond are all number 0, {@code other}.
     *
     * @throws IllegalArgumentException where it is no such name
     */
    public synchronized int register(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not lower-case words and dashes: " + name);
        }
        int known = Arrays.asList(names).indexOf(name);
        if (known >= 0) {
            return known;
        }
        if (names.length == MOST) {
            return 0;
        }
        String[] more = Arrays.copyOf(names, names.length + 1);
        more[names.length] = name;
        names = more;
        return more.length - 1;
    }

    /** The name of a number below {@link #size()}. */
    public String name(int reason) {
        return names[reason];
    }

    /** Numbers given so far; number 0 is {@code other}. */
    public int size() {
        return names.length;
    }
}
