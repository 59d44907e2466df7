"use strict";

// Each feature of the page, used by a pair of hands.

const assert = require("node:assert/strict");
const { answered, labels, open, stones, until, untilStones } = require("./browser.js");

const moves = (page) => new URL(page.url()).searchParams.get("moves") ?? "";
const text = (page, selector) => page.textContent(selector);
const shown = (page, wanted) => page.waitForSelector(`text=${wanted}`);

async function playsAgainstTheComputer(page, hands) {
  await hands.column(page, 4);
  // The computer answers.
  await untilStones(page, 2);
  await shown(page, "Your turn");
  await hands.press(page, "button[aria-keyshortcuts=h]");
  await until(page, () => /is best/.test(document.querySelector(".note").textContent));
  assert.ok(await page.locator("#board .hint:not(g)").count() > 0);
  await hands.press(page, ".actions button[aria-keyshortcuts=u]");
  await untilStones(page, 0);
  await page.keyboard.press("4");
  await untilStones(page, 2);
  await hands.press(page, "#resign");
  await shown(page, "You resigned; the computer wins.");
  assert.equal(await page.locator('.column[aria-disabled="false"]').count(), 0);
}

async function keepsPastGames(page, hands) {
  await hands.press(page, ".actions button[aria-keyshortcuts=n]");
  await page.waitForSelector("dialog");
  await page.selectOption("select[name=opponent]", "two");
  await page.selectOption("select[name=bestOf]", "3");
  await hands.press(page, "dialog button[type=submit]");
  await page.waitForSelector("dialog", { state: "detached" });
  await untilStones(page, 0);
  assert.equal(await page.locator(".games li").count(), 1, "the game before is kept");
  await page.reload();
  await page.waitForSelector(".past");
  assert.equal(await page.locator(".games li").count(), 1, "also over a reload");
}

/** Two people; the first one wins and the next game of three begins with the other one. */
async function playsASeries(page, hands) {
  for (const column of [1, 2, 1, 2, 1, 2]) await hands.column(page, column);
  await untilStones(page, 6);
  await page.keyboard.press("1");
  await shown(page, "Player 1 (Yellow) wins.");
  assert.equal(await page.locator("#stage circle.won").count(), 4);
  assert.match(await text(page, ".seats"), /Player 2 · Red0.*Player 1 · Yellow1/);
  await hands.press(page, "#next-game");
  await untilStones(page, 0);
  assert.match(await text(page, ".seats"), /Player 2 · Yellow0.*Player 1 · Red1.*Game 2, best of 3/);
  assert.equal(await page.locator(".games li").count(), 2);
}

async function warnsAndTells(page, hands) {
  await page.check("#warnings");
  // The only winning first move is in the middle.
  await hands.column(page, 1);
  await shown(page, "Column 1 throws a win away.");
  assert.equal(await stones(page), 0);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Choose another");
  await page.keyboard.press("Enter");
  assert.ok(await page.isHidden(".note"));
  await hands.column(page, 1);
  await shown(page, "Column 1 throws a win away.");
  await hands.press(page, "#play-anyway");
  await untilStones(page, 1);
  await page.uncheck("#warnings");
  // On demand, for this position only.
  assert.ok((await labels(page)).every((label) => !/wins|loses|draws/.test(label)));
  await hands.press(page, "#demand");
  await until(page, () => /: (wins|draws|loses)/.test(document.querySelector(".column").getAttribute("aria-label")));
  await page.keyboard.press("2");
  await untilStones(page, 2);
  assert.ok((await labels(page)).every((label) => !/wins|loses|draws/.test(label)));
  await hands.press(page, ".help .choice [data-value=on]");
  await until(page, () => /: (wins|draws|loses)/.test(document.querySelector(".column").getAttribute("aria-label")));
  await hands.press(page, ".help .choice [data-value=off]");
  assert.ok(await page.isHidden("#demand"));
  await hands.press(page, ".help .choice [data-value=demand]");
}

