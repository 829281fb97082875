/** Every socket and event loop. Netty is a private part of this bundle. */
package dev.turntable.transport;
