/** Credentials: where the engine asks for them, and the service that mints them. */
@Export
@Version("1.0.0")
package dev.turntable.api.auth;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
