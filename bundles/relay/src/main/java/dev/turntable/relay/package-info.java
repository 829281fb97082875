/** The record: all TURN behaviour. Decides everything, owns nothing. */
package dev.turntable.relay;
