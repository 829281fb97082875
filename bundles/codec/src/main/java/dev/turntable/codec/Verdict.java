package dev.turntable.codec;

/** What {@link StunMessage#decode} found (RFC 8489 §5, §6.3, §14). */
public enum Verdict {
    /** A well-formed message. */
    OK(true),
    /** Fewer bytes than the 20 of a header. */
    TOO_SHORT(false),
    /** The two most significant bits of the first byte are not zero. */
    NOT_STUN(false),
    /** No magic cookie: not STUN, or a message of RFC 3489, which is not supported. */
    BAD_COOKIE(false),
    /** The length in the header is not a multiple of four, or not that of the bytes given. */
    BAD_LENGTH(false),
    /** An attribute runs past the end of the message. */
    TRUNCATED_ATTRIBUTE(true),
    /** More attributes than this decoder keeps. */
    TOO_MANY_ATTRIBUTES(true);

    private final boolean answerable;

    Verdict(boolean answerable) {
        this.answerable = answerable;
    }

    /**
     * Whether the header passed the checks of RFC 8489 §6.3, so that type and transaction ID of the message can be used
     * to answer a request with 400. Where it did not, the section has the message silently discarded.
     */
    public boolean isAnswerable() {
        return answerable;
    }
}
