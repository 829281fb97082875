package dev.turntable.relay;

import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.MessageClass;
import dev.turntable.codec.StunWriter;
import dev.turntable.state.Allocation;
import dev.turntable.state.PeerConnection;

/** What a request is answered with: the attributes between the header and the integrity. */
sealed interface Reply {
    /** Success without attributes of its own. */
    Reply DONE = new Done();

    /** See {@link Later}. */
    Reply LATER = new Later();

    /** An error response (RFC 8489 §6.3.1.1). */
    static Reply error(int code) {
        return new Error(code);
    }

    default int messageClass() {
        return MessageClass.SUCCESS;
    }

    void write(StunWriter writer);

    /** An error with its reason phrase. */
    record Error(int code) implements Reply {
        @Override
        public int messageClass() {
            return MessageClass.ERROR;
        }

        @Override
        public void write(StunWriter writer) {
            writer.errorCode(code);
        }
    }

    /**
     * 401 or 438 (RFC 8489 §9.2.4). Without a reason phrase: anybody can make a server send this to anybody.
     *
     * @param passwordAlgorithms as offered, or null
     */
    record Challenge(int code, String realm, byte[] nonce, byte[] passwordAlgorithms) implements Reply {
        @Override
        public int messageClass() {
            return MessageClass.ERROR;
        }

        @Override
        public void write(StunWriter writer) {
            writer.errorCode(code, "").string(AttributeType.REALM, realm).bytes(AttributeType.NONCE, nonce);
            if (passwordAlgorithms != null) {
                writer.bytes(AttributeType.PASSWORD_ALGORITHMS, passwordAlgorithms);
            }
        }
    }

    /** 420 (RFC 8489 §6.3.1): the first {@code count} types. */
    record UnknownAttributes(int[] types, int count) implements Reply {
        @Override
        public int messageClass() {
            return MessageClass.ERROR;
        }

        @Override
        public void write(StunWriter writer) {
            writer.errorCode(ErrorCode.UNKNOWN_ATTRIBUTE).unknownAttributes(types, count);
        }
    }

    /** See {@link #DONE}. */
    record Done() implements Reply {
        @Override
        public void write(StunWriter writer) {}
    }

    /** A Binding response (RFC 8489 §3): the reflexive transport address. */
    record Reflexive(long hi, long lo, int port) implements Reply {
        @Override
        public void write(StunWriter writer) {
            writer.xorAddress(AttributeType.XOR_MAPPED_ADDRESS, hi, lo, port);
        }
    }

    /**
     * A Refresh response (RFC 8656 §8.2).
     *
     * @param endsIPv4 whether the relayed address of that family ends once this is sent
     * @param endsIPv6 the same
     */
    record Refreshed(long lifetimeSeconds, boolean endsIPv4, boolean endsIPv6) implements Reply {
        @Override
        public void write(StunWriter writer) {
            writer.uint32(AttributeType.LIFETIME, lifetimeSeconds);
        }
    }

    /** None yet: what the answer depends on is under way. */
    record Later() implements Reply {
        @Override
        public void write(StunWriter writer) {
            throw new IllegalStateException("it comes later");
        }
    }

    /** A Connect success response (RFC 6062 §5.2). */
    record Connected(int connectionId) implements Reply {
        @Override
        public void write(StunWriter writer) {
            writer.uint32(AttributeType.CONNECTION_ID, connectionId & 0xFFFF_FFFFL);
        }
    }

    /**
     * A ConnectionBind success response (RFC 6062 §5.4).
     *
     * @param connection to be joined with the client's once this is sent
     */
    record Bound(PeerConnection connection) implements Reply {
        @Override
        public void write(StunWriter writer) {}
    }

    /** The success response of an Allocate that came again, byte for byte (RFC 8656 §5). */
    record Repeated(byte[] response) implements Reply {
        @Override
        public void write(StunWriter writer) {
            throw new IllegalStateException("it is written already");
        }
    }

    /** A relayed transport address as the client is told. */
    record RelayedAddress(long hi, long lo, int port) {}

    /**
     * An Allocate success response (RFC 8656 §7.2).
     *
     * @param first the only one, or the IPv4 one of two
     * @param second of a dual allocation, or null
     * @param token of the reserved port, or null
     * @param missingFamily of ADDRESS-ERROR-CODE, 1 or 2; 0 where nothing is missing
     * @param missingCode 440 or 508
     */
    record Allocated(
            Allocation allocation,
            RelayedAddress first,
            RelayedAddress second,
            long lifetimeSeconds,
            Long token,
            int missingFamily,
            int missingCode)
            implements Reply {
        @Override
        public void write(StunWriter writer) {
            writer.xorAddress(AttributeType.XOR_RELAYED_ADDRESS, first.hi(), first.lo(), first.port());
            if (second != null) {
                writer.xorAddress(AttributeType.XOR_RELAYED_ADDRESS, second.hi(), second.lo(), second.port());
            }
            writer.uint32(AttributeType.LIFETIME, lifetimeSeconds);
            if (token != null) {
                writer.int64(AttributeType.RESERVATION_TOKEN, token);
            }
            writer.xorAddress(
                    AttributeType.XOR_MAPPED_ADDRESS,
                    allocation.path().clientHi(),
                    allocation.path().clientLo(),
                    allocation.path().clientPort());
            if (missingFamily != 0) {
                writer.addressErrorCode(missingFamily, missingCode);
            }
        }
    }
}
