"use strict";

// Plays on the page in a headless browser; run by scripts/test-page. PROGRAM is another fourbook
// than the one built here, PACKAGE another JavaScript package, PAGE_ADDRESS a page that is
// served already.

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { HANDS, launch, open } = require("./browser.js");
const features = require("./features.js");
const { serveFiles } = require("./hosting.js");
const looks = require("./looks.js");

const SHOTS = "target/page";
const BOOKS = ["books/7x6-d12-compact.book", "examples/4x4-d6.book"];
const PROGRAM = process.env.PROGRAM ?? "target/release/fourbook";
const PACKAGE = process.env.PACKAGE ?? "target/javascript/package";

/** Starts the server on a free port; the address it says it listens on. */
function serve() {
  const books = BOOKS.flatMap((book) => ["--book", book]);
  const child = spawn(PROGRAM, ["serve", "--bind", "127.0.0.1:0", ...books]);
  const address = new Promise((resolve, reject) => {
    let log = "";
    child.stderr.on("data", (data) => {
      log += data;
      const found = log.match(/http:\/\/[\d.:]+/);
      if (found) resolve(`${found[0]}/`);
    });
    child.on("exit", () => reject(new Error(`the server ended: ${log}`)));
  });
  const end = () => {
    child.removeAllListeners("exit");
    child.kill("SIGTERM");
  };
  return { address, end };
}

/** All features, one after the other, as one visitor has them. */
async function useAll(browser, address, name, sizes, more = []) {
  const hands = HANDS[name];
  const context = await browser.newContext({ viewport: { width: 1366, height: 650 }, permissions: ["clipboard-write"] });
  const page = await open(context, address);
  const step = async (feature, ...more) => {
    try {
      await feature(page, hands, ...more);
      assert.deepEqual(page.faults, []);
    } catch (error) {
      await page.screenshot({ path: `${SHOTS}/failed.png` });
      error.message = `${feature.name} by ${name} at ${address}: ${error.message}`;
      throw error;
    }
  };
  await step(features.playsAgainstTheComputer);
  await step(features.keepsPastGames);
  await step(features.playsASeries);
  await step(features.warnsAndTells);
  await page.click("nav a[data-view=analyse]");
  await page.waitForSelector("#verdict");
  await step(features.explores);
  await step(features.setsUp);
  await step(features.reviews, { hasPictures: name === "pointer" });
  await features.sharesByAddress(page, context);
  await step(features.endsAGame);
  await step(features.solvesPuzzles);
  await step(features.changesSettings, { sizes });
  for (const feature of more) {
    await page.evaluate(() => localStorage.clear());
    await page.goto("about:blank");
    await page.goto(address);
    await page.waitForSelector("body[data-ready]");
    await step(feature);
  }
  await context.close();
}

async function onServer(browser, address) {
  await useAll(browser, address, "pointer", ["4x4", "7x6"], [features.goesOnAfterFailures]);
  await useAll(browser, address, "keyboard", ["4x4", "7x6"]);
  await looks.describesTheInterface(browser, address, SHOTS);
  await looks.fitsEveryScreen(browser, address, SHOTS);
  await looks.isSoonThere(browser, address);
}

/** The files of `fourbook page`, from any web server. */
async function onFiles(browser) {
  const folder = `${SHOTS}/files`;
  fs.rmSync(folder, { recursive: true, force: true });
  const made = spawn(PROGRAM, ["page", "--out", `${folder}/in/a/folder`, "--package", PACKAGE], { stdio: "inherit" });
  assert.equal(await new Promise((resolve) => made.on("exit", resolve)), 0);
  const { address, end } = await serveFiles(folder);
  try {
    const page = `${address}in/a/folder/`;
    await useAll(browser, page, "pointer", ["7x6", "4x4", "5x4", "5x5", "6x5", "8x7"]);
    await looks.worksWithoutANetwork(browser, page, end);
  } finally {
    end();
  }
}

async function main() {
  const served = process.env.PAGE_ADDRESS ? { address: process.env.PAGE_ADDRESS, end() {} } : serve();
  const browser = await launch();
  try {
    await onServer(browser, await served.address);
    await onFiles(browser);
    console.log("the page: all is well");
  } finally {
    await browser.close();
    served.end();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
