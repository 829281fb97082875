package dev.turntable.selftest;

/** Why a self-test did not go on; the message is for the operator. */
final class CallFailed extends Exception {
    private static final long serialVersionUID = 1L;

    CallFailed(String problem) {
        super(problem);
    }
}
