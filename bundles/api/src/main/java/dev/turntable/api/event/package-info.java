/** What happens to an allocation, for those who want to be told. */
@Export
@Version("1.0.0")
package dev.turntable.api.event;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
