package dev.turntable.relay;

import dev.turntable.api.auth.CredentialAnswer;
import dev.turntable.api.auth.CredentialQuery;
import dev.turntable.codec.AttributeType;
import dev.turntable.codec.ErrorCode;
import dev.turntable.codec.Integrity;
import dev.turntable.codec.LongTermKey;
import dev.turntable.codec.Method;
import dev.turntable.codec.NonceCookie;
import dev.turntable.codec.PasswordAlgorithms;
import dev.turntable.codec.StunMessage;
import dev.turntable.codec.Userhash;
import dev.turntable.state.Allocation;
import dev.turntable.state.ClientPath;
import dev.turntable.state.CredentialSources;
import dev.turntable.state.Packet;
import java.security.MessageDigest;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The long-term credential mechanism (RFC 8489 §9.2.4), which RFC 5389 clients see as their own. One step comes earlier than in the
 * section: the nonce is judged before anything is asked or kept, so that who has not echoed a nonce costs one hash and nothing else.
 */
final class Authentication {
    private static final Logger LOG = LoggerFactory.getLogger(Authentication.class);

    /** RFC 8489 §14.3: USERNAME has fewer than 509 bytes. */
    private static final int MAX_USERNAME_BYTES = 508;

    /** The list that is offered, the preferred one first. */
    private static final byte[] OFFERED = PasswordAlgorithms.value(PasswordAlgorithms.SHA256, PasswordAlgorithms.MD5);

    /** What came of it. */
    sealed interface Outcome {}

    /**
     * The request is who it says it is from.
     *
     * @param sha256 whether answers carry MESSAGE-INTEGRITY-SHA256
     */
    record Passed(String username, String realm, byte[] key, int algorithm, long expiresAtEpochSecond, boolean sha256)
            implements Outcome {}

    /** To be answered with an error. */
    record Refused(Reply reply) implements Outcome {}

    /** A source has been asked and will answer later; nothing to do now. */
    record Waiting() implements Outcome {}

    /** What a request says about how it is to be checked. */
    private record Claim(int integrityIndex, int algorithm, boolean sha256) {}

    private static final Outcome WAITING = new Waiting();
    private static final Outcome BAD_REQUEST = new Refused(Reply.error(ErrorCode.BAD_REQUEST));
    private static final Outcome SERVER_ERROR = new Refused(Reply.error(ErrorCode.SERVER_ERROR));

    private final Nonces nonces;
    private final CredentialSources sources;
    private final Clock wallClock;

    Authentication(Nonces nonces, CredentialSources sources, Clock wallClock) {
        this.nonces = nonces;
        this.sources = sources;
        this.wallClock = wallClock;
    }

    /**
     * Judges the request on the desk.
     *
     * @param allocation the live one on the five-tuple, or that of the connection that is to be bound; or null
     * @param answer of a source that was asked for this request before; null the first time
     */
    Outcome check(
            Desk desk,
            ClientPath path,
            Allocation allocation,
            Packet packet,
            RelayConfiguration configuration,
            CredentialAnswer answer) {
        StunMessage message = desk.message;
        if (allocation == null && sources.isEmpty()) {
            return SERVER_ERROR;
        }
        // Step 1: no integrity. One of a wrong length is as good as none.
        int integrity = integrityIndex(message);
        if (integrity < 0) {
            return challenge(desk, path, configuration, ErrorCode.UNAUTHENTICATED);
        }
        // Step 2: what the integrity cannot be checked without.
        int username = message.indexOf(AttributeType.USERNAME);
        int userhash = message.indexOf(AttributeType.USERHASH);
        int realm = message.indexOf(AttributeType.REALM);
        int nonce = message.indexOf(AttributeType.NONCE);
        if ((username < 0 && userhash < 0) || realm < 0 || nonce < 0) {
            return BAD_REQUEST;
        }
        // Step 6, early: a nonce that is bad, old, or another client's.
        int features = nonces.verify(desk, path, message, nonce, configuration.nonceLifetimeSeconds());
        if (features < 0 && allocation != null && message.method() == Method.CONNECTION_BIND) {
            // Clients bind with what they have learnt on the allocation's connection (RFC 6062 §4.3).
            features = nonces.verify(desk, allocation.path(), message, nonce, configuration.nonceLifetimeSeconds());
        }
        if (features < 0) {
            return challenge(desk, path, configuration, ErrorCode.STALE_NONCE);
        }
        // Step 3: the algorithms, which nobody on the way may have weakened.
        Claim claim = claim(message, integrity, features);
        if (claim == null) {
            return BAD_REQUEST;
        }
        // A realm that is not this server's: the client has to make its key anew.
        if (!textEquals(message, realm, configuration.realm())) {
            return challenge(desk, path, configuration, ErrorCode.UNAUTHENTICATED);
        }
        if (allocation != null
                && allocation.passwordAlgorithm() == claim.algorithm()
                && isOwner(message, username, userhash, allocation)) {
            return checkOwner(desk, path, allocation, configuration, claim);
        }
        return checkByEach(desk, path, packet, configuration, claim, username, userhash, answer);
    }

