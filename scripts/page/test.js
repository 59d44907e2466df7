"use strict";

// Plays on the page in a headless browser; run by scripts/test-page.

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("playwright-core");

const SHOTS = "target/page";
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** Starts the server on a free port; the address it says it listens on. */
function serve() {
  const child = spawn("target/release/fourbook", ["serve", "--bind", "127.0.0.1:0"]);
  const address = new Promise((resolve, reject) => {
    let log = "";
    child.stderr.on("data", (data) => {
      log += data;
      const found = log.match(/http:\/\/[\d.:]+/);
      if (found) resolve(found[0]);
    });
    child.on("exit", () => reject(new Error(`the server ended: ${log}`)));
  });
  return { child, address };
}

/** The page, which must not complain or ask anybody else. */
async function open(context, address, query = "") {
  const page = await context.newPage();
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    // A refused position is an error that the page puts in words.
    if (message.type() === "error" && !message.text().includes("status of 400")) page.faults.push(message.text());
  });
  page.on("request", (request) => {
    const { href, protocol } = new URL(request.url());
    if (protocol !== "data:" && !href.startsWith(address)) page.faults.push(`asks ${href}`);
  });
  await page.goto(address + query);
  await answered(page);
  return page;
}

const answered = (page) => page.waitForSelector("body[data-state=answered]", { timeout: 60_000 });
const labels = (page) => page.$$eval("#moves button", (all) => all.map((one) => one.getAttribute("aria-label")));
const moves = (page) => new URL(page.url()).searchParams.get("moves") ?? "";

async function plays(page) {
  assert.deepEqual(await labels(page), [
    "Column 1: loses in 40", "Column 2: loses in 42", "Column 3: draw", "Column 4: wins in 41, best",
    "Column 5: draw", "Column 6: loses in 42", "Column 7: loses in 40",
  ]);
  assert.match(await page.textContent("#source"), /from the book/);
  for (const column of [4, 4, 5]) {
    await page.click(`#moves button:nth-child(${column})`);
    await answered(page);
  }
  await page.keyboard.press("3");
  await answered(page);
  assert.equal(moves(page), "4453");
  assert.match(await page.textContent("#verdict"), /Red wins with the 36th stone from now/);
  await page.screenshot({ path: `${SHOTS}/game.png` });
  await page.click("#undo");
  await page.keyboard.press("ArrowLeft");
  await answered(page);
  assert.equal(moves(page), "44");
  await page.keyboard.press("r");
  await page.click("#redo");
  await page.click("#mirror");
  await answered(page);
  assert.equal(moves(page), "4435");
}

async function sharesByAddress(context, address, page) {
  const again = await open(context, address, new URL(page.url()).search);
  assert.equal(moves(again), "4435");
  assert.equal(await again.locator("#board .stone").count(), 4);
  assert.deepEqual(again.faults, []);
  await again.close();
}

async function showsThreats(page) {
  await page.fill("#input", "444441221515");
  await page.click("#paste button");
  await answered(page);
  await page.click("#threats");
  assert.equal(await page.locator("#board .threat.stacked").count(), 2);
  assert.match(await page.textContent("#threat-text"), /Red completes four at: column 3 row 2 \(stacked\)/);
  assert.match(await page.textContent("#source"), /solve|nodes|rules/);
  await page.screenshot({ path: `${SHOTS}/threats.png` });
}

async function setsUpDiagrams(page) {
  // As `fourbook show` draws a board: the small letters are empty cells.
  await page.fill("#input", `. . . . . . .
. . . X . . .
. . . O . . .
X . o X . . .
X O o O O . .
O X . X O . .
1 2 3 4 5 6 7`);
  await page.click("#paste button");
  await answered(page);
  assert.equal(await page.locator("#board .stone").count(), 12);
  await page.fill("#input", "......./......./......./......./...o.../..oxx..");
  await page.click("#paste button");
  assert.match(await page.textContent("#error"), /'o' marks a threat that is none/);
  await page.fill("#input", "......./......./......./......./...O.../..OXX..");
  await page.click("#paste button");
  await answered(page);
  await page.keyboard.press("Tab");
  await page.click("#moves button:nth-child(4)");
  await answered(page);
  assert.equal(await page.locator("#board .stone").count(), 5);
  assert.match(decodeURIComponent(page.url()), /diagram=.*moves=4/);
}

