"use strict";

// Learning from a game: its mistakes, why it ends as it does, and the other lines that were tried.

const assert = require("node:assert/strict");
const { answered, goTo, labels, newGame, text, until, untilStones, untilText } = require("../browser.js");

const moves = (page) => page.evaluate(() => new URLSearchParams(location.search).get("moves") ?? "");

/** The primary buttons of the panel. */
const primary = (page) => page.$$eval("#panel button.main", (all) => all.filter((one) => one.checkVisibility()).map(({ id }) => id));

/** The mistakes of a game one by one: a wrong try, its refutation, a right one, and the next. */
async function learnsFromMistakes(page, hands) {
  await goTo(page, "?moves=445352433#analyse");
  await page.waitForSelector("#review");
  await hands.press(page, "#review");
  await page.waitForSelector("#learn:not([hidden])");
  await hands.press(page, "#learn");
  await untilText(page, "#coach-title", /Mistake 1 of 2/);
  await untilText(page, "#coach-message", /Yellow played column 5, which throws a win away/);
  await untilStones(page, 2);
  assert.ok((await labels(page)).every((label) => !/wins|draws|loses/.test(label)), "no verdict gives the answer away");
  assert.equal(await page.locator(".explorer[hidden]").count(), 1);
  assert.ok(await page.isHidden(".answer"));
  // The weak move is on the board, with its mark.
  assert.equal(await text(page, "#board .weak"), "??");
  assert.equal(await page.getAttribute("#verdicts", "aria-pressed"), "false");
  assert.deepEqual(await primary(page), ["coach-refute"]);
  await hands.column(page, 1);
  await untilText(page, "#coach-message", /^Column 1 loses in \d+\. Try again\.$/);
  await untilStones(page, 2);
  await hands.press(page, "#coach-refute");
  await untilText(page, "#coach-message", /After column 1, step through what follows\. Red wins with stone \d+/);
  await untilStones(page, 3);
  await page.keyboard.press("End");
  await untilText(page, "#verdict", /Red has won/);
  assert.deepEqual(await primary(page), ["coach-again"]);
  await hands.press(page, "#coach-again");
  await untilStones(page, 2);
  await hands.column(page, 4);
  await untilText(page, "#coach-message", /^Right\. Column 4 wins in \d+\.$/);
  await untilStones(page, 3);
  assert.deepEqual(await primary(page), ["coach-next"]);
  await hands.press(page, "#coach-next");
  await untilText(page, "#coach-title", /Mistake 2 of 2/);
  await hands.press(page, "#coach-solution");
  await untilText(page, "#coach-message", /perfect play/);
  assert.deepEqual(await primary(page), ["coach-next"]);
  await hands.press(page, "#coach-next");
  await untilText(page, "#coach-message", /^1 mistake of 2 put right\.$/);
  assert.deepEqual(await primary(page), ["coach-end"]);
  await hands.press(page, "#coach-end");
  await page.waitForSelector(".coach", { state: "hidden" });
  await answered(page);
}

/** After a game against the computer, only the person's mistakes. */
async function learnsAfterAGame(page, hands) {
  for (const column of [1, 1]) {
    const stones = await page.locator("#board .stone").count();
    await hands.column(page, column);
    await untilStones(page, stones + 2);
    await untilText(page, "#status", /Your turn/);
  }
  await hands.press(page, "#resign");
  await hands.press(page, "#learn-game");
  await untilText(page, "#coach-title", /Mistake 1 of \d/);
  await untilText(page, "#coach-message", /^Yellow played column 1, which throws a win away/);
  await untilStones(page, 0);
}

async function praisesAFlawlessGame(page, hands) {
  await newGame(page, hands, "two");
  for (const stones of [1, 2, 3]) {
    await hands.column(page, 4);
    await untilStones(page, stones);
  }
  await hands.press(page, "#resign");
  await hands.press(page, "#learn-game");
  await untilText(page, "#coach-title", /Well played/);
  assert.equal(await text(page, "#coach-message"), "Flawless: 3 of 3 moves were best.");
}

/** The reason stays on the board along its line; in a zugzwang, the columns to leave alone are marked. */
async function stepsThroughAReason(page, hands) {
  await goTo(page, "#analyse");
  await answered(page);
  await hands.press(page, "#why");
  await untilText(page, "#why-text", /Red was in zugzwang: only columns? [\d, and]+ w[^.]*below a threat of Yellow\.$/);
  const reason = await text(page, "#why-text");
  const shown = () => page.$$eval("#board .shut, #board .deciding", (all) => all.length);
  const drawn = await shown();
  assert.ok(await page.locator("#board .shut").count() > 0);
  for (const stones of [1, 2]) {
    await hands.press(page, "#why-step");
    await untilStones(page, stones);
    assert.equal(await text(page, "#why-text"), reason);
    assert.equal(await shown(), drawn);
  }
  await page.keyboard.press("ArrowLeft");
  await untilStones(page, 1);
  assert.equal(await text(page, "#why-text"), reason);
  await page.keyboard.press("End");
  await untilText(page, "#verdict", /Yellow has won/);
  assert.equal(await page.getAttribute("#why-step", "aria-disabled"), "true");
  // Another line has no reason yet.
  await page.keyboard.press("Home");
  await untilStones(page, 0);
  await hands.column(page, 1);
  await untilText(page, "#why-text", /^$/);
  assert.ok(await page.isHidden("#why-step"));
}

