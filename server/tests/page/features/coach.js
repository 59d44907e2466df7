"use strict";

// Learning from a game: its mistakes, why it ends as it does, and the other lines that were tried.

const assert = require("node:assert/strict");
const { answered, change, goTo, labels, newGame, text, until, untilStones, untilText } = require("../browser.js");

const moves = (page) => page.evaluate(() => new URLSearchParams(location.search).get("moves") ?? "");

/** The primary buttons of the panel. */
const primary = (page) => page.$$eval("#panel button.main", (all) => all.filter((one) => one.checkVisibility()).map(({ id }) => id));

/** The mistakes of a game one by one: a wrong try, what follows, a right one, and the next. */
async function learnsFromMistakes(page, hands) {
  // Red lets Yellow have three in the bottom row; Yellow does not complete them.
  await goTo(page, "?moves=443351122#analyse");
  await page.waitForSelector("#review");
  await hands.press(page, "#review");
  await page.waitForSelector("#learn:not([hidden])");
  await hands.press(page, "#learn");
  await untilText(page, "#coach-title", /Mistake 1 of 2/);
  await untilText(page, "#coach-message", /^Red played column 3: a blunder\. Find a better move\.$/);
  await untilStones(page, 3);
  assert.ok((await labels(page)).every((label) => !/wins|draws|loses/.test(label)), "no verdict gives the answer away");
  assert.ok(await page.isHidden(".answer"));
  // The weak move is on the board, with its mark.
  assert.equal(await text(page, "#board .weak"), "??");
  // The board is what to press next, and the solution is quiet.
  assert.deepEqual(await primary(page), []);
  await hands.column(page, 1);
  await untilText(page, "#coach-message", /^Column 1 loses in \d+\. Try again\.$/);
  await untilStones(page, 3);
  await hands.press(page, "#coach-refute");
  await untilText(page, "#coach-message", /^After column 1, step through what follows\.$/);
  await untilStones(page, 4);
  await page.keyboard.press("End");
  await untilText(page, "#verdict", /Yellow has won/);
  assert.deepEqual(await primary(page), ["coach-again"]);
  await hands.press(page, "#coach-again");
  await untilStones(page, 3);
  await hands.column(page, 2);
  await untilText(page, "#coach-message", /^Right\. Column 2 /);
  await untilStones(page, 4);
  assert.deepEqual(await primary(page), ["coach-next"]);
  await hands.press(page, "#coach-next");
  await untilText(page, "#coach-title", /Mistake 2 of 2/);
  await hands.press(page, "#coach-solution");
  await untilText(page, "#coach-message", /perfect play/);
  assert.deepEqual(await primary(page), ["coach-next"]);
  await hands.press(page, "#coach-next");
  await untilText(page, "#coach-message", /^1 mistake of 2 put right\.$/);
  await hands.press(page, "#coach-end");
  await page.waitForSelector(".coach", { state: "hidden" });
  await answered(page);
}

/** Two people of whom the first wins in column 4, after `moves` that are kept. */
async function playMoves(page, hands, moves) {
  await newGame(page, hands, "two");
  for (const [index, column] of [...moves].entries()) {
    await page.keyboard.press(column);
    await untilStones(page, index + 1);
  }
}

/** After a game, the worst mistake comes first: three in a column that were not stopped. */
async function learnsAfterAGame(page, hands) {
  await playMoves(page, hands, "4141424");
  await hands.press(page, "#learn-game");
  await untilText(page, "#coach-title", /Mistake 1 of \d/);
  await untilText(page, "#coach-message", /^Red played column 2: a blunder\./);
  await untilStones(page, 5);
}

