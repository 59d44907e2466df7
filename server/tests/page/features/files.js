"use strict";

// The page where the browser answers by itself: boards without a book.

const assert = require("node:assert/strict");
const { playsAFriendByLink, tellsAFriendOfTheEnd } = require("./friend.js");
const { answered, goFrom, goTo, labels, newGame, open, start, text, until, untilStones, untilText } = require("../browser.js");

/** A long search on a large board: the page shows it, stays responsive, and can stop it. */
async function stopsWhatTakesLong(page, hands) {
  await goTo(page, "?size=8x7#analyse");
  await page.waitForSelector(".board[data-size='8x7']");
  // Frames are still drawn while the worker searches.
  const state = await page.evaluate(() => new Promise((resolve) => {
    let left = 60;
    requestAnimationFrame(function next() {
      if (left-- > 0) requestAnimationFrame(next);
      else resolve(document.body.dataset.state);
    });
  }));
  assert.equal(state, "asking");
  await untilText(page, "#source", /Still solving, \d+ s\./);
  await hands.press(page, "#stop");
  await untilText(page, "#source", /^Stopped\.$/);
  // Another position is answered at once: the worker has stopped.
  await goFrom(page, hands, "123456781234567821436587214365871234");
  await until(page, () => /win|draw/.test(document.querySelector("#verdict").textContent));
  await until(page, () => [...document.querySelectorAll(".column")].some((one) => /wins|draws|loses/.test(one.getAttribute("aria-label"))));
  assert.equal((await labels(page)).length, 8);
}

/** A first visit on a network that holds the book and the program back until `release` is called. */
async function visitSlowly(visited) {
  const context = await visited.context().browser().newContext({ serviceWorkers: "block" });
  const page = await open(context, visited.address);
  const held = () => {
    const file = {};
    file.arrives = new Promise((resolve) => { file.release = resolve; });
    return file;
  };
  const [program, book] = [held(), held()];
  for (const [file, { arrives }] of [[/raw_bg\.wasm/, program], [/d12\.book/, book]]) {
    await page.route(file, async (route) => {
      await arrives;
      await route.continue();
    });
  }
  const release = () => [program, book].forEach((file) => file.release());
  await goTo(page);
  await page.clock.install();
  return { context, page, release, releaseProgram: program.release };
}

/** The computer is downloaded before it thinks, and the page says so. */
async function tellsOfTheDownload(visited, hands) {
  const { context, page, release, releaseProgram } = await visitSlowly(visited);
  await hands.column(page, 4);
  await untilText(page, "#status", /^Downloading the computer…$/);
  // However long that takes, nothing is being solved.
  await page.clock.fastForward(60_000);
  assert.ok(await page.isHidden(".note"));
  await hands.press(page, "nav a[data-view=analyse]");
  await untilText(page, "#source", /^Downloading the computer…$/);
  await page.clock.fastForward(60_000);
  assert.equal(await text(page, "#source"), "Downloading the computer…");
  // The share that has arrived: of the program and of the book.
  releaseProgram();
  await untilText(page, "#source", /^Downloading the computer, [1-4]?\d%…$/);
  const session = await context.newCDPSession(page);
  const send = (downloadThroughput) =>
    session.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput, uploadThroughput: -1 });
  await send(50_000);
  release();
  await untilText(page, "#source", /^Downloading the computer, [1-9]\d?%…$/);
  await send(-1);
  await untilStones(page, 0);
  await answered(page);
  await hands.press(page, "nav a[data-view=play]");
  await untilStones(page, 2);
  assert.deepEqual(page.faults, []);
  await context.close();
}

/** Stepping back cancels a move that still waits for its warning. */
async function stepsBackBeforeTheWarning(visited, hands) {
  const { context, page, release } = await visitSlowly(visited);
  await hands.press(page, ".help [data-value=warnings]");
  await hands.column(page, 4);
  await untilText(page, "#status", /^Downloading the computer…$/);
  await newGame(page, hands, "two");
  release();
  await hands.press(page, "nav a[data-view=analyse]");
  await answered(page);
  await hands.press(page, "nav a[data-view=play]");
  await untilStones(page, 0);
  assert.deepEqual(page.faults, []);
  await context.close();
}

/** A puzzle is found once the computer is downloaded. */
async function findsAPuzzleAfterTheDownload(visited, hands) {
  const { context, page, release } = await visitSlowly(visited);
  await hands.press(page, "nav a[data-view=puzzles]");
  await untilText(page, "#puzzle-goal", /^Downloading the computer…$/);
  release();
  await untilText(page, "#puzzle-goal", /win in/);
  assert.deepEqual(page.faults, []);
  await context.close();
}

/** The time that a warning may take begins after the download. */
async function warnsAfterTheDownload(visited, hands) {
  const { context, page, release } = await visitSlowly(visited);
  await page.evaluate(() => localStorage.setItem("fourbook.settings", JSON.stringify({ help: "warnings" })));
  await goTo(page, "?moves=1425#analyse");
  await page.waitForSelector("#play-here");
  await hands.press(page, "#play-here");
  await start(page, hands, "casual");
  await page.waitForSelector("dialog", { state: "detached" });
  await hands.column(page, 1);
  await untilText(page, "#status", /^Downloading the computer…$/);
  // From then on time stands still, so that the answer is in time on any machine.
  await page.clock.pauseAt(Date.now() + 60_000);
  release();
  await untilText(page, ".note", /Column 1 loses in \d\./);
  await untilStones(page, 4);
  assert.equal(await text(page, "#status"), "Your turn");
  assert.deepEqual(page.faults, []);
  await context.close();
}

/** A level that needs exact scores that take too long: the computer plays the best move known. */
async function playsTheBestMoveKnown(page, hands) {
  await newGame(page, hands, "perfect", { size: "8x7" });
  await page.waitForSelector(".board[data-size='8x7']");
  await hands.column(page, 4);
  await untilText(page, ".note", /The computer played the best move that it knows/);
  await untilStones(page, 2);
  await untilText(page, "#status", /Your turn/);
  // A hint takes as long, and can be cancelled.
  await page.keyboard.press("h");
  await untilText(page, "button[aria-keyshortcuts=h]", /^Stop$/);
  await hands.press(page, "button[aria-keyshortcuts=h]");
  await untilText(page, "button[aria-keyshortcuts=h]", /^Hint$/);
  assert.equal(await text(page, "#status"), "Your turn");
}

/** The computer begins on a board that nobody solves in time, and its strategy proves the move. */
async function playsAProvedMoveByAStrategy(page, hands) {
  await newGame(page, hands, "perfect", { size: "8x7", begins: "other" }, 1);
  await untilText(page, "#status", /Your turn/);
  assert.doesNotMatch((await page.locator(".note").allTextContents()).join(), /best move that it knows/);
}

module.exports = [playsAProvedMoveByAStrategy, tellsOfTheDownload, warnsAfterTheDownload, stepsBackBeforeTheWarning, findsAPuzzleAfterTheDownload, stopsWhatTakesLong, playsTheBestMoveKnown, playsAFriendByLink, tellsAFriendOfTheEnd];
