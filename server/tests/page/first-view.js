"use strict";

// The cost of the first view: bytes, time on a slow network, and time from a click to its stone.
// As a program, run by scripts/time-page: node first-view.js ROUNDS

const assert = require("node:assert/strict");
const { launch, open } = require("./browser.js");
const { startFiles, startServer } = require("./hosting.js");

/** Compressed, without the package. */
const MOST_BYTES = 60_000;
const MOST_REQUESTS = 12;
/** Milliseconds until the page can be used, and from a click to its stone. */
const MOST_MILLISECONDS = { usable: 1000, stone: 50 };
/** A slow mobile network: 1.6 Mbit/s down, 750 kbit/s up, 150 ms for every answer. */
const SLOW = { offline: false, latency: 150, downloadThroughput: 1.6e6 / 8, uploadThroughput: 750e3 / 8 };

/** Loads the page as on a first visit: bytes, requests, and milliseconds until it can be used. */
async function load(browser, address, { network = null, locale = "en-US" } = {}) {
  const context = await browser.newContext({ locale });
  // A column can be chosen as soon as this is set.
  await context.addInitScript(() => new MutationObserver((_, observer) => {
    if (document.body?.dataset.ready === undefined) return;
    globalThis.readyAfter = performance.now();
    observer.disconnect();
  }).observe(document, { subtree: true, childList: true, attributes: true }));
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const sizes = new Map();
  session.on("Network.requestWillBeSent", ({ requestId, request }) => sizes.set(requestId, { url: request.url, bytes: 0 }));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    sizes.get(requestId).bytes = encodedDataLength;
  });
  await session.send("Network.enable");
  if (network) await session.send("Network.emulateNetworkConditions", network);
  await page.goto(address, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.readyAfter !== undefined);
  const milliseconds = await page.evaluate(() => globalThis.readyAfter);
  await page.waitForFunction(() => document.querySelector(".seats"));
  await page.waitForLoadState("networkidle");
  const own = [...sizes.values()].filter(({ url }) => !url.includes("/package/"));
  await context.close();
  return { bytes: own.reduce((sum, { bytes }) => sum + bytes, 0), requests: own.length, milliseconds };
}

async function isSmall(browser, { name, address }) {
  for (const locale of ["en-US", "de-DE"]) {
    const { bytes, requests } = await load(browser, address, { locale });
    console.log(`first view, hosted as ${name}, ${locale}: ${bytes} bytes with headers, in ${requests} requests`);
    assert.ok(bytes <= MOST_BYTES, `the first view takes ${bytes} bytes; wanted: at most ${MOST_BYTES}`);
    assert.ok(requests <= MOST_REQUESTS, `the first view takes ${requests} requests; wanted: at most ${MOST_REQUESTS}`);
  }
}

/** Milliseconds from a click on a column to the frame that shows the stone. */
async function clickToStone(browser, address) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 650 } });
  const page = await open(context, address);
  await page.waitForSelector(".seats");
  const milliseconds = await page.evaluate(() => new Promise((resolve) => {
    const stones = document.querySelector("#board .stones");
    const start = performance.now();
    // When the next frame begins, the frame with the stone has been shown.
    const shown = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - start)));
    new MutationObserver(shown).observe(stones, { childList: true });
    document.querySelector(".column:nth-child(4)").click();
  }));
  await context.close();
  return milliseconds;
}

const medianOf = (times) => {
  const inOrder = times.toSorted((a, b) => a - b);
  return Math.round((inOrder[(times.length - 1) >> 1] + inOrder[times.length >> 1]) / 2);
};

async function main(rounds) {
  const slow = [];
  const hostings = [await startServer(), await startFiles("target/page/files")];
  const browser = await launch();
  try {
    for (const { name, address } of hostings) {
      // The first page of a browser costs more; it is not counted.
      await load(browser, address);
      const times = [];
      const clicks = [];
      for (let round = 0; round < rounds; round++) {
        times.push(Math.round((await load(browser, address, { network: SLOW })).milliseconds));
        clicks.push(Math.round(await clickToStone(browser, address)));
      }
      console.log(`${name}: usable after ${medianOf(times)} ms, the median of ${times.join(", ")}, at 1.6 Mbit/s and 150 ms`);
      console.log(`${name}: a stone ${medianOf(clicks)} ms after its click, the median of ${clicks.join(", ")}`);
      if (medianOf(times) > MOST_MILLISECONDS.usable) slow.push(`${name}: usable after more than ${MOST_MILLISECONDS.usable} ms`);
      if (medianOf(clicks) > MOST_MILLISECONDS.stone) slow.push(`${name}: a stone more than ${MOST_MILLISECONDS.stone} ms after its click`);
    }
    assert.deepEqual(slow, []);
  } finally {
    await browser.close();
    for (const { end } of hostings) end();
  }
}

module.exports = { isSmall };
if (require.main === module) {
  main(Number(process.argv[2] ?? 9)).catch((error) => {
    console.error(error);
    process.exit(1);
  });
}
