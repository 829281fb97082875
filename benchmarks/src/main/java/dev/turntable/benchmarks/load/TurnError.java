package dev.turntable.benchmarks.load;

import java.io.IOException;

/** The server answered with an error that the test client does not mend by itself. */
public final class TurnError extends IOException {
    private static final long serialVersionUID = 1;

    private final int code;

    TurnError(String what, int code) {
        super(what + " was answered " + code);
        this.code = code;
    }

    /** Number of ERROR-CODE, 300 to 699. */
    public int code() {
        return code;
    }
}
