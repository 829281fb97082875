package dev.turntable.itests.swap;

/** The component of a relay that does not come to life. Runs in the container, in the bundle of a broken version. */
public final class FailingEngine {
    static final String WHY = "the stylus is broken";

    public FailingEngine() {
        throw new IllegalStateException(WHY);
    }
}