    /** A challenge with a new nonce: 401 or 438. */
    Outcome challenge(Desk desk, ClientPath path, RelayConfiguration configuration, int code) {
        boolean sha256 = sources.supportSha256();
        int features = (sha256 ? NonceCookie.PASSWORD_ALGORITHMS : 0)
                | (sources.supportUserhash() ? NonceCookie.USERNAME_ANONYMITY : 0);
        return new Refused(new Reply.Challenge(
                code, configuration.realm(), nonces.make(desk, path, features), sha256 ? OFFERED : null));
    }

    /** Steps 4 and 5 for the maker of the allocation: by its own key, whatever the sources say today. */
    private Outcome checkOwner(
            Desk desk, ClientPath path, Allocation allocation, RelayConfiguration configuration, Claim claim) {
        long expires = allocation.credentialExpiresAtEpochSecond();
        boolean expired = configuration.strictCredentialExpiry() && isExpired(expires);
        if (expired || !desk.integrity.verify(desk.message, claim.integrityIndex(), allocation.key())) {
            return challenge(desk, path, configuration, ErrorCode.UNAUTHENTICATED);
        }
        return new Passed(
                allocation.username(),
                allocation.realm(),
                allocation.key(),
                claim.algorithm(),
                expires,
                claim.sha256());
    }

    /** Steps 4 and 5 for anybody else: by what the sources know. */
    private Outcome checkByEach(
            Desk desk,
            ClientPath path,
            Packet packet,
            RelayConfiguration configuration,
            Claim claim,
            int username,
            int userhash,
            CredentialAnswer answer) {
        CredentialQuery query = query(desk.message, username, userhash, configuration.realm());
        CredentialAnswer found = answer;
        if (query != null && found == null) {
            found = desk.worker.waitingRequests().find(query, path, packet);
            if (found == null) {
                return WAITING;
            }
        }
        if (found instanceof CredentialAnswer.Unavailable unavailable) {
            LOG.debug("credential source unavailable: {}", unavailable.reason());
            return SERVER_ERROR;
        }
        Passed passed = query == null ? null : passed(desk, query, found, claim, configuration.realm());
        return passed != null ? passed : challenge(desk, path, configuration, ErrorCode.UNAUTHENTICATED);
    }

    private CredentialQuery query(StunMessage message, int username, int userhash, String realm) {
        if (username >= 0) {
            String name = message.valueLength(username) > MAX_USERNAME_BYTES ? null : message.string(username);
            return name == null || name.isEmpty() ? null : new CredentialQuery.ByName(name, realm);
        }
        boolean possible = message.valueLength(userhash) == Userhash.LENGTH && sources.supportUserhash();
        return possible ? new CredentialQuery.ByUserhash(message.value(userhash), realm) : null;
    }

