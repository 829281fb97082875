// Runs inside Chromium: two RTCPeerConnections, "a" and "b", of one page that may only use relayed candidates. The two
// talk through the TURN server although they share a page: each has an allocation of its own.

const CHUNK_BYTES = 16 * 1024;
const SEND_EVERY_MILLIS = 10;
const CHANNELS = {
  // What an application sees: SCTP repeats what the network loses.
  reliable: { ordered: true },
  // What the network does: nothing is repeated, so each lost packet is a missing message.
  lossy: { ordered: false, maxRetransmits: 0 },
};

const call = { iceRestarts: 0, disconnects: 0, negotiating: null };

window.startCall = async (settings) => {
  call.settings = settings;
  const media = await navigator.mediaDevices.getUserMedia({ video: { width: 320, height: 240, frameRate: 30 } });
  call.a = newSide('a', media);
  call.b = newSide('b', media);
  for (const [label, options] of Object.entries({ bulk: { ordered: true }, ...CHANNELS })) {
    adopt(call.a, call.a.connection.createDataChannel(label, options));
  }
  call.b.connection.ondatachannel = (event) => adopt(call.b, event.channel);
  await negotiate({});
  await until(() => [call.a, call.b].every((side) => Object.keys(side.channels).length === 3
      && Object.values(side.channels).every((channel) => channel.readyState === 'open')), 'open data channels');
};

/** Sends `bytes` random bytes each way at once and gives the sizes and SHA-256 hashes of both ends of both ways. */
window.exchange = async (bytes) => {
  const received = [call.b, call.a].map((side) => receiveAll(side.channels.bulk, bytes));
  const sent = await Promise.all([call.a, call.b].map((side) => sendAll(side.channels.bulk, bytes)));
  const arrived = await within(30_000, Promise.all(received), 'all bytes to arrive');
  return {
    'aToB.sentBytes': sent[0].length,
    'aToB.receivedBytes': arrived[0].length,
    'aToB.sentSha256': await sha256(sent[0]),
    'aToB.receivedSha256': await sha256(arrived[0]),
    'bToA.sentBytes': sent[1].length,
    'bToA.receivedBytes': arrived[1].length,
    'bToA.sentSha256': await sha256(sent[1]),
    'bToA.receivedSha256': await sha256(arrived[1]),
  };
};

/** Both sides begin to send numbered messages on both sequenced channels. */
window.startSequences = () => {
  for (const side of [call.a, call.b]) {
    side.timer = setInterval(() => {
      for (const label of Object.keys(CHANNELS)) {
        if (side.channels[label].readyState === 'open') {
          side.channels[label].send(new Uint32Array([side.sent[label]++]));
        }
      }
    }, SEND_EVERY_MILLIS);
  }
};

/** Stops sending and waits until what is under way has had time to arrive. */
window.stopSequences = async () => {
  for (const side of [call.a, call.b]) {
    clearInterval(side.timer);
  }
  await pause(1500);
};

window.report = async () => {
  const rows = { iceRestarts: call.iceRestarts, disconnects: call.disconnects };
  for (const [side, other] of [[call.a, call.b], [call.b, call.a]]) {
    Object.assign(rows, await mediaAndPath(side));
    for (const label of Object.keys(CHANNELS)) {
      const seen = side.seen[label];
      rows[`${side.name}.${label}.sent`] = side.sent[label];
      rows[`${side.name}.${label}.received`] = seen.distinct;
      rows[`${side.name}.${label}.missing`] = other.sent[label] - seen.distinct;
      rows[`${side.name}.${label}.duplicated`] = seen.duplicated;
      rows[`${side.name}.${label}.longestGapMillis`] = Math.round(seen.longestGapMillis);
    }
  }
  return rows;
};

function newSide(name, media) {
  const connection = new RTCPeerConnection({
    iceServers: [{ urls: call.settings.urls, username: call.settings.username, credential: call.settings.credential }],
    iceTransportPolicy: 'relay',
  });
  const counted = (of) => Object.fromEntries(Object.keys(CHANNELS).map((label) => [label, of()]));
  const side = {
    name,
    connection,
    channels: {},
    sent: counted(() => 0),
    seen: counted(() => ({ numbers: new Set(), distinct: 0, duplicated: 0, longestGapMillis: 0, lastAt: undefined })),
    iceErrors: [],
  };
  media.getTracks().forEach((track) => connection.addTrack(track, media));
  connection.ontrack = (event) => {
    const video = document.createElement('video');
    video.muted = true;
    video.autoplay = true;
    video.srcObject = event.streams[0];
    document.body.append(video);
  };
  connection.onicecandidateerror = (event) => side.iceErrors.push(`${event.errorCode} ${event.errorText} ${event.url}`);
  connection.oniceconnectionstatechange = () => {
    call.disconnects += connection.iceConnectionState === 'disconnected' ? 1 : 0;
  };
  // A connection that lost its only pair fails as a whole; its iceConnectionState may stay "disconnected".
  connection.onconnectionstatechange = () => {
    if (connection.connectionState === 'failed' && !call.negotiating) {
      call.iceRestarts++;
      negotiate({ iceRestart: true }).catch((error) => console.error(`ICE restart: ${error}`));
    }
  };
  return side;
}

