package dev.turntable.api.auth;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Mints time-limited credentials of the kind "TURN REST" for a media component in the same container. Any thread. */
public interface TurnCredentials {
    /**
     * Makes a username {@code expiry:name} and its password.
     *
     * @param name of the user, without a colon; may be empty
     * @param lifetime one second to 30 days
     * @throws IllegalArgumentException where an argument is out of range
     * @throws IllegalStateException where no shared secret is configured
     */
    Minted create(String name, Duration lifetime);

    /** What was minted; {@code toString()} does not show the password. */
    record Minted(String username, String password, Instant expiresAt) {
        /**
         * The object to paste into an RTCConfiguration: {@code {"iceServers":[…]}}.
         *
         * @param urls such as {@code turn:198.51.100.1:3478?transport=udp}
         */
        public String toIceServersJson(List<String> urls) {
            StringBuilder json = new StringBuilder("{\"iceServers\":[{\"urls\":[");
            for (int i = 0; i < urls.size(); i++) {
                json.append(i == 0 ? "" : ",").append(quoted(urls.get(i)));
            }
            return json.append("],\"username\":")
                    .append(quoted(username))
                    .append(",\"credential\":")
                    .append(quoted(password))
                    .append("}]}")
                    .toString();
        }

        private static String quoted(String text) {
            StringBuilder quoted = new StringBuilder("\"");
            for (char c : text.toCharArray()) {
                if (c == '"' || c == '\\') {
                    quoted.append('\\').append(c);
                } else if (c < 0x20) {
                    quoted.append(String.format("\\u%04x", (int) c));
                } else {
                    quoted.append(c);
                }
            }
            return quoted.append('"').toString();
        }

        @Override
        public String toString() {
            return "Minted[username=" + username + ", expiresAt=" + expiresAt + "]";
        }
    }
}
