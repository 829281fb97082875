/** A TURN client and a load of its own, against any server. It shares no code with the server: a mistake there must not meet its mirror. */
package dev.turntable.benchmarks.load;