    private Passed passed(Desk desk, CredentialQuery query, CredentialAnswer answer, Claim claim, String realm) {
        String asked = query instanceof CredentialQuery.ByName byName ? byName.username() : null;
        if (answer instanceof CredentialAnswer.Password found && !isExpired(found.expiresAtEpochSecond())) {
            String name = asked == null ? found.username() : asked;
            byte[] key = LongTermKey.of(claim.algorithm(), name, realm, found.password());
            return passedWith(desk, name, realm, key, found.expiresAtEpochSecond(), claim);
        }
        if (answer instanceof CredentialAnswer.Passwords found && !isExpired(found.expiresAtEpochSecond())) {
            String name = asked == null ? found.username() : asked;
            for (String password : found.passwords()) {
                byte[] key = LongTermKey.of(claim.algorithm(), name, realm, password);
                Passed passed = passedWith(desk, name, realm, key, found.expiresAtEpochSecond(), claim);
                if (passed != null) {
                    return passed;
                }
            }
        }
        if (answer instanceof CredentialAnswer.Keys found && !isExpired(found.expiresAtEpochSecond())) {
            byte[] key = claim.algorithm() == PasswordAlgorithms.SHA256 ? found.sha256Key() : found.md5Key();
            String name = asked == null ? found.username() : asked;
            return passedWith(desk, name, realm, key, found.expiresAtEpochSecond(), claim);
        }
        return null;
    }

    private static Passed passedWith(Desk desk, String username, String realm, byte[] key, long expires, Claim claim) {
        return key != null && desk.integrity.verify(desk.message, claim.integrityIndex(), key)
                ? new Passed(username, realm, key, claim.algorithm(), expires, claim.sha256())
                : null;
    }

    /** The attribute to check, MESSAGE-INTEGRITY-SHA256 where there is one; -1 where there is none of the full length. */
    private static int integrityIndex(StunMessage message) {
        int sha256 = message.indexOf(AttributeType.MESSAGE_INTEGRITY_SHA256);
        if (sha256 >= 0) {
            return message.valueLength(sha256) == Integrity.SHA256_LENGTH ? sha256 : -1;
        }
        int sha1 = message.indexOf(AttributeType.MESSAGE_INTEGRITY);
        return sha1 >= 0 && message.valueLength(sha1) == Integrity.SHA1_LENGTH ? sha1 : -1;
    }

    /** The algorithm to use; null for a 400. The features are the server's own: the nonce is sealed. */
    private static Claim claim(StunMessage message, int integrity, int features) {
        int one = message.indexOf(AttributeType.PASSWORD_ALGORITHM);
        int list = message.indexOf(AttributeType.PASSWORD_ALGORITHMS);
        if ((features & NonceCookie.PASSWORD_ALGORITHMS) == 0 || (one < 0 && list < 0)) {
            return new Claim(integrity, PasswordAlgorithms.MD5, false);
        }
        if (one < 0 || list < 0 || !message.valueEquals(list, OFFERED)) {
            return null;
        }
        int algorithm = PasswordAlgorithms.algorithm(message, one);
        return algorithm == PasswordAlgorithms.SHA256 || algorithm == PasswordAlgorithms.MD5
                ? new Claim(integrity, algorithm, true)
                : null;
    }

    private boolean isExpired(long epochSecond) {
        return epochSecond != 0 && Math.floorDiv(wallClock.millis(), 1_000L) >= epochSecond;
    }

    private static boolean isOwner(StunMessage message, int username, int userhash, Allocation allocation) {
        if (username >= 0) {
            return textEquals(message, username, allocation.username());
        }
        byte[] expected = Userhash.of(allocation.username(), allocation.realm());
        return expected != null && MessageDigest.isEqual(expected, message.value(userhash));
    }

    private static boolean textEquals(StunMessage message, int index, String expected) {
        int length = message.valueLength(index);
        int at = message.valueOffset(index);
        for (int i = 0; i < length && i < expected.length(); i++) {
            if (expected.charAt(i) >= 0x80) {
                return expected.equals(message.string(index));
            }
            if (message.bytes().get(at + i) != expected.charAt(i)) {
                return false;
            }
        }
        return length == expected.length();
    }
}
