/** What an operation, an entry and a packet cost. Nothing here is part of the server. */
package dev.turntable.benchmarks;
