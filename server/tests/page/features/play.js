"use strict";

// Playing: against the computer, two people at one board, from a position; and past games.

const assert = require("node:assert/strict");
const { goTo, labels, newGame, start, text, until, untilStones, untilText } = require("../browser.js");

const KNOWS = /: (wins|draws|loses)/;
const untilVerdicts = (page) => until(page, () => /: (wins|draws|loses)/.test(document.querySelector(".column").getAttribute("aria-label")));

async function playsAgainstTheComputer(page, hands) {
  // The ghost: the colour of the stone, and the cell it would fall to.
  await hands.look(page, ".column:nth-child(2)");
  await page.waitForSelector("#board .ghost.first");
  await hands.column(page, 4);
  // The computer answers.
  await untilStones(page, 2);
  await untilText(page, "#status", /Your turn/);
  assert.equal(await page.locator("#board .stone.latest").count(), 1);
  await hands.press(page, "button[aria-keyshortcuts=h]");
  await untilText(page, ".hint-text", /is best/);
  assert.ok(await page.locator("#board .hint").count() > 0);
  // It is for this position alone.
  await page.keyboard.press("ArrowLeft");
  await untilStones(page, 1);
  await untilText(page, ".hint-text", /^$/);
  assert.equal(await page.locator("#board .hint").count(), 0);
  assert.equal(await page.getAttribute("button[aria-keyshortcuts=h]", "aria-disabled"), "true");
  await page.keyboard.press("ArrowRight");
  await untilStones(page, 2);
  await hands.press(page, ".actions button[aria-keyshortcuts=u]");
  await untilStones(page, 0);
  await page.keyboard.press("4");
  await untilStones(page, 2);
  await untilText(page, "#status", /Your turn/);
  await hands.press(page, "#resign");
  await untilText(page, "#status", /You resigned; the computer wins./);
  assert.equal(await page.locator('.column[aria-disabled="false"]').count(), 0);
  // At another level, as the other side: the computer begins.
  await newGame(page, hands, "perfect", { begins: "other" }, 1);
  assert.match(await text(page, ".seats"), /Computer, perfect · Yellow/);
  await untilText(page, "#status", /Your turn/);
  await untilText(page, "#live", /Yellow plays column 4\. $/);
}

/** Two people and three games; neither a new game nor leaving the page loses one. */
async function keepsEveryGame(page, hands) {
  await hands.column(page, 4);
  await untilStones(page, 2);
  await newGame(page, hands, "two", { bestOf: "3" });
  await untilText(page, "#live", /^Two people play\. Player 1, Yellow, begins\. $/);
  assert.equal(await page.locator(".games li").count(), 1, "the game before is kept");
  await page.reload();
  await page.waitForSelector(".games li", { state: "attached" });
  assert.equal(await page.locator(".games li").count(), 1, "also over a reload");
  for (const column of [1, 2, 1, 2, 1, 2]) await hands.column(page, column);
  await untilStones(page, 6);
  await page.keyboard.press("1");
  await untilText(page, "#status", /Player 1 \(Yellow\) wins./);
  assert.equal(await page.locator("#stage circle.won").count(), 4);
  assert.match(await text(page, ".seats"), /Player 1 · Yellow1.*Player 2 · Red0/);
  await hands.press(page, "#next-game");
  await untilStones(page, 0);
  assert.match(await text(page, ".seats"), /Player 1 · Red1.*Player 2 · Yellow0.*Game 2, best of 3/);
  assert.equal(await page.locator(".games li").count(), 2);
  // Half of a game, another one, and back to it.
  await page.keyboard.press("7");
  await untilStones(page, 1);
  await newGame(page, hands, "casual");
  await hands.press(page, ".games li:first-child button:not(.plain)");
  await untilStones(page, 1);
  assert.match(await text(page, ".seats"), /Game 2, best of 3/);
  // A past game opens in the analysis.
  await hands.press(page, ".games li:last-child .plain");
  await page.waitForSelector("#verdict");
  await untilStones(page, 2);
}

/** A tap on a level starts a game, and the last level is the first to choose. */
async function startsWithOneTap(page, hands) {
  await newGame(page, hands, "novice");
  await untilText(page, ".seats", /Computer, novice/);
  await page.keyboard.press("n");
  await page.waitForSelector("dialog");
  assert.deepEqual(await page.$$eval("dialog .opponent", (all) => all.slice(0, 3).map(({ value }) => value)), ["novice", "beginner", "casual"]);
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog", { state: "detached" });
  await untilText(page, ".seats", /Computer, novice/);
}

async function warnsBeforeAMistake(page, hands) {
  await newGame(page, hands, "two");
  // The answer is known before, since a move waits for its warning for three seconds only.
  await hands.press(page, "#demand");
  await untilVerdicts(page);
  await hands.check(page, "#warnings");
  // The only winning first move is in the middle.
  await hands.column(page, 1);
  await untilText(page, ".note", /Column 1 throws a win away\./);
  await untilStones(page, 0);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Choose another");
  await page.keyboard.press("Enter");
  assert.ok(await page.isHidden(".note"));
  await hands.column(page, 1);
  await untilText(page, ".note", /Column 1 throws a win away\./);
  await hands.press(page, "#play-anyway");
  await untilStones(page, 1);
  await hands.check(page, "#warnings");
  await page.keyboard.press("2");
  await untilStones(page, 2);
}

/** On demand, or always; the choice is remembered. */
async function showsVerdictsOnDemand(page, hands) {
  await newGame(page, hands, "two");
  const knowsNone = async () => assert.ok((await labels(page)).every((label) => !KNOWS.test(label)));
  await knowsNone();
  await hands.press(page, "#demand");
  await untilVerdicts(page);
  await page.keyboard.press("2");
  await untilStones(page, 1);
  await knowsNone();
  await page.keyboard.press("v");
  await untilVerdicts(page);
  await hands.check(page, "#always");
  await page.keyboard.press("3");
  await untilStones(page, 2);
  await untilVerdicts(page);
  await goTo(page);
  await untilVerdicts(page);
  // A press hides them, and they are shown on demand again.
  await hands.press(page, "#demand");
  await until(page, () => !document.querySelector("#always").checked);
  await knowsNone();
}

/** A position from a diagram has no moves. */
async function playsFromAPosition(page, hands) {
  await hands.press(page, "nav a[data-view=analyse]");
  await page.waitForSelector("#verdict");
  // Two stones more can't make four of either colour, so no game ends early.
  await hands.write(page, "#input", "......./......./......./......./......./OX...XO");
  await hands.press(page, "#paste button[type=submit]");
  await untilStones(page, 4);
  await hands.press(page, "#play-here");
  await start(page, hands, "casual", { begins: "other" });
  // The computer is next, as the first player.
  await untilStones(page, 5);
  await untilText(page, "#status", /Your turn/);
  assert.match(await text(page, ".seats"), /You · Red.*Computer, casual · Yellow/);
  await hands.column(page, 1);
  await untilStones(page, 7);
  await hands.press(page, ".actions button[aria-keyshortcuts=u]");
  await untilStones(page, 5);
  await goTo(page);
  await untilStones(page, 5);
  await untilText(page, "#status", /Your turn/);
  await hands.column(page, 7);
  await untilStones(page, 7);
  await hands.press(page, "#resign");
  await untilText(page, "#next-game", /Once more from there/);
  await hands.press(page, "#next-game");
  await untilStones(page, 5);
  assert.equal(await page.locator(".games li").count(), 1);
}

module.exports = [playsAgainstTheComputer, keepsEveryGame, startsWithOneTap, warnsBeforeAMistake, showsVerdictsOnDemand, playsFromAPosition];
