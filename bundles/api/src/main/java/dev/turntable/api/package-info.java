/** Management services and value records: what commands, metrics and other bundles compile against. */
@Export
@Version("1.0.0")
package dev.turntable.api;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