async function saysWhatIsWrong(page) {
  await page.fill("#input", "4444444");
  await page.click("#paste button");
  assert.match(await page.textContent("#error"), /move 7 .* full column/);
  await page.screenshot({ path: `${SHOTS}/error.png` });
}

/** Without a mouse: the focus stays where it is, and everything has a name. */
async function worksByKeyboard(page) {
  await page.click("#clear");
  await answered(page);
  await page.focus("#moves button:nth-child(4)");
  for (let stone = 0; stone < 6; stone++) {
    await page.keyboard.press(stone % 2 === 0 ? "Enter" : "Space");
    await answered(page);
  }
  assert.equal(moves(page), "444444");
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
  assert.equal(await focused(), "Column 4: full");
  await page.keyboard.press("Enter");
  assert.equal(moves(page), "444444", "a full column takes no stone");
  await page.keyboard.press("Tab");
  assert.match(await focused(), /^Column 5: /);
  await page.keyboard.press("u");
  await answered(page);
  assert.equal(moves(page), "44444");
  const nameless = await page.$$eval("button, a, textarea", (all) => all.filter((one) =>
    !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length)).map((one) => one.outerHTML));
  assert.deepEqual(nameless, []);
  for (const id of ["turn", "verdict", "source"]) {
    assert.equal(await page.getAttribute(`#${id}`, "aria-live"), "polite", id);
  }
}

async function endsAGame(page) {
  await page.fill("#input", "1212121");
  await page.click("#paste button");
  await answered(page);
  assert.match(await page.textContent("#verdict"), /Yellow has won/);
  assert.equal(await page.locator("#board .line").count(), 4);
  assert.equal(await page.locator('#moves button[aria-disabled="false"]').count(), 0);
  assert.equal(await page.locator("#board .threat").count(), 0, "no threats after the end");
  await page.screenshot({ path: `${SHOTS}/won.png` });
}

async function fitsAPhoneAndTheDark(browser, address) {
  for (const [name, colorScheme, width, height] of [
    ["light", "light", 1200, 860], ["dark", "dark", 1200, 860],
    ["phone-light", "light", 360, 780], ["phone-dark", "dark", 360, 780],
  ]) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height } });
    const page = await open(context, address, "/?moves=44535");
    const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = Number(paper.match(/\d+/)[0]) > 127;
    assert.equal(light, colorScheme === "light", `${name}: the paper is ${paper}`);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${name}: ${over} pixels too wide`);
    await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: width < 500 });
    assert.deepEqual(page.faults, []);
    await context.close();
  }
}

async function main() {
  const { child, address: addressed } = serve();
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "fourbook-page-"));
  try {
    const address = await addressed;
    const options = { executablePath: "/usr/bin/chromium", args: FLAGS, viewport: { width: 1200, height: 860 } };
    const context = await chromium.launchPersistentContext(profile, options);
    const page = await open(context, address);
    await plays(page);
    await sharesByAddress(context, address, page);
    await showsThreats(page);
    await setsUpDiagrams(page);
    await saysWhatIsWrong(page);
    await worksByKeyboard(page);
    await endsAGame(page);
    assert.deepEqual(page.faults, []);
    await context.close();
    const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
    await fitsAPhoneAndTheDark(browser, address);
    await browser.close();
    console.log("the page: all is well");
  } finally {
    child.removeAllListeners("exit");
    child.kill("SIGTERM");
    fs.rmSync(profile, { recursive: true, force: true });
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