/** A sentence from the main line. */
async function explainsAResult(page, hands) {
  await goTo(page, "?moves=44335#analyse");
  await answered(page);
  await hands.press(page, "#why");
  await untilText(page, "#why-text", /^Yellow wins with stone 7 in column [26], row 1: it completes row 1, columns .*Red could block only one\.$/);
  // The four that decides and its last cell are drawn on the board.
  assert.equal(await page.locator("#board .deciding:not(.under)").count(), 1);
  assert.equal(await page.locator("#board .last-cell").count(), 1);
  await hands.column(page, 2);
  await untilStones(page, 6);
  await until(page, () => document.querySelector("#why-text").textContent === "");
  assert.equal(await page.locator("#board .last-cell").count(), 0);
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

/** Draws show no length, the graph has names and values, and one switch hides the scores. */
async function saysWhatItShows(page, hands) {
  await goTo(page, "#analyse");
  await answered(page);
  const draws = await page.$$eval(".explorer tr.draw", (rows) => rows.map((row) => row.querySelector(".tag").textContent));
  assert.deepEqual(draws, ["draws", "draws"]);
  await hands.press(page, "#threats");
  assert.equal(await text(page, "#threat-text"), "Yellow threatens nothing yet. Red threatens nothing yet.");
  await hands.press(page, "#verdicts");
  await page.waitForSelector(".explorer", { state: "hidden" });
  assert.equal(await page.getAttribute("#verdicts", "aria-pressed"), "false");
  await hands.press(page, "#verdicts");
  await page.waitForSelector(".explorer");
  await goTo(page, "?moves=4453#analyse");
  await page.waitForSelector("#review");
  await hands.press(page, "#review");
  await untilText(page, ".graph", /Yellow wins.*Red wins/);
  assert.equal(await text(page, ".graph-box .value"), "After 4 moves: Red wins in 18");
}

/** Past games, each with its level, side and result. */
const gamesOf = (all) => all.map(([level, you, result], index) => ({
  id: `game ${index}`, started: `2026-02-0${9 - index}T12:00:00Z`, size: "7x6", base: null, moves: "1212121", from: 0,
  opponent: "computer", level, seed: 1, you, resigned: null, series: { bestOf: 1, points: [0, 0], games: 1 }, result,
}));

/** Results by level and side, how accurate the moves were, and the level to try next. */
async function keepsARecord(page, hands) {
  const games = gamesOf([["casual", 0, 0], ["casual", 1, 1], ["casual", 0, 0], ["casual", 1, "draw"], ["novice", 0, 1]]);
  await page.evaluate((kept) => {
    localStorage.setItem("fourbook.games", JSON.stringify(kept));
    for (const game of kept) localStorage.setItem(`fourbook.game.${game.id}`, JSON.stringify(game));
    localStorage.setItem("fourbook.accuracy", JSON.stringify({ "game 0": [3, 4] }));
  }, games);
  await goTo(page);
  await page.waitForSelector(".record-card:not([hidden])", { state: "attached" });
  const rows = await page.$$eval(".record-table tbody tr", (all) => all.map((row) => [...row.children].map((cell) => cell.textContent).join("; ")));
  assert.deepEqual(rows, ["Novice; 0 / 0 / 1; –; –; –", "Casual; 2 / 0 / 0; 75 %; 1 / 1 / 0; –"]);
  assert.match(await text(page, ".suggestion"), /You scored 3½ of the last 4 against casual: try intermediate\./);
  // Each past game has a picture, and opens where it ended.
  assert.equal(await page.locator(".games .thumbnail .four").count(), 4 * games.length);
  await hands.press(page, ".record-card summary");
  await hands.press(page, "#play-suggested");
  await until(page, () => /Computer, intermediate/.test(document.querySelector(".seats").textContent));
  // A finished game is reviewed: one move that gave a win away.
  await hands.column(page, 1);
  await untilStones(page, 2);
  await untilText(page, "#status", /Your turn/);
  await hands.press(page, "#resign");
  await until(page, () => /Intermediate0 \/ 0 \/ 10 %––/.test(document.querySelector(".record-table").textContent));
  await hands.press(page, ".games li:first-child .plain");
  await page.waitForSelector("#verdict");
  await untilStones(page, 7);
}

module.exports = [learnsFromMistakes, learnsAfterAGame, praisesAFlawlessGame, keepsARecord, stepsThroughAReason, explainsAResult, keepsEveryLine, saysWhatItShows];
