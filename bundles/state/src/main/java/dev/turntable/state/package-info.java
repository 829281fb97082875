/**
 * The platter: tables, deadlines, keys, ports and counters that outlive a relay engine. Decides nothing.
 */
@Export
@Version("1.0.0")
package dev.turntable.state;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
