/** Built-in credential sources, and the service that mints credentials. */
package dev.turntable.auth;
