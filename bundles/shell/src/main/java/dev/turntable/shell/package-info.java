/** The turn:* commands and their completers. */
package dev.turntable.shell;
