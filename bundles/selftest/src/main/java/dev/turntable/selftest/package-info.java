/** A small TURN client that makes one real round trip through each listener. */
package dev.turntable.selftest;