function adopt(side, channel) {
  channel.binaryType = 'arraybuffer';
  side.channels[channel.label] = channel;
  if (!(channel.label in CHANNELS)) {
    return;
  }
  const seen = side.seen[channel.label];
  channel.onmessage = (event) => {
    const number = new Uint32Array(event.data)[0];
    const now = performance.now();
    if (seen.numbers.has(number)) {
      seen.duplicated++;
    } else {
      seen.numbers.add(number);
      seen.distinct++;
    }
    if (seen.lastAt !== undefined) {
      seen.longestGapMillis = Math.max(seen.longestGapMillis, now - seen.lastAt);
    }
    seen.lastAt = now;
  };
}

/** Offer and answer are handed over with all candidates in them, so that no candidate is known as peer reflexive only. */
function negotiate(options) {
  call.negotiating = (async () => {
    const [a, b] = [call.a.connection, call.b.connection];
    await a.setLocalDescription(await a.createOffer(options));
    await gathered(call.a);
    await b.setRemoteDescription(a.localDescription);
    await b.setLocalDescription(await b.createAnswer());
    await gathered(call.b);
    await a.setRemoteDescription(b.localDescription);
    await until(() => [a, b].every((connection) => connection.connectionState === 'connected'), 'connected');
  })().finally(() => {
    call.negotiating = null;
  });
  return call.negotiating;
}

async function gathered(side) {
  await until(() => side.connection.iceGatheringState === 'complete', `gathering of ${side.name}`);
  if (!side.connection.localDescription.sdp.includes(' typ relay')) {
    throw new Error(`${side.name} found no relayed candidate: ${side.iceErrors.join('; ') || 'no error given'}`);
  }
}

async function mediaAndPath(side) {
  const stats = await side.connection.getStats();
  const all = [...stats.values()];
  const transport = all.find((row) => row.type === 'transport');
  // Nothing is selected while a call is broken.
  const pair = stats.get(transport?.selectedCandidatePairId) ?? {};
  const local = stats.get(pair.localCandidateId) ?? {};
  const remote = stats.get(pair.remoteCandidateId) ?? {};
  const video = all.find((row) => row.type === 'inbound-rtp' && row.kind === 'video') ?? {};
  const rows = {
    connectionState: side.connection.connectionState,
    localCandidateType: local.candidateType,
    localRelayProtocol: local.relayProtocol,
    localAddress: `${local.address}:${local.port}`,
    remoteCandidateType: remote.candidateType,
    remoteAddress: `${remote.address}:${remote.port}`,
    selectedPairChanges: transport?.selectedCandidatePairChanges,
    framesDecoded: video.framesDecoded ?? 0,
    framesDropped: video.framesDropped ?? 0,
    freezeCount: video.freezeCount ?? 0,
    videoPacketsReceived: video.packetsReceived ?? 0,
    videoPacketsLost: video.packetsLost ?? 0,
  };
  return Object.fromEntries(Object.entries(rows).map(([name, value]) => [`${side.name}.${name}`, value]));
}

async function sendAll(channel, bytes) {
  const data = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += 65536) {
    crypto.getRandomValues(data.subarray(at, Math.min(bytes, at + 65536)));
  }
  channel.bufferedAmountLowThreshold = 4 * CHUNK_BYTES;
  for (let at = 0; at < bytes; at += CHUNK_BYTES) {
    if (channel.bufferedAmount > 16 * CHUNK_BYTES) {
      await new Promise((resolve) => channel.addEventListener('bufferedamountlow', resolve, { once: true }));
    }
    channel.send(data.subarray(at, Math.min(bytes, at + CHUNK_BYTES)));
  }
  return data;
}

function receiveAll(channel, bytes) {
  const data = new Uint8Array(bytes);
  let at = 0;
  return new Promise((resolve, reject) => {
    channel.onmessage = (event) => {
      const chunk = new Uint8Array(event.data);
      if (at + chunk.length > bytes) {
        reject(new Error('more bytes arrived than were sent'));
        return;
      }
      data.set(chunk, at);
      at += chunk.length;
      if (at === bytes) {
        resolve(data);
      }
    };
  });
}

async function sha256(data) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function pause(millis) {
  return new Promise((resolve) => setTimeout(resolve, millis));
}

async function until(condition, what) {
  const end = performance.now() + 20_000;
  while (!condition()) {
    if (performance.now() > end) {
      throw new Error(`waited 20 s in vain for: ${what}`);
    }
    await pause(20);
  }
}

function within(millis, promise, what) {
  return Promise.race([
    promise,
    pause(millis).then(() => {
      throw new Error(`waited ${millis} ms in vain for: ${what}`);
    }),
  ]);
}