async function explores(page, hands) {
  await answered(page);
  assert.deepEqual(await labels(page), [
    "Column 1: loses in 20", "Column 2: loses in 21", "Column 3: draws", "Column 4: wins in 21, best",
    "Column 5: draws", "Column 6: loses in 21", "Column 7: loses in 20",
  ]);
  assert.equal(await text(page, "#verdict"), "Yellow wins in 21 moves");
  assert.match(await text(page, "#source"), /score \+1 · 41 stones to the end · from the book/);
  // Replies to the move in the middle: all lose for the one who replies.
  await until(page, () => document.querySelectorAll(".bar").length === 7);
  assert.match(await text(page, ".explorer tbody tr:first-child .bar"), /0 winning, 0 drawing, 7 losing replies/);
  // The main line of a move that is looked at.
  await page.focus(".explorer tbody tr:nth-child(1) button");
  await until(page, () => /^Main line: 4{3}/.test(document.querySelector(".main-line").textContent));
  assert.ok(await page.locator("#board .ahead").count() >= 8);
  await page.keyboard.press("Enter");
  await untilStones(page, 1);
  await hands.column(page, 4);
  await untilStones(page, 2);
  assert.equal(moves(page), "44");
  await page.keyboard.press("ArrowLeft");
  await untilStones(page, 1);
  await page.keyboard.press("End");
  await untilStones(page, 2);
  await page.keyboard.press("m");
  await page.keyboard.press("Home");
  await untilStones(page, 0);
  assert.match(page.url(), /moves=44&ply=0#analyse$/);
}

/** Every notation, and what is wrong with a text. */
async function setsUp(page, hands) {
  const set = async (notation) => {
    await page.fill("#input", notation);
    await hands.press(page, "#paste button[type=submit]");
  };
  const diagram = "......./......./......./......./...O.../..OXX..";
  for (const same of [diagram, "[270532608, 4210688, 4]", "rows:0x18:0x804", "key:4433222074497", "44 53"]) {
    await set(same);
    await untilStones(page, 4);
    assert.ok(await page.isHidden("#error"), `${same}: ${await text(page, "#error")}`);
    await answered(page);
    assert.equal(await text(page, "#verdict"), "Red wins in 18 moves", same);
    await set("");
    await untilStones(page, 0);
  }
  // As `fourbook show` draws a board: the small letters are empty cells.
  await set(`. . . . . . .
. . . X . . .
. . . O . . .
X . o X . . .
X O o O O . .
O X . X O . .
1 2 3 4 5 6 7`);
  await untilStones(page, 12);
  await page.keyboard.press("Escape");
  await hands.press(page, "#threats");
  assert.equal(await page.locator("#board .threat.stacked").count(), 2);
  assert.match(await text(page, "#threat-text"), /Red completes four at: column 3 row 2 \(stacked\)/);
  await hands.press(page, "#restore");
  await untilStones(page, 0);
  for (const [wrong, says] of [
    ["4444444", /move 7 is in column 4, which is full/],
    ["......./......./......./......./...o.../..oxx..", /'o' marks a threat that is none/],
    ["48", /move 2 is '8'; expected a column from 1 to 7/],
    ["[1, 1, 2]", /stones of both/],
    ["what", /expected moves like 4453/],
  ]) {
    await set(wrong);
    await until(page, (wanted) => new RegExp(wanted).test(document.querySelector("#error").textContent), says.source);
    assert.ok(await page.isVisible("#error"));
  }
  // Another board, and back.
  await page.selectOption("#size", "4x4");
  await page.waitForSelector(".board[data-size='4x4']");
  await hands.press(page, "#restore");
  await page.waitForSelector(".board[data-size='7x6']");
  await page.evaluate(() => document.activeElement.blur());
}

async function reviews(page, hands, { hasPictures }) {
  await page.fill("#input", "445352433");
  await hands.press(page, "#paste button[type=submit]");
  await untilStones(page, 9);
  await hands.press(page, "#review");
  await page.waitForSelector(".graph:not([hidden])");
  const marks = await page.$$eval(".moves button", (all) => all.map((one) => one.getAttribute("aria-label")));
  assert.equal(marks[2], "Move 3: column 5, throws a win away");
  assert.match(await text(page, ".mistakes"), /Yellow: 2 of 5 best, 1 thrown away, 2 slower/);
  assert.equal(await page.locator(".blunder").count(), 2);
  await page.click(".moves button >> nth=2");
  await untilStones(page, 3);
  assert.match(await text(page, ".remark"), /Yellow.s column 5 throws a win away. Perfect play wins in 20./);
  // What perfect play would have been, and back.
  await hands.press(page, "#perfect");
  await page.waitForSelector("#back-to-game:not([hidden])");
  assert.ok(moves(page).startsWith("444"));
  await page.keyboard.press("End");
  await until(page, () => /Yellow has won/.test(document.querySelector("#verdict").textContent));
  await hands.press(page, "#back-to-game");
  assert.equal(moves(page), "445352433");
  // The graph goes through the game, too.
  await page.focus(".graph input");
  await page.keyboard.press("Home");
  await untilStones(page, 0);
  assert.match(await page.getAttribute(".graph input", "aria-valuetext"), /After 0 moves: Yellow wins in 21/);
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("End");
  await untilStones(page, 9);
  if (!hasPictures) return;
  await hands.press(page, "#picture");
  await page.waitForSelector("dialog canvas");
  const download = page.waitForEvent("download");
  await page.click("#save-picture");
  assert.equal((await download).suggestedFilename(), "fourbook-7x6-445352433.png");
  await page.keyboard.press("Escape");
  await page.waitForSelector("dialog", { state: "detached" });
}

async function sharesByAddress(page, context) {
  const link = page.url();
  const again = await open(context, page.address, link.slice(page.address.length));
  await untilStones(again, 9);
  assert.equal(moves(again), "445352433");
  await again.close();
  const wrong = await open(context, page.address, "?moves=49");
  await until(wrong, () => /address is not right: move 2/.test(document.querySelector("#error")?.textContent ?? ""));
  await wrong.close();
}

async function endsAGame(page, hands) {
  await page.fill("#input", "1212121");
  await hands.press(page, "#paste button[type=submit]");
  await until(page, () => /Yellow has won/.test(document.querySelector("#verdict").textContent));
  assert.equal(await page.locator("#board .last").count(), 1);
  assert.equal(await page.locator("#stage circle.won").count(), 4);
  assert.equal(await page.locator('.column[aria-disabled="false"]').count(), 0);
}

async function solvesPuzzles(page, hands) {
  await hands.press(page, "nav a[data-view=puzzles]");
  await until(page, () => /to move and win in/.test(document.querySelector("#puzzle-goal")?.textContent ?? ""));
  const daily = await text(page, "#puzzle-goal");
  const board = await page.getAttribute("#board", "aria-label");
  await hands.press(page, "#show-solution");
  await until(page, () => /That was the solution/.test(document.querySelector("#puzzle-message").textContent));
  // The same for everybody on this day.
  await hands.press(page, "#daily");
  await until(page, () => /Find the only move/.test(document.querySelector("#puzzle-message").textContent));
  assert.equal(await text(page, "#puzzle-goal"), daily);
  assert.equal(await page.getAttribute("#board", "aria-label"), board);
  await hands.press(page, ".choice [data-value=easy]");
  await until(page, () => /^Endless · Easy/.test(document.querySelector("#puzzle-kind").textContent) && /Find the only move/.test(document.querySelector("#puzzle-message").textContent));
  const goal = Number((await text(page, "#puzzle-goal")).match(/\d+$/)[0]);
  assert.ok(goal === 2 || goal === 3);
  // By trying: a wrong move is refused and said, the right one is played.
  let before = await stones(page);
  for (let move = 0; move < goal; move++) {
    for (const column of [1, 2, 3, 4, 5, 6, 7]) {
      await page.keyboard.press(String(column));
      const went = await page.waitForFunction(([count, had]) => {
        const now = document.querySelectorAll("#board .stone").length;
        const said = document.querySelector("#puzzle-message").textContent;
        return now > count ? "played" : said !== had ? "refused" : null;
      }, [before, await text(page, "#puzzle-message")], { timeout: 1500 }).then((one) => one.jsonValue(), () => "nothing");
      if (went === "played") break;
    }
    await until(page, () => /now win in|Solved|only move/.test(document.querySelector("#puzzle-message").textContent));
    if (/Solved/.test(await text(page, "#puzzle-message"))) break;
    await until(page, (count) => document.querySelectorAll("#board .stone").length === count + 2, before);
    before += 2;
  }
  await until(page, () => /Solved/.test(document.querySelector("#puzzle-message").textContent));
  assert.match(await text(page, ".progress"), /Easy[01] of 1 without a mistake/);
  await hands.press(page, "#next-puzzle");
  await until(page, () => /Find the only move/.test(document.querySelector("#puzzle-message").textContent));
}

/** Another size, colours for everybody, a theme, less motion; all of them kept. */
async function changesSettings(page, hands, { sizes }) {
  await hands.press(page, "nav a[data-view=play]");
  await hands.press(page, "#open-settings");
  await page.waitForSelector("dialog");
  for (const value of ["dark", "safe", "less"]) await hands.press(page, `dialog [data-value=${value}]`);
  await page.keyboard.press("Escape");
  assert.deepEqual(await page.evaluate(() => ({ ...document.documentElement.dataset })), { theme: "dark", stones: "safe", motion: "less" });
  await page.reload();
  await page.waitForSelector(".seats");
  assert.match(await text(page, ".seats"), /Blue/);
  const pattern = await page.evaluate(() => getComputedStyle(document.querySelector("#board .pattern") ?? document.body).display);
  assert.notEqual(pattern, "none");
  await page.keyboard.press("n");
  await page.waitForSelector("dialog");
  assert.deepEqual(await page.$$eval("select[name=size] option", (all) => all.map((one) => one.value)), sizes);
  await page.selectOption("select[name=opponent]", "two");
  await page.selectOption("select[name=size]", "4x4");
  await hands.press(page, "dialog button[type=submit]");
  await page.waitForSelector(".board[data-size='4x4']");
  for (const column of [1, 2]) await hands.column(page, column);
  await untilStones(page, 2);
  await hands.press(page, ".help .choice [data-value=on]");
  await until(page, () => /: draws/.test(document.querySelector(".column").getAttribute("aria-label")));
  assert.match(await text(page, "#live"), /draw/);
  await hands.press(page, ".help .choice [data-value=demand]");
}

/** A server that cannot be reached, is busy, or slow: the page says so, and goes on when it can. */
async function goesOnAfterFailures(page, hands) {
  const [moves, positions] = [/v1\/move/, /v1\/position/];
  const busy = { status: 503, contentType: "application/problem+json", body: JSON.stringify({ detail: "too much to do; try again" }) };
  await page.route(moves, (route) => route.abort());
  await hands.column(page, 4);
  await shown(page, "The server cannot be reached.");
  await page.unroute(moves);
  await page.route(moves, (route) => route.fulfill(busy));
  await hands.press(page, ".note button");
  await shown(page, "too much to do; try again");
  await page.unroute(moves);
  await hands.press(page, ".note button");
  await untilStones(page, 2);
  await page.route(positions, (route) => route.fulfill(busy));
  await hands.press(page, "nav a[data-view=analyse]");
  await page.waitForSelector("#retry:not([hidden])");
  assert.equal(await text(page, "#source"), "too much to do; try again");
  await page.unroute(positions);
  // What takes long is waited for with a sign of it.
  await page.route(positions, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  await hands.press(page, "#retry");
  await page.waitForSelector(".spinner:not([hidden])");
  assert.equal(await text(page, "#source"), "Solving…");
  await answered(page);
  await page.waitForSelector(".spinner", { state: "hidden" });
  await page.unroute(positions);
  // That requests failed was wanted.
  page.faults = page.faults.filter((fault) => !/ERR_FAILED|status of 503/.test(fault));
}

module.exports = {
  goesOnAfterFailures,
  changesSettings, endsAGame, explores, keepsPastGames, playsASeries, playsAgainstTheComputer, reviews,
  setsUp, sharesByAddress, solvesPuzzles, warnsAndTells,
};
