// A relay-only WebRTC call in headless Chromium. What it found is printed as name=value lines, ended by a line "end".
//
//   node call.js exchange turn:127.0.0.1:3478 name password /new/empty/profile
//       1 MB each way over a data channel beside 10 s of fake video; prints one report and ends.
//   node call.js call turn:127.0.0.1:3478 name password /new/empty/profile
//       goes on until told: prints a report when it is connected and for each line "report" on stdin; "stop", or the end
//       of stdin, makes it count what is missing, print the last report and end.
//
// Several URLs are separated by commas. CHROMIUM names another browser than /usr/bin/chromium. TRUSTED_KEY is the SHA-256 hash, in
// Base64, of the SubjectPublicKeyInfo of a certificate that is trusted whoever signed it; all others are verified as ever.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const EXCHANGE_BYTES = 1_000_000;
const VIDEO_MILLIS = 10_000;
const PAGE = 'https://call.invalid/';

const [mode, urls, username, credential, profile] = process.argv.slice(2);
if (!['exchange', 'call'].includes(mode) || !profile) {
  console.error('usage: node call.js exchange|call urls name password profile-directory');
  process.exit(2);
}

const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  headless: true,
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    // Without it Chromium opens no socket on the loopback interface, where the server under test listens.
    '--allow-loopback-in-peer-connection',
    // One allocation for each end, not one for each address of this host: among several pairs Chromium moves to the one
    // that is 10 ms quicker at the moment, and selectedPairChanges would tell of the load of this host.
    '--webrtc-ip-handling-policy=default_public_interface_only',
    ...(process.env.TRUSTED_KEY ? [`--ignore-certificate-errors-spki-list=${process.env.TRUSTED_KEY}`] : []),
  ],
});

let status = 0;
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(error));
  // A page of a secure origin, as the camera wants it, without a server or a request that leaves this process.
  const script = readFileSync(new URL('page.js', import.meta.url), 'utf8');
  await browser.route('**/*', (route) => route.fulfill({
    contentType: 'text/html',
    body: `<!doctype html><title>call</title><body><script type="module">${script}</script>`,
  }));
  await page.goto(PAGE);
  await page.evaluate((settings) => window.startCall(settings), { urls: urls.split(','), username, credential });

  if (mode === 'exchange') {
    const bytes = page.evaluate((count) => window.exchange(count), EXCHANGE_BYTES);
    await Promise.all([bytes, page.waitForTimeout(VIDEO_MILLIS)]);
    print({ ...(await bytes), ...(await page.evaluate(() => window.report())) });
  } else {
    await page.evaluate(() => window.startSequences());
    print(await page.evaluate(() => window.report()));
    for await (const line of createInterface({ input: process.stdin })) {
      if (line === 'stop') {
        break;
      }
      print(await page.evaluate(() => window.report()));
    }
    await page.evaluate(() => window.stopSequences());
    print(await page.evaluate(() => window.report()));
  }
} catch (error) {
  console.error(error);
  status = 1;
} finally {
  await browser.close();
}
process.exit(status);

function print(rows) {
  for (const [name, value] of Object.entries(rows)) {
    console.log(`${name}=${value}`);
  }
  console.log('end');
}
