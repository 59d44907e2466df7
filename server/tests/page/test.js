"use strict";

// Uses the page in a headless browser; run by scripts/test-page.
// Arguments are parts of feature names; only these features are tried.

const assert = require("node:assert/strict");
const { HANDS, answered, goTo, launch, launchFirefox, open, untilStones, untilText } = require("./browser.js");
const { startFiles, startServer } = require("./hosting.js");
const { isSmall } = require("./first-view.js");
const fingers = require("./fingers.js");
const looks = require("./looks.js");
const lacks = require("./parts.js");

const SHOTS = "target/page";
const EVERYWHERE = ["play", "analyse", "coach", "puzzles", "delight", "openings", "settings", "continuity", "input"].flatMap((name) => require(`./features/${name}.js`));
/** What comes from outside is read alike whatever the hands and the hosting. */
const DAMAGE = require("./features/damage.js");
/** Features of only one kind of hosting. */
const ONLY = { server: require("./features/server.js"), files: require("./features/files.js") };

const wanted = process.argv.slice(2);
const isWanted = ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part));

/** Tests features with one kind of device, each as a first visit. */
async function useAll(browser, hosting, name, features, permissions = []) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 650 }, permissions });
  const page = await open(context, hosting.address);
  for (const feature of features.filter(isWanted)) {
    const start = performance.now();
    try {
      await page.evaluate(() => [localStorage, sessionStorage].forEach((kept) => kept.clear()));
      await goTo(page);
      await feature(page, HANDS[name], hosting);
      assert.deepEqual(page.faults, []);
    } catch (error) {
      await page.screenshot({ path: `${SHOTS}/failed.png` });
      const text = `${feature.name} by ${name}, hosted as ${hosting.name}, fails; see ${SHOTS}/failed.png`;
      throw new Error(text, { cause: error });
    }
    if (process.env.TIMES) console.log(`${hosting.name} ${name} ${feature.name}: ${Math.round(performance.now() - start)} ms`);
  }
  await context.close();
}

const featuresOf = ({ name }) => [...EVERYWHERE, ...ONLY[name]];

/** The permissions for which Chromium asks. */
const CLIPBOARD = ["clipboard-read", "clipboard-write"];

/** What these tests ask for, no other browser than Chromium does by its protocol. */
const IN_CHROMIUM = /newCDPSession|emulateMedia|page\.clock|clipboard|"download"/;

/** Tests the same features in Firefox; where it answers by itself, games and what it downloads. */
async function useInFirefox(hosting) {
  const browser = await launchFirefox();
  try {
    const features = hosting.name === "server" ? [...featuresOf(hosting), ...DAMAGE] : [...require("./features/play.js"), ...ONLY.files];
    await useAll(browser, hosting, "pointer", features.filter((feature) => !IN_CHROMIUM.test(feature)));
  } finally {
    await browser.close();
  }
}

/** Looks at what is chosen in Firefox, in forced colours, which only a preference gives it. */
async function looksInFirefox(hosting) {
  const browser = await launchFirefox({ "browser.display.document_color_use": 2 });
  try {
    await looks.showsWhatIsChosenInForcedColours(browser, hosting, SHOTS);
  } finally {
    await browser.close();
  }
}

/** Installed files go on working when the web server has gone. */
async function worksWithoutANetwork(browser, hosting) {
  const context = await browser.newContext({ viewport: { width: 844, height: 390 } });
  const page = await open(context, hosting.address);
  const manifest = await page.evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
  assert.deepEqual(manifest.icons.map(({ purpose = "any" }) => purpose).sort(), ["any", "any", "any", "maskable"]);
  await page.evaluate(() => navigator.serviceWorker.ready);
  hosting.end();
  const again = await open(context, hosting.address, "?moves=44#analyse");
  await untilStones(again, 2);
  await answered(again);
  await untilText(again, "#verdict", /wins in/);
  await context.close();
}

/** A game goes on being shown when its server has gone. */
async function keepsTheGameWithoutAServer(browser) {
  const hosting = await startServer();
  const context = await browser.newContext();
  const page = await open(context, hosting.address);
  await page.keyboard.press("4");
  await untilStones(page, 2);
  await page.evaluate(() => navigator.serviceWorker.ready);
  hosting.end();
  await page.reload();
  await untilStones(page, 2);
  await page.waitForSelector("#panel .bar");
  await context.close();
}

async function main() {
  // One for each track, as all pages of a browser share a clipboard.
  const browsers = [await launch(), await launch()];
  const hostings = [await startServer(), await startFiles(`${SHOTS}/files`)];
  try {
    const [server, files] = hostings;
    // Keys, fingers and screens work alike on both kinds of hosting, so one of them suffices.
    const parts = [
      ...Object.keys(HANDS).map((name) => (browser) => useAll(browser, server, name, featuresOf(server), CLIPBOARD)),
      (browser) => useAll(browser, files, "pointer", featuresOf(files), CLIPBOARD),
      (browser) => useAll(browser, server, "pointer", DAMAGE, CLIPBOARD),
      ...hostings.map((hosting) => () => useInFirefox(hosting)),
      ...[looksInFirefox].filter(isWanted).map((look) => () => look(server)),
      ...[...Object.values(fingers), looks.fitsEveryScreen, looks.isNeverTooWide, looks.hasStonesForEverybody, looks.showsThreats, looks.showsWhatIsChosenInForcedColours, looks.hasNoTextInCode, looks.speaksTheLanguageOfTheBrowser].filter(isWanted).map((look) => (browser) => look(browser, server, SHOTS)),
      ...lacks.onServers.filter(isWanted).map((lack) => (browser) => lack(browser, server)),
      ...hostings.flatMap((hosting) => lacks.onEveryHost.filter(isWanted).map((lack) => (browser) => lack(browser, hosting))),
      ...hostings.filter(() => isWanted(isSmall)).map((hosting) => (browser) => isSmall(browser, hosting)),
    ];
    // Two at a time: much of it is waiting for stones to fall and for the computer to move.
    await Promise.all(browsers.map(async (browser) => {
      while (parts.length > 0) await parts.shift()(browser);
    }));
    if (isWanted(keepsTheGameWithoutAServer)) await keepsTheGameWithoutAServer(browsers[0]);
    if (isWanted(worksWithoutANetwork)) await worksWithoutANetwork(browsers[0], files);
    console.log("the page: all is well");
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()));
    for (const { end } of hostings) end();
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