/** Giving a win away 41 stones before the end is no mistake that a person would see. */
async function praisesWhatNobodyCouldDoBetter(page, hands) {
  await goTo(page, "?moves=12#analyse");
  await page.waitForSelector("#review");
  await hands.press(page, "#review");
  await page.waitForSelector(".graph:not([hidden])");
  assert.equal(await page.locator(".dotted").count(), 0);
  assert.ok(await page.isHidden("#learn"));
  await untilText(page, ".remark", /^Red's column 2 /);
}

/** One picture at a time, at most three, which the next tap or Esc dismisses. */
async function givesAReasonInSteps(page, hands) {
  await goTo(page, "#analyse");
  await answered(page);
  const marks = () => page.$$eval("#board .deciding:not(.under), #board .last-cell", (all) => all.length);
  await hands.press(page, "#why");
  await untilText(page, "#why-text", /^Yellow will make four in a row, in the marked cell\.$/);
  assert.equal(await marks(), 2);
  await hands.press(page, "#why");
  await untilText(page, "#why-text", /^Red runs out of other columns and has to play below this cell\.$/);
  assert.equal(await marks(), 1);
  await hands.press(page, "#why");
  await untilText(page, "#why-text", /^$/);
  await hands.press(page, "#why");
  await untilText(page, "#why-text", /four/);
  await page.keyboard.press("Escape");
  await untilText(page, "#why-text", /^$/);
  await hands.press(page, "#why");
  await untilText(page, "#why-text", /four/);
  await hands.column(page, 1);
  await untilText(page, "#why-text", /^$/);
  assert.equal(await marks(), 0);
}

/** What ends the game soonest comes first. */
async function explainsAResult(page, hands) {
  await goTo(page, "?moves=15111224#analyse");
  await answered(page);
  await hands.press(page, "#why");
  await untilText(page, "#why-text", /^Red has three in the bottom row, and has to be stopped in column 3\.$/);
  await goTo(page, "?moves=44335#analyse");
  await answered(page);
  await hands.press(page, "#why");
  await untilText(page, "#why-text", /^Yellow has three in the bottom row, and can finish it in two columns\.$/);
  // The four that decides and its cells are drawn on the board.
  assert.equal(await page.locator("#board .deciding:not(.under)").count(), 1);
  assert.equal(await page.locator("#board .last-cell").count(), 2);
}

/** Another move leaves the line before in the tree, also over a reload. */
async function keepsEveryLine(page, hands) {
  await goTo(page, "?moves=4444#analyse");
  await page.waitForSelector("#verdict");
  await page.keyboard.press("ArrowLeft");
  await untilStones(page, 3);
  await hands.column(page, 2);
  await untilStones(page, 4);
  assert.equal(await moves(page), "4442");
  await untilText(page, ".branches", /^2… 4/);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await untilStones(page, 2);
  await hands.column(page, 3);
  await untilStones(page, 3);
  await until(page, () => document.querySelectorAll(".branches li").length === 2);
  await page.reload();
  await until(page, () => document.querySelectorAll(".branches li").length === 2);
  await hands.press(page, ".branches li:first-child .plain");
  await until(page, () => new URLSearchParams(location.search).get("moves") === "4444");
  assert.equal(await page.locator(".branches li").count(), 2);
  await hands.press(page, ".branches li:first-child .icon");
  assert.equal(await page.locator(".branches li").count(), 1);
  // A move that an existing line has continues this line.
  await page.keyboard.press("Home");
  await hands.column(page, 4);
  assert.equal(await moves(page), "4444");
}

/** Draws show no length, the graph has names and values, and the settings hide the scores. */
async function saysWhatItShows(page, hands) {
  await goTo(page, "#analyse");
  await answered(page);
  assert.deepEqual(await page.$$eval(".chip", (all) => all.map(({ dataset }) => dataset.word + dataset.count)), ["L20", "L21", "=", "W21", "=", "L21", "L20"]);
  await change(page, hands, ["threats", "true"], ["scores", "false"]);
  assert.equal(await text(page, "#threat-text"), "Yellow threatens nothing yet. Red threatens nothing yet.");
  assert.equal(await text(page, "#verdict"), "Yellow to move.");
  assert.equal(await page.locator(".chip.win").count(), 0);
  await page.keyboard.press("v");
  await untilText(page, "#verdict", /^Yellow to move\. Yellow wins in 21\.$/);
  await goTo(page, "?moves=4453#analyse");
  await page.waitForSelector("#review");
  await hands.press(page, "#review");
  await untilText(page, ".graph", /Yellow wins.*Red wins/);
  assert.equal(await text(page, ".graph-box .value"), "After 4 moves: Red wins in 18");
}

/** Past games, each with its level, side and moves. */
const gamesOf = (all) => all.map(([level, you, moves], index) => ({
  id: `game ${index}`, started: `2026-02-0${9 - index}T12:00:00Z`, size: "7x6", base: null, moves, from: 0, opponent: "computer", level, seed: 1, you,
}));
const [FIRST, SECOND] = ["1212121", "12121323"];

/** Results by level and side, how accurate the moves were, and the level to try next. */
async function keepsARecord(page, hands) {
  const games = gamesOf([["casual", 0, FIRST], ["casual", 1, SECOND + "4"], ["casual", 1, FIRST], ["casual", 0, FIRST], ["casual", 0, FIRST], ["casual", 0, FIRST], ["novice", 1, FIRST]]);
  games[0].accuracy = [3, 4];
  await page.evaluate((kept) => {
    for (const game of kept) localStorage.setItem(`fourbook.game.${game.id}`, JSON.stringify(game));
  }, games);
  await goTo(page);
  await hands.press(page, "#past-games");
  await page.waitForSelector("dialog .record-table");
  const rows = await page.$$eval(".record-table tbody tr", (all) => all.map((row) => [...row.children].map((cell) => cell.textContent).join("; ")));
  assert.deepEqual(rows, ["Novice; –; –; 0 / 0 / 1; –", "Casual; 4 / 0 / 0; 75%; 0 / 0 / 1; –"]);
  assert.match(await text(page, ".suggestion"), /You scored 4 of the last 5 against casual: try intermediate\./);
  // Each past game has a picture, and opens where it ended.
  assert.equal(await page.locator(".games .thumbnail .four").count(), 4 * (games.length - 1));
  await hands.press(page, "#play-suggested");
  await until(page, () => /Computer, intermediate/.test(document.querySelector(".seats").textContent));
  await hands.press(page, "#past-games");
  await page.waitForSelector("dialog .games");
  await hands.press(page, ".games li:first-child .plain");
  await page.waitForSelector("#verdict");
  await untilStones(page, 7);
}

module.exports = [
  learnsFromMistakes, learnsAfterAGame, praisesWhatNobodyCouldDoBetter, keepsARecord, givesAReasonInSteps, explainsAResult, keepsEveryLine, saysWhatItShows,
];
