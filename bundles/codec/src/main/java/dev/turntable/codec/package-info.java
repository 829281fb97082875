/**
 * The wire of RFC 8489 and RFC 8656: messages, attributes, ChannelData, integrity, framing. JDK only, no I/O.
 */
@Export
@Version("1.0.0")
package dev.turntable.codec;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
