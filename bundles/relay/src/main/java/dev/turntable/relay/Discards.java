package dev.turntable.relay;

import dev.turntable.state.DropReasons;

/** Numbers of the reasons for which this engine discards silently. The same in every engine that uses the same names. */
final class Discards {
    final int malformed;
    final int unknownMethod;
    final int unexpectedClass;
    final int fingerprintMismatch;
    final int unknownAttribute;
    final int noAllocation;
    final int allocationExpired;
    final int channelDataTooShort;
    final int noChannel;
    final int channelExpired;
    final int noPermission;
    final int permissionExpired;
    final int peerForbidden;
    final int peerFamily;
    final int sendIncomplete;
    final int dontFragment;
    final int sharedPeerTaken;
    final int sharedPeerUnknown;
    final int payloadTooLong;
    final int icmpType;
    final int tcpAllocation;
    final int peerConnectionsFull;
    final int engineFault;

    Discards(DropReasons reasons) {
        malformed = reasons.register("malformed");
        unknownMethod = reasons.register("unknown-method");
        unexpectedClass = reasons.register("unexpected-class");
        fingerprintMismatch = reasons.register("fingerprint-mismatch");
        unknownAttribute = reasons.register("unknown-attribute");
        noAllocation = reasons.register("no-allocation");
        allocationExpired = reasons.register("allocation-expired");
        channelDataTooShort = reasons.register("channel-data-too-short");
        noChannel = reasons.register("no-channel");
        channelExpired = reasons.register("channel-expired");
        noPermission = reasons.register("no-permission");
        permissionExpired = reasons.register("permission-expired");
        peerForbidden = reasons.register("peer-forbidden");
        peerFamily = reasons.register("peer-family");
        sendIncomplete = reasons.register("send-incomplete");
        dontFragment = reasons.register("dont-fragment");
        sharedPeerTaken = reasons.register("shared-peer-taken");
        sharedPeerUnknown = reasons.register("shared-peer-unknown");
        payloadTooLong = reasons.register("payload-too-long");
        icmpType = reasons.register("icmp-type");
        tcpAllocation = reasons.register("tcp-allocation");
        peerConnectionsFull = reasons.register("peer-connections-full");
        engineFault = reasons.register("engine-fault");
    }
}
