/** Very many allocations on the ready distribution, started as a process of its own. */
package dev.turntable.benchmarks.scale;
